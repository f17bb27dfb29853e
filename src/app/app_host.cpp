#include "app/app_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/app_run.h"
#include "app/http_app.h"
#include "app/ledger_app.h"
#include "app/list_app.h"
#include "wire/json_text.h"

namespace signalbox {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

json::object logs_of(const std::string& app_state) {
  boost::system::error_code ec;
  json::value value = app_state.empty() ? json::value(json::object{}) : json::parse(app_state, ec);
  return ec || !value.is_object() ? json::object{} : std::move(value.get_object());
}

AppLog log_of(const json::object& logs, const std::string& app) {
  const json::value* value = logs.if_contains(app);
  if (!value) return {};
  auto log = AppLog::from_json(*value);
  return log ? *std::move(log) : AppLog{};
}

}  // namespace

Result<std::unique_ptr<AppHost>> AppHost::open(const std::string& folder,
                                               std::shared_ptr<HttpClient> http,
                                               std::shared_ptr<const Clock> clock) {
  auto host = std::make_unique<AppHost>();
  std::error_code ec;
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(folder, ec)) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  const auto list = std::make_shared<ListApp>();
  const auto ledger = std::make_shared<LedgerApp>();
  host->clock_ = clock;
  const auto remote = std::make_shared<HttpApp>(std::move(http), std::move(clock));
  for (const std::string& path : paths) {
    auto manifest = load_manifest(path);
    if (!manifest) return tl::unexpected(manifest.error());
    std::shared_ptr<AppHandler> handler = list;
    if ((*manifest)->handler == AppHandlerKind::Ledger) handler = ledger;
    if ((*manifest)->handler == AppHandlerKind::Http) handler = remote;
    const std::string name = (*manifest)->name;
    if (!host->apps_.emplace(name, Hosted{*std::move(manifest), std::move(handler)}).second)
      return fail(ErrorCode::InvalidInput, fmt::format("{}: there is another app '{}'", path, name));
  }
  return host;
}

json::object AppHost::state(const std::string& app, const std::string& app_state) const {
  const auto hosted = apps_.find(app);
  if (hosted == apps_.end()) return {};
  return log_of(logs_of(app_state), app).state(hosted->second.handler->apply());
}

// What nobody has used for as long as its app lives is forgotten.
void AppHost::forget_old(json::object& logs) const {
  for (const auto& [name, hosted] : apps_) {
    const AppLog log = log_of(logs, name);
    if (log.touched != 0 &&
        WallTime(std::chrono::seconds(log.touched)) + hosted.manifest->lifetime <= clock_->wall())
      logs.erase(name);
  }
}

std::optional<AppTurn> AppHost::run(const Decision& decision, const Request& request,
                                    const std::string& call_id, bool wants_view) const {
  const auto hosted = apps_.find(decision.target.name);
  if (hosted == apps_.end()) return std::nullopt;
  const AppManifest& app = *hosted->second.manifest;
  json::object logs = logs_of(request.app_state);
  forget_old(logs);
  AppLog log = log_of(logs, app.name);
  AppTurn turn = AppRun(app, *hosted->second.handler, decision, request, call_id, log).run(wants_view);
  turn.app_state = request.app_state;
  if (!turn.error.empty()) return turn;
  log.touched = clock_->wall().time_since_epoch() / std::chrono::seconds(1);
  if (turn.is_dropped)
    logs.erase(app.name);
  else
    logs[app.name] = log.to_json();
  turn.app_state = json_text(logs);
  return turn;
}

}  // namespace signalbox
