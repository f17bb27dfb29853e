#include <fmt/format.h>

#include <algorithm>

#include "base/log.h"
#include "base/profiles_folder.h"
#include "call/function_stage.h"
#include "call/open_caller.h"
#include "call/record_functions.h"
#include "call/search_function.h"
#include "call/workflow.h"
#include "net/asio_http_client.h"

namespace signalbox {

Result<std::shared_ptr<const FunctionStage>> open_stage(const Profile& profile,
                                                        std::shared_ptr<LlmClient> llm,
                                                        std::shared_ptr<const Clock> clock) {
  if (profile.functions.empty()) return nullptr;
  FunctionsOptions options;
  options.llm = std::move(llm);
  options.clock = clock;
  auto opened = open_functions(profile.functions, options);
  if (!opened) return tl::unexpected(opened.error());
  for (const std::string& note : opened->notes)
    log_event(LogLevel::Warn, "functions", {{"note", note}});
  FunctionRunner::Parts parts;
  parts.caller = opened->caller;
  parts.servers = opened->servers;
  for (const Function& function : opened->caller->registry().all()) {
    if (function.handler.kind == HandlerKind::Http && !parts.http)
      parts.http = std::make_shared<AsioHttpClient>();
  }
  parts.built_in["create_workflow"] =
      std::make_shared<WorkflowFunction>(opened->caller, opened->database);
  if (!opened->database.empty()) {
    auto concepts = SqlWords::load(profiles_folder() + "/common/sql_words.yaml");
    if (!concepts) return tl::unexpected(concepts.error());
    RecordWords words;
    words.concepts = std::make_shared<const SqlWords>(*std::move(concepts));
    const auto records =
        std::make_shared<RecordFunctions>(opened->database, opened->caller->words(), std::move(words));
    for (const char* name : kRecordFunctions) parts.built_in[name] = records;
  }
  const auto is_connected = [](const DatabaseSettings& each) { return !each.address.empty(); };
  if (std::any_of(profile.databases.begin(), profile.databases.end(), is_connected))
    parts.built_in["semantic_search"] = std::make_shared<SearchFunction>(
        profile, std::make_shared<SqlDesk>(std::make_shared<AsioHttpClient>(), clock),
        opened->caller->words());
  return std::make_shared<const FunctionStage>(
      opened->caller, std::make_shared<const FunctionRunner>(std::move(parts)));
}

}  // namespace signalbox
