// signalbox chat: a prompt that routes what one types, and shows why.

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "cli/command.h"
#include "cli/terminal.h"
#include "llm/slots.h"
#include "pipeline/fleet.h"

namespace signalbox {
namespace {

struct ChatOptions {
  std::string profile = "assistant";
  bool samples = false;
  bool explain = false;
  bool no_cache = false;
};

// One message a profile: the first examples of different routes, so that a newcomer sees it work.
int show_samples(const Style& style) {
  auto routers = open_routers(shipped_profiles());
  if (!routers) {
    fmt::print(stderr, "{}\n", routers.error().message);
    return kExitUsage;
  }
  for (const std::unique_ptr<Router>& router : *routers) {
    const Profile& profile = router->profile();
    fmt::print("{}  {}\n", style.bold(profile.name),
               style.dim(wrapped(profile.description, display_width(profile.name) + 2, style.columns)));
    std::size_t shown = 0;
    for (const Route& route : profile.routes) {
      if (shown == 2) break;
      for (const RouteExample& example : profile.classifier.few_shots) {
        if (example.route != route.name) continue;
        Request request;
        request.query = example.text;
        if (!profile.apps.empty()) request.active_app = profile.apps.front().name;
        auto decision = router->route(request);
        if (!decision) break;
        fmt::print("{} {}\n{}", style.dim(">"), wrapped(example.text, 2, style.columns),
                   describe(*decision, style, false));
        ++shown;
        break;
      }
    }
    fmt::print("\n");
  }
  return 0;
}

void show_help() {
  fmt::print(
      "Type a message to route it. /profile NAME changes the profile, /explain shows\n"
      "the steps, /app NAME sets the active app (/app alone clears it), /quit ends.\n");
}

class Conversation {
 public:
  Conversation(ChatOptions options, Style style) : options_(std::move(options)), style_(style) {}

  bool open(const std::string& name) {
    auto path = find_profile(name);
    if (!path) {
      fmt::print(stderr, "{}\n", path.error().message);
      return false;
    }
    auto router = open_router(*path, {}, !options_.no_cache);
    if (!router) {
      fmt::print(stderr, "{}\n", router.error().message);
      return false;
    }
    router_ = *std::move(router);
    // The model loads while the first message is being typed.
    if (const auto slots = SlotClient::bind(router_->profile()); slots && *slots) (*slots)->warm_up();
    return true;
  }

  void run() {
    show_help();
    std::string line;
    while (prompt(), std::getline(std::cin, line)) {
      if (line == "/quit" || line == "/exit") break;
      if (line.empty()) continue;
      if (line.front() == '/')
        command(line);
      else
        route(line);
    }
    fmt::print("\n");
  }

 private:
  void prompt() {
    const std::string app = active_app_.empty() ? "" : fmt::format(" [{}]", active_app_);
    fmt::print("{}{} ", style_.bold(router_->profile().name + app), style_.dim(" >"));
    std::fflush(stdout);
  }

  void command(const std::string& line) {
    const std::size_t space = line.find(' ');
    const std::string name = line.substr(0, space);
    const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
    if (name == "/profile")
      open(rest);
    else if (name == "/app")
      active_app_ = rest;
    else if (name == "/explain")
      options_.explain = !options_.explain;
    else {
      if (name != "/help") fmt::print("there is no {}\n", printable(name));
      show_help();
    }
  }

  void route(const std::string& line) {
    Request request;
    request.query = line;
    request.active_app = active_app_;
    auto decision = router_->route(request);
    if (!decision) {
      fmt::print("{}\n", style_.bad(decision.error().message));
      return;
    }
    fmt::print("{}", describe(*decision, style_, options_.explain));
  }

  ChatOptions options_;
  Style style_;
  std::unique_ptr<Router> router_;
  std::string active_app_;
};

int run(const ChatOptions& options) {
  const Style style = terminal_style();
  if (options.samples) {
    if (const int failed = show_samples(style)) return failed;
    if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1) return 0;
  }
  Conversation conversation(options, style);
  if (!conversation.open(options.profile)) return kExitUsage;
  conversation.run();
  return 0;
}

}  // namespace

void add_chat_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ChatOptions>();
  CLI::App* command = app.add_subcommand("chat", "A prompt that routes what you type and shows why");
  command->add_option("-p,--profile", options->profile, "A shipped profile's name, or a path")
      ->capture_default_str();
  command->add_flag("--samples", options->samples,
                    "Route a few samples first; without a terminal, only those");
  command->add_flag("--explain", options->explain, "Show the steps of every decision");
  command->add_flag("--no-cache", options->no_cache, "Decide every message anew");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace signalbox
