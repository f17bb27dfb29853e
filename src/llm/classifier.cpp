#include "llm/classifier.h"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>

#include "llm/tally.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxThreads = 64;

}  // namespace

// What the voices have said so far; outlives the caller while one of them still speaks.
struct Classifier::Ballot {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::optional<Heard>> heard;  // guarded by mutex
  std::stop_source stop;

  void put(std::size_t at, Heard one) {
    {
      const std::lock_guard lock(mutex);
      heard[at] = std::move(one);
    }
    changed.notify_all();
  }

  // With the lock held.
  bool is_settled(bool stops_early) const {
    std::vector<Vote> votes;
    bool is_complete = true;
    for (const auto& one : heard) {
      votes.push_back(one ? Vote(one->answer ? one->answer->route : "") : Vote());
      is_complete = is_complete && one;
    }
    return is_complete || (stops_early && tally(votes).is_settled);
  }
};

Classifier::Classifier(std::shared_ptr<const Profile> profile, std::shared_ptr<LlmClient> llm,
                       std::shared_ptr<const Clock> clock)
    : profile_(std::move(profile)),
      llm_(std::move(llm)),
      clock_(std::move(clock)),
      slot_(profile_->slots.contains("classifier") ? "classifier" : "main"),
      schema_(*profile_),
      base_{"LLM", {*profile_, profile_->classifier.prompt, profile_->classifier.few_shots}, 0, 0},
      pool_(kMaxThreads) {
  const ClassifierOptions& options = profile_->classifier;
  for (const PromptVariant& variant : options.variants) {
    if (!options.has_ensemble) break;
    voices_.push_back({variant.name, {*profile_, options.prompt, variant.few_shots}, 0, 0});
  }
  for (int seed = 1; options.samples > 1 && seed <= options.samples; ++seed) {
    voices_.push_back({fmt::format("sample {}", seed), base_.prompt, options.temperature,
                       static_cast<std::uint64_t>(seed)});
  }
  if (options.has_scorer && !options.scorer.empty())
    scorer_.emplace(*profile_, options.scorer, options.few_shots);
}

Question Classifier::question(const Voice& voice, const PromptInputs& inputs) const {
  Question out;
  out.request.slot = slot_;
  out.request.messages = voice.prompt.build(inputs);
  out.request.max_tokens = profile_->classifier.max_tokens;
  out.request.temperature = voice.temperature;
  out.request.seed = voice.seed;
  out.tool = {"route_message", profile_->description, schema_.for_request(inputs.request)};
  out.max_calls = profile_->classifier.max_calls;
  return out;
}

Question Classifier::scorer_question(const PromptInputs& inputs,
                                     std::span<const std::string> candidates) const {
  const std::string names = fmt::format("{}", fmt::join(candidates, ", "));
  PromptInputs with_candidates = inputs;
  with_candidates.candidates = names;
  Question out;
  out.request.slot = slot_;
  out.request.messages = scorer_->build(with_candidates);
  out.request.max_tokens = profile_->classifier.max_tokens;
  out.tool = {"score_routes", profile_->description, scores_schema(candidates)};
  out.max_calls = profile_->classifier.max_calls;
  return out;
}

std::vector<Question> Classifier::questions(const PromptInputs& inputs) const {
  std::vector<Question> out;
  for (const Voice& voice : voices_) out.push_back(question(voice, inputs));
  if (voices_.empty()) out.push_back(question(base_, inputs));
  std::vector<std::string> routes;
  for (const Route& route : profile_->routes) routes.push_back(route.name);
  if (scorer_) out.push_back(scorer_question(inputs, routes));
  return out;
}

Heard Classifier::ask(const std::string& name, const Question& question, const Deadline& deadline,
                      std::stop_token cancel) const {
  Heard out;
  out.name = name;
  out.ask = ask_for_object(*llm_, question, deadline, *clock_, memory_, std::move(cancel));
  if (!out.ask.object) return out;
  auto answer = read_classifier_answer(*profile_, *out.ask.object);
  if (answer) {
    out.answer = *std::move(answer);
  } else {
    out.ask.failure = AskFailure::Unparsable;
    out.ask.why = answer.error().message;
  }
  return out;
}

// The first voice speaks on the caller's thread: nothing is settled without it.
std::vector<Heard> Classifier::ask_all(const PromptInputs& inputs, const Deadline& deadline,
                                       bool stops_early) const {
  auto ballot = std::make_shared<Ballot>();
  ballot->heard.resize(voices_.size());
  for (std::size_t i = 1; i < voices_.size(); ++i) {
    const bool is_taken =
        pool_.submit([this, ballot, i, deadline, asked = question(voices_[i], inputs)] {
          ballot->put(i, ask(voices_[i].name, asked, deadline, ballot->stop.get_token()));
        });
    if (is_taken) continue;
    Heard refused;
    refused.name = voices_[i].name;
    refused.ask.failure = AskFailure::Unavailable;
    refused.ask.why = "too many calls at once";
    ballot->put(i, std::move(refused));
  }
  ballot->put(0, ask(voices_[0].name, question(voices_[0], inputs), deadline, {}));

  std::unique_lock lock(ballot->mutex);
  const auto is_settled = [&] { return ballot->is_settled(stops_early); };
  if (const Duration left = deadline.left(); left == Duration::max())
    ballot->changed.wait(lock, is_settled);
  else
    ballot->changed.wait_for(lock, left, is_settled);
  ballot->stop.request_stop();
  std::vector<Heard> out;
  for (std::size_t i = 0; i < voices_.size(); ++i) {
    if (ballot->heard[i]) {
      out.push_back(*ballot->heard[i]);
      continue;
    }
    Heard& silent = out.emplace_back();
    silent.name = voices_[i].name;
    silent.ask.failure = AskFailure::Timeout;
    silent.ask.why = "no answer in time";
    silent.ask.calls = 1;
  }
  return out;
}

// The tied route the scorer likes best, with its score; the failure goes to the notes.
std::optional<Alternative> Classifier::scored(const PromptInputs& inputs, const Deadline& deadline,
                                              std::span<const std::string> tied,
                                              Classification& verdict) const {
  if (!scorer_) {
    verdict.notes.emplace_back("a tie, and no scorer");
    return std::nullopt;
  }
  AskOutcome outcome = ask_for_object(*llm_, scorer_question(inputs, tied), deadline, *clock_, memory_);
  verdict.calls += outcome.calls;
  if (!outcome.object) {
    verdict.notes.push_back("scorer failed: " + failure_text(outcome));
    return std::nullopt;
  }
  const auto scores = read_scores(*profile_, *outcome.object, tied);
  if (!scores) {
    verdict.notes.push_back("scorer failed: unparsable: " + scores.error().message);
    return std::nullopt;
  }
  Alternative best;
  for (const std::string& route : tied) {
    if (best.route.empty() || scores->at(route) > best.confidence) best = {route, scores->at(route)};
  }
  verdict.notes.push_back(fmt::format("scorer {} {:.2f}", best.route, best.confidence));
  return best;
}

Classification Classifier::by_vote(const PromptInputs& inputs, const Deadline& deadline) const {
  const std::vector<Heard> voices = ask_all(inputs, deadline, true);
  VoteResult result = count_votes(voices);
  if (!result.tied.empty()) {
    if (const auto best = scored(inputs, deadline, result.tied, result.verdict))
      settle_tie(result, voices, best->route, best->confidence);
    else
      settle_tie(result, voices, surest_of(result.tied, voices), std::nullopt);
  }
  if (!profile_->classifier.secondary_hints) {
    std::erase_if(result.verdict.signals,
                  [](const std::string& signal) { return signal.starts_with("secondary:"); });
  }
  return std::move(result.verdict);
}

Classification Classifier::classify(const PromptInputs& inputs, const Deadline& deadline) const {
  if (voices_.empty()) return ask_once(inputs, deadline);
  Classification out = profile_->classifier.samples > 1
                           ? verdict_of_samples(ask_all(inputs, deadline, false))
                           : by_vote(inputs, deadline);
  if (out.answer)
    out.answer->confidence = profile_->classifier.calibration.apply(out.answer->confidence);
  return out;
}

Classification Classifier::ask_once(const PromptInputs& inputs, const Deadline& deadline) const {
  Classification out = verdict_of_one(ask(base_.name, question(base_, inputs), deadline, {}));
  if (out.answer)
    out.answer->confidence = profile_->classifier.calibration.apply(out.answer->confidence);
  return out;
}

}  // namespace signalbox
