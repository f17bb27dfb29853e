#include <fmt/format.h>

#include "base/log.h"
#include "call/function_stage.h"
#include "call/open_caller.h"
#include "call/record_functions.h"
#include "call/workflow.h"
#include "net/asio_http_client.h"

namespace signalbox {

Result<std::shared_ptr<const FunctionStage>> open_stage(const Profile& profile,
                                                        std::shared_ptr<LlmClient> llm,
                                                        std::shared_ptr<const Clock> clock) {
  if (profile.functions.empty()) return nullptr;
  FunctionsOptions options;
  options.llm = std::move(llm);
  options.clock = std::move(clock);
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
    const auto records = std::make_shared<RecordFunctions>(opened->database, opened->caller->words());
    for (const char* name : kRecordFunctions) parts.built_in[name] = records;
  }
  return std::make_shared<const FunctionStage>(
      opened->caller, std::make_shared<const FunctionRunner>(std::move(parts)));
}

}  // namespace signalbox
