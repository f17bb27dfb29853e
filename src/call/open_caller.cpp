#include "call/open_caller.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "base/profiles_folder.h"
#include "call/mcp_client.h"
#include "call/schema_check.h"
#include "llm/slots.h"
#include "model/encoder_choice.h"
#include "net/asio_http_client.h"

namespace signalbox {
namespace {

Result<std::string> shipped_prompt() {
  const std::string path = profiles_folder() + "/common/prompts/call.md";
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file || text.str().empty())
    return fail(ErrorCode::NotFound, fmt::format("{} is missing or empty", path));
  return text.str();
}

// Stands still for its wall time; durations go on.
class DayClock : public SteadyClock {
 public:
  explicit DayClock(WallTime wall) : wall_(wall) {}
  WallTime wall() const override { return wall_; }

 private:
  WallTime wall_;
};

}  // namespace

Result<OpenedFunctions> open_functions(const std::string& path, const FunctionsOptions& options) {
  auto file = load_functions(path);
  if (!file) return tl::unexpected(file.error());
  OpenedFunctions out;
  out.database = file->database;
  if (!file->servers.empty()) {
    out.servers = std::make_shared<McpServers>();
    out.notes = out.servers->import(file->servers, std::make_shared<AsioHttpClient>(), file->registry);
  }
  FunctionCaller::Options with;
  with.clock = options.clock;
  with.llm = options.llm;
  if (!with.llm && options.profile) {
    auto slots = SlotClient::bind(*options.profile);
    if (!slots) return tl::unexpected(slots.error());
    with.llm = *std::move(slots);
  }
  if (with.llm) {
    auto prompt = shipped_prompt();
    if (!prompt) return tl::unexpected(prompt.error());
    with.prompt = *std::move(prompt);
  }
  if (auto encoder = open_encoder("")) with.encoder = *std::move(encoder);
  auto caller = FunctionCaller::create(std::move(file->registry), std::move(with));
  if (!caller) return tl::unexpected(caller.error());
  out.caller = *std::move(caller);
  return out;
}

Result<std::shared_ptr<const Clock>> clock_at(const std::string& date) {
  if (!fits_format(date, "date"))
    return fail(ErrorCode::InvalidInput, fmt::format("'{}' is no date like 2026-03-01", date));
  using namespace std::chrono;
  const year_month_day day{year(std::stoi(date.substr(0, 4))),
                           month(static_cast<unsigned>(std::stoi(date.substr(5, 2)))),
                           std::chrono::day(static_cast<unsigned>(std::stoi(date.substr(8, 2))))};
  return std::make_shared<const DayClock>(WallTime(sys_days(day)));
}

}  // namespace signalbox
