#include "app/app_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/http_app.h"
#include "app/interpret.h"
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

std::string say(const AppManifest& app, const std::string& key, const std::string& language) {
  return app.text(key, language);
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

std::optional<AppTurn> AppHost::run(const Decision& decision, const Request& request,
                                    const std::string& call_id, bool wants_view) const {
  const auto hosted = apps_.find(decision.target.name);
  if (hosted == apps_.end()) return std::nullopt;
  const auto& [manifest, handler] = hosted->second;
  const AppManifest& app = *manifest;
  json::object logs = logs_of(request.app_state);
  AppLog log = log_of(logs, app.name);
  AppTurn turn;
  turn.active_app = app.name;
  turn.app_state = request.app_state;
  const std::string& language = decision.language;

  const bool is_new = request.active_app != app.name;
  std::optional<Interpretation> meant = interpret(app, decision.resolved_query, wants_view);
  if (is_new && (!meant || meant->call.action != "start")) {
    // A trigger opens the app; what else it says is done in the same breath where it is understood.
    if (!meant) meant = Interpretation{};
    if (log.is_empty() || !meant->call.action.empty()) meant->call.action = "start";
    meant->missing.clear();
  }
  if (!meant) {
    turn.text = say(app, "not_understood", language);
    return turn;
  }
  AppCall& call = meant->call;
  call.id = call_id;
  call.text = decision.resolved_query;
  call.language = language;
  call.shown = request.results;
  if (call.action == "help") {
    turn.text = say(app, "help", language);
    return turn;
  }
  if (!meant->missing.empty()) {
    turn.text = say(app, "missing_" + meant->missing.front(), language);
    turn.ask = Ask{"fill", turn.text, {}};
    return turn;
  }
  if (call.action == "cancel" || call.action == "done") {
    turn.active_app.clear();
    turn.text = say(app, call.action, language);
    if (call.action == "cancel") logs.erase(app.name);
    turn.app_state = json_text(logs);
    return turn;
  }
  if (call.action == "undo") {
    turn.text = say(app, log.undo(call_id) ? "undone" : "nothing_to_undo", language);
  } else {
    if (call.action == "start") log = AppLog{};
    auto reply = handler->handle(app, call, log.state(handler->apply()));
    if (!reply) {
      turn.error = reply.error().message;
      turn.text = say(app, "handler_down", language);
      turn.active_app = request.active_app;
      return turn;
    }
    log.add(call_id, std::move(reply->events), handler->apply());
    turn.text = std::move(reply->text);
    turn.list = std::move(reply->list);
    turn.ask = std::move(reply->ask);
    if (reply->is_finished) turn.active_app.clear();
  }
  logs[app.name] = log.to_json();
  turn.app_state = json_text(logs);
  return turn;
}

}  // namespace signalbox
