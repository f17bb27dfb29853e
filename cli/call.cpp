// signalbox call: which function a message calls, with which arguments.

#include <fmt/format.h>

#include <boost/json.hpp>
#include <iostream>

#include "call/open_caller.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "pipeline/fleet.h"
#include "wire/json_text.h"
#include "wire/request_json.h"

namespace signalbox {
namespace {

struct CallFlags {
  std::string text, functions, profile = "workspace", route, now;
  bool as_json = false;
  bool is_batch = false;
  bool is_list = false;
};

void print_outcome(const CallOutcome& outcome, const Style& style) {
  for (const FunctionCall& call : outcome.calls)
    fmt::print("{}{}\n", style.bold(call.function), printable(boost::json::serialize(call.arguments)));
  for (const FunctionCall& call : outcome.partial)
    fmt::print("{}{} {}\n", style.bold(call.function),
               printable(boost::json::serialize(call.arguments)), style.dim("incomplete"));
  if (outcome.ask) fmt::print("{}\n", printable(outcome.ask->text));
  for (std::size_t i = 0; outcome.ask && i < outcome.ask->options.size(); ++i)
    fmt::print("  {}. {}\n", i + 1, printable(outcome.ask->options[i]));
  fmt::print("{}\n", style.dim(printable(outcome.reason)));
}

void print_list(const FunctionRegistry& registry, bool as_json, const Style& style) {
  if (as_json) {
    fmt::print("{}\n", json_text(FunctionRegistry::tools_json(registry.allowed(nullptr, ""))));
    return;
  }
  for (const Function& function : registry.all())
    fmt::print("{}  {}  {}\n", style.bold(function.name), style.dim(risk_name(function.risk)),
               printable(function.description));
}

// A line of a batch: a message, or an object with `query` and perhaps `route`.
Result<CallQuestion> question_of(const std::string& line, const CallFlags& flags) {
  CallQuestion question{line, flags.route};
  if (line.empty() || line.front() != '{') return question;
  auto object = parse_json_object(line);
  if (!object) return tl::unexpected(object.error());
  auto request = request_from_json(*object);
  if (!request) return tl::unexpected(request.error());
  question.text = request->query;
  question.history = request->history;
  if (!request->route.empty()) question.route = request->route;
  return question;
}

class CallRun {
 public:
  CallRun(const CallFlags& flags, OpenedFunctions opened, const Profile* profile)
      : flags_(flags), opened_(std::move(opened)), profile_(profile) {}

  int one(const std::string& line) const {
    auto question = question_of(line, flags_);
    if (!question) {
      fmt::print(stderr, "call: {}\n", question.error().message);
      return kExitUsage;
    }
    question->profile = profile_;
    const Deadline deadline(opened_.caller->clock(), std::chrono::seconds(60));
    const CallOutcome outcome = opened_.caller->choose(*question, deadline);
    if (flags_.as_json || flags_.is_batch)
      fmt::print("{}\n", json_text(outcome_json(outcome)));
    else
      print_outcome(outcome, terminal_style());
    return 0;
  }

  int run() const {
    if (flags_.is_list) {
      print_list(opened_.caller->registry(), flags_.as_json, terminal_style());
      return 0;
    }
    if (!flags_.is_batch) return one(flags_.text);
    for (std::string line; std::getline(std::cin, line);) {
      if (const int failed = one(line)) return failed;
    }
    return 0;
  }

 private:
  const CallFlags& flags_;
  OpenedFunctions opened_;
  const Profile* profile_;
};

int run_call(const CallFlags& flags) {
  const auto complain = [](const Error& error) {
    fmt::print(stderr, "call: {}\n", error.message);
    return kExitUsage;
  };
  std::shared_ptr<const Profile> profile;
  FunctionsOptions options;
  if (flags.functions.empty()) {
    auto path = find_profile(flags.profile);
    if (!path) return complain(path.error());
    auto loaded = load_profile(*path);
    if (!loaded) return complain(loaded.error());
    profile = *std::move(loaded);
    if (profile->functions.empty())
      return complain({ErrorCode::InvalidInput, "the profile " + profile->name +
                                                    " has no functions; --functions FILE names some"});
    options.profile = profile.get();
  }
  if (!flags.now.empty()) {
    auto clock = clock_at(flags.now);
    if (!clock) return complain(clock.error());
    options.clock = *std::move(clock);
  }
  auto opened = open_functions(flags.functions.empty() ? profile->functions : flags.functions, options);
  if (!opened) return complain(opened.error());
  return CallRun(flags, *std::move(opened), profile.get()).run();
}

}  // namespace

void add_call_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<CallFlags>();
  CLI::App* command =
      app.add_subcommand("call", "Which function a message calls, with which arguments");
  CLI::Option* text = command->add_option("text", flags->text, "The message");
  command->add_option(
      "-f,--functions", flags->functions,
      "YAML or JSON: our own form, OpenAI tools, an OpenAPI 3 document; default: the profile's");
  command->add_option("-p,--profile", flags->profile, "Whose functions, where no file is named")
      ->capture_default_str();
  command->add_option("--route", flags->route, "The intent: only functions it allows");
  command->add_option("--now", flags->now, "The day that \"tomorrow\" is after: 2026-03-01");
  CLI::Option* batch =
      command->add_flag("--batch", flags->is_batch, "One message a line on stdin, one JSON a line out");
  CLI::Option* list = command->add_flag("--list", flags->is_list, "Show the functions instead");
  command->add_flag("--json", flags->as_json, "Print JSON");
  command->callback([=, &exit_code] {
    if (text->count() + batch->count() + list->count() != 1) {
      fmt::print(stderr, "call: give a message, --batch or --list\n");
      exit_code = kExitUsage;
      return;
    }
    exit_code = run_call(*flags);
  });
}

}  // namespace signalbox
