// signalbox chat: a conversation that shows where each message goes, and why.

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <random>

#include "cli/command.h"
#include "cli/sessions_option.h"
#include "cli/terminal.h"
#include "context/session_id.h"
#include "context/session_turn.h"
#include "dispatch/open_answerer.h"
#include "llm/slots.h"
#include "pipeline/fleet.h"

namespace signalbox {
namespace {

struct ChatOptions {
  std::string profile = "assistant";
  bool samples = false;
  bool explain = false;
  std::string session;
  SessionsOption sessions;
  bool no_cache = false;
};

constexpr Duration kStoreBudget = std::chrono::seconds(2);

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
        request.active_app = profile.classifier.few_shots_app;
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
      "Type a message: it is routed, and answered where a model is configured. /say TEXT\n"
      "reports what was answered elsewhere, /profile NAME changes the profile, /explain\n"
      "shows the steps, /app NAME sets the active app (/app alone clears it), /history\n"
      "shows the conversation, /new begins another one, /quit ends.\n");
}

// What a model says may hold escape sequences; its line ends are kept.
void print_text(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    fmt::print("{}{}", printable(text.substr(at, end - at)), end < text.size() ? "\n" : "");
    at = end + 1;
  }
}

class Conversation {
 public:
  Conversation(ChatOptions options, Style style, std::shared_ptr<SessionStore> sessions)
      : options_(std::move(options)), style_(style), sessions_(std::move(sessions)) {
    if (options_.session.empty()) begin_anew();
  }

  bool open(const std::string& name) {
    auto path = find_profile(name);
    if (!path) {
      fmt::print(stderr, "{}\n", path.error().message);
      return false;
    }
    RouterOptions parts;
    parts.sessions = sessions_;
    auto router = open_router(*path, std::move(parts), {.with_cache = !options_.no_cache});
    if (!router) {
      fmt::print(stderr, "{}\n", router.error().message);
      return false;
    }
    answerer_.reset();
    router_ = *std::move(router);
    // The model loads while the first message is being typed.
    if (const auto slots = SlotClient::bind(router_->profile()); slots && *slots) (*slots)->warm_up();
    auto answerer = open_answerer(*router_);
    if (!answerer) {
      fmt::print(stderr, "{}\n", answerer.error().message);
      return false;
    }
    answerer_ = *std::move(answerer);
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
        converse(line);
    }
    fmt::print("\n");
  }

 private:
  std::optional<Session> session() const {
    auto found = sessions_->load(options_.session, kStoreBudget);
    return found ? *std::move(found) : std::nullopt;
  }

  void prompt() {
    const std::optional<Session> known = session();
    const std::string app =
        known && !known->active_app.empty() ? fmt::format(" [{}]", known->active_app) : "";
    fmt::print("{}{} ", style_.bold(router_->profile().name + printable(app)), style_.dim(" >"));
    std::fflush(stdout);
  }

  void begin_anew() {
    std::random_device random;
    options_.session = fmt::format("chat-{:08x}{:08x}", random(), random());
  }

  template <typename T>
  void complain(const Result<T>& done) const {
    if (!done) fmt::print("{}\n", style_.bad(done.error().message));
  }

  void command(const std::string& line) {
    const std::size_t space = line.find(' ');
    const std::string name = line.substr(0, space);
    const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
    if (name == "/profile")
      open(rest);
    else if (name == "/app")
      complain(update_session(*sessions_, options_.session, clock_, kStoreBudget, [&](Session& kept) {
        kept.active_app = rest;
        kept.touched = clock_.wall();
      }));
    else if (name == "/say")
      complain(
          report_answer(*sessions_, options_.session, {"assistant", rest, {}}, clock_, kStoreBudget));
    else if (name == "/history")
      show_history();
    else if (name == "/new")
      begin_anew();
    else if (name == "/explain")
      options_.explain = !options_.explain;
    else {
      if (name != "/help") fmt::print("there is no {}\n", printable(name));
      show_help();
    }
  }

  void show_history() const {
    const std::optional<Session> known = session();
    if (!known || known->messages.empty()) {
      fmt::print("{}\n", style_.dim("nothing yet"));
      return;
    }
    for (const Message& message : known->messages)
      fmt::print("{} {}\n", style_.dim(message.role + ":"), printable(message.content));
  }

  void converse(const std::string& line) {
    Request request;
    request.query = line;
    request.session_id = options_.session;
    auto prepared = answerer_->prepare(request);
    if (!prepared) return complain(prepared);
    fmt::print("{}", describe(prepared->decision, style_, options_.explain));
    if (prepared->decision.ask) {  // shown already, but for what stands before it
      const std::string& asked = prepared->decision.ask->text;
      if (prepared->text.size() > asked.size() && prepared->text.ends_with(asked)) {
        print_text(std::string_view(prepared->text).substr(0, prepared->text.size() - asked.size()));
        fmt::print("\n");
      }
      answerer_->generate(*prepared, {});
      return;
    }
    if (prepared->is_notice) {
      const bool is_known = prepared->lacks_model && std::exchange(is_noticed_, true);
      fmt::print("{}\n", style_.dim(is_known ? "No model is configured." : prepared->text));
      return;
    }
    auto answer = answerer_->generate(*prepared, answerer_->question(request, *prepared),
                                      [](std::string_view piece) {
                                        print_text(piece);
                                        std::fflush(stdout);
                                        return true;
                                      });
    fmt::print("\n");
    complain(answer);
  }

  ChatOptions options_;
  Style style_;
  std::shared_ptr<SessionStore> sessions_;
  SteadyClock clock_;
  std::unique_ptr<Router> router_;
  std::unique_ptr<Answerer> answerer_;
  bool is_noticed_ = false;  // that there is no model
};

int run(const ChatOptions& options) {
  const Style style = terminal_style();
  if (options.samples) {
    if (const int failed = show_samples(style)) return failed;
    if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1) return 0;
  }
  if (const std::string fault = session_id_fault(options.session); !fault.empty()) {
    fmt::print(stderr, "signalbox chat: {}\n", fault);
    return kExitUsage;
  }
  auto sessions = open_sessions_option(options.sessions, "memory");
  if (!sessions) {
    fmt::print(stderr, "signalbox chat: {}\n", sessions.error().message);
    return kExitUsage;
  }
  Conversation conversation(options, style, *sessions);
  if (!conversation.open(options.profile)) return kExitUsage;
  conversation.run();
  return 0;
}

}  // namespace

void add_chat_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ChatOptions>();
  CLI::App* command =
      app.add_subcommand("chat", "A conversation that shows where each message goes, and why");
  command->add_option("-p,--profile", options->profile, "A shipped profile's name, or a path")
      ->capture_default_str();
  command->add_flag("--samples", options->samples,
                    "Route a few samples first; without a terminal, only those");
  command->add_option("--session", options->session, "Go on with this session; default: a new one");
  add_sessions_option(*command, options->sessions, "memory");
  command->add_flag("--explain", options->explain, "Show the steps of every decision");
  command->add_flag("--no-cache", options->no_cache, "Decide every message anew");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace signalbox
