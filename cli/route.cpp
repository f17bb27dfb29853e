// signalbox route TEXT | --batch

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include "cli/command.h"
#include "cli/sessions_option.h"
#include "cli/terminal.h"
#include "pipeline/fleet.h"
#include "wire/decision_json.h"
#include "wire/json_text.h"
#include "wire/request_json.h"

namespace signalbox {
namespace {

struct RouteOptions {
  std::vector<std::string> words;
  std::string profile = "assistant";
  std::string batch;
  std::string request;
  std::vector<std::string> disabled;
  std::string declared;
  std::string active_app;
  std::string session;
  SessionsOption sessions;
  bool json = false;
  bool explain = false;
  bool is_batch = false;
  bool no_cache = false;
};

// Opens each profile once, however many lines name it.
class Routers {
 public:
  Routers(std::vector<std::string> disabled, std::shared_ptr<SessionStore> sessions, bool with_cache)
      : disabled_(std::move(disabled)), sessions_(std::move(sessions)), with_cache_(with_cache) {}

  Result<const Router*> get(const std::string& name) {
    if (const auto known = routers_.find(name); known != routers_.end()) return known->second.get();
    auto path = find_profile(name);
    if (!path) return tl::unexpected(path.error());
    RouterOptions options;
    options.disabled_steps = disabled_;
    options.sessions = sessions_;
    auto router = open_router(*path, std::move(options), {.with_cache = with_cache_});
    if (!router) return tl::unexpected(router.error());
    return (routers_[name] = *std::move(router)).get();
  }

 private:
  std::vector<std::string> disabled_;
  std::shared_ptr<SessionStore> sessions_;
  bool with_cache_;
  std::map<std::string, std::unique_ptr<Router>> routers_;
};

Result<Decision> route_object(const boost::json::object& object, const RouteOptions& options,
                              Routers& routers) {
  static constexpr std::array<std::string_view, 2> kAlso{"id", "expected"};
  auto request = request_from_json(object, kAlso);
  if (!request) return tl::unexpected(request.error());
  auto router = routers.get(request->profile.empty() ? options.profile : request->profile);
  if (!router) return tl::unexpected(router.error());
  return (*router)->route(*request);
}

// The line's decision, or an error object with the line's number; `id` comes back with either.
boost::json::object route_line(const std::string& line, std::size_t number, const RouteOptions& options,
                               Routers& routers, bool& is_good) {
  const auto object = parse_json_object(line);
  const Result<Decision> decision = object ? route_object(*object, options, routers)
                                           : Result<Decision>(tl::unexpected(object.error()));
  is_good = decision.has_value();
  boost::json::object out = is_good ? decision_to_json(*decision) : error_to_json(decision.error());
  if (object && object->contains("id")) out["id"] = object->at("id");
  if (!is_good) out["line"] = number;
  return out;
}

int run_batch(const RouteOptions& options) {
  std::ifstream file;
  std::error_code ec;
  if (options.batch != "-") file.open(options.batch);
  std::istream& in = options.batch == "-" ? std::cin : file;
  if (!in || std::filesystem::is_directory(options.batch, ec)) {
    fmt::print(stderr, "signalbox route: cannot read '{}'\n", options.batch);
    return kExitUsage;
  }
  std::ios::sync_with_stdio(false);
  auto sessions = open_sessions_option(options.sessions, "memory");
  if (!sessions) {
    fmt::print(stderr, "signalbox route: {}\n", sessions.error().message);
    return kExitUsage;
  }
  Routers routers(options.disabled, *sessions, !options.no_cache);
  if (auto router = routers.get(options.profile); !router) {
    fmt::print(stderr, "{}\n", router.error().message);
    return kExitUsage;
  }
  const bool shows_progress = isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) != 1;
  std::size_t number = 0;
  std::size_t failed = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    bool is_good = false;
    std::cout << json_text(route_line(line, number, options, routers, is_good)) << '\n';
    if (!is_good) ++failed;
    if (shows_progress && number % 5000 == 0) fmt::print(stderr, "\r{} lines", number);
  }
  std::cout.flush();
  if (shows_progress) fmt::print(stderr, "\r{} lines, {} failed\n", number, failed);
  if (!std::cout) {
    fmt::print(stderr, "signalbox route: cannot write the decisions\n");
    return kExitFailed;
  }
  return failed == 0 ? 0 : kExitFailed;
}

Result<Request> single_request(const RouteOptions& options) {
  Request request;
  if (!options.request.empty()) {
    auto object = parse_json_object(options.request);
    if (!object) return tl::unexpected(object.error());
    if (!object->contains("query")) (*object)["query"] = "";
    auto read = request_from_json(*object);
    if (!read) return read;
    request = *std::move(read);
  }
  if (!options.words.empty()) request.query = fmt::format("{}", fmt::join(options.words, " "));
  if (!options.declared.empty()) request.route = options.declared;
  if (!options.active_app.empty()) request.active_app = options.active_app;
  if (!options.session.empty()) request.session_id = options.session;
  return request;
}

int run_single(const RouteOptions& options) {
  const auto complain = [&](const Error& error) {
    if (options.json)
      fmt::print("{}\n", json_text(error_to_json(error)));
    else
      fmt::print(stderr, "{}\n", error.message);
    return kExitUsage;
  };
  auto request = single_request(options);
  if (!request) return complain(request.error());
  auto sessions = open_sessions_option(options.sessions, "");
  if (!sessions) return complain(sessions.error());
  Routers routers(options.disabled, *sessions, false);  // one message has nothing to remember
  auto router = routers.get(request->profile.empty() ? options.profile : request->profile);
  if (!router) return complain(router.error());
  auto decision = (*router)->route(*request);
  if (!decision) return complain(decision.error());
  if (options.json)
    fmt::print("{}\n", json_text(decision_to_json(*decision)));
  else
    fmt::print("{}", describe(*decision, terminal_style(), options.explain));
  return 0;
}

}  // namespace

void add_route_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RouteOptions>();
  CLI::App* command = app.add_subcommand("route", "Decide where a message goes, and say why");
  command->add_option("text", options->words, "The message");
  command->add_option("-p,--profile", options->profile, "A shipped profile's name, or a path")
      ->capture_default_str();
  auto* batch =
      command
          ->add_option(
              "--batch", options->batch,
              "JSONL in, JSONL out, in order: one request a line; a file, or - for standard input")
          ->expected(0, 1)
          ->default_str("-");
  command->add_option("--request", options->request,
                      "The whole request as a JSON object; the text replaces its query");
  command->add_option("--route", options->declared, "Declare the route as a caller would");
  command->add_option("--active-app", options->active_app, "The app that is active");
  command->add_option("--session", options->session, "Session id");
  add_sessions_option(*command, options->sessions, "memory, for the lines of a batch");
  command->add_option("--disable", options->disabled, "Switch steps off by name: a,b")
      ->delimiter(',')
      ->allow_extra_args(false);  // what follows is the message
  command->add_flag("--no-cache", options->no_cache, "With --batch: decide every message anew");
  command->add_flag("--json", options->json, "Print the decision as JSON and nothing else");
  command->add_flag("--explain", options->explain, "Show steps, signals and evidence too");
  command->callback([options, batch, &exit_code] {
    if (batch->count() > 0) {
      if (options->batch.empty()) options->batch = "-";
      exit_code = run_batch(*options);
      return;
    }
    if (options->words.empty() && options->request.empty()) {
      fmt::print(stderr, "signalbox route: give a message, --request or --batch; --help tells more\n");
      exit_code = kExitUsage;
      return;
    }
    exit_code = run_single(*options);
  });
}

}  // namespace signalbox
