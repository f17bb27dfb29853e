#include "llm/verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "llm/tally.h"

namespace signalbox {
namespace {

constexpr const char* kNoneHeard = "LLM failed: no voice is left";

void add_once(std::vector<std::string>& into, const std::string& item) {
  if (std::find(into.begin(), into.end(), item) == into.end()) into.push_back(item);
}

void add_failure(const AskOutcome& ask, std::vector<std::string>& signals) {
  switch (ask.failure) {
    case AskFailure::Unparsable:
      return add_once(signals, "llm_unparsable");
    case AskFailure::Timeout:
      add_once(signals, "llm_unavailable");
      return add_once(signals, "llm_timeout");
    case AskFailure::Unavailable:
      return add_once(signals, "llm_unavailable");
    case AskFailure::Cancelled:
    case AskFailure::None:
      return;
  }
}

std::string said(const Heard& voice) {
  if (!voice.answer) return fmt::format("{} failed: {}", voice.name, failure_text(voice.ask));
  return fmt::format("{} {} {:.2f} ({})", voice.name, voice.answer->route, voice.answer->confidence,
                     rung_name(voice.ask.rung));
}

// The answers for one route taken together: mean confidence, first reason, all they name.
ClassifierAnswer merged(std::span<const Heard> voices, const std::string& route) {
  ClassifierAnswer out;
  int agreeing = 0;
  double sum = 0;
  for (const Heard& voice : voices) {
    if (!voice.answer || voice.answer->route != route) continue;
    if (agreeing++ == 0) out.reason = voice.answer->reason;
    sum += voice.answer->confidence;
    for (const std::string& item : voice.answer->tables) add_once(out.tables, item);
    for (const std::string& item : voice.answer->columns) add_once(out.columns, item);
    for (const std::string& item : voice.answer->signals) add_once(out.signals, item);
  }
  out.route = route;
  out.confidence = agreeing == 0 ? 0 : sum / agreeing;
  return out;
}

std::size_t votes_for(std::span<const Heard> voices, const std::string& route) {
  return static_cast<std::size_t>(std::count_if(voices.begin(), voices.end(), [&](const Heard& voice) {
    return voice.answer && voice.answer->route == route;
  }));
}

std::size_t answered(std::span<const Heard> voices) {
  return static_cast<std::size_t>(std::count_if(
      voices.begin(), voices.end(), [](const Heard& voice) { return voice.answer.has_value(); }));
}

Tally tally_of(std::span<const Heard> voices) {
  std::vector<Vote> votes;
  for (const Heard& voice : voices) votes.emplace_back(voice.answer ? voice.answer->route : "");
  return tally(votes);
}

}  // namespace

std::string failure_text(const AskOutcome& ask) {
  if (ask.failure == AskFailure::Unparsable) return "unparsable: " + ask.why;
  if (ask.failure == AskFailure::Unavailable) return "unavailable: " + ask.why;
  return ask.why;
}

Classification verdict_of_one(const Heard& voice) {
  Classification out;
  out.answer = voice.answer;
  out.calls = voice.ask.calls;
  out.notes.push_back(said(voice));
  add_failure(voice.ask, out.signals);
  return out;
}

Classification verdict_of_samples(std::span<const Heard> samples) {
  Classification out;
  std::string best;
  for (const Heard& sample : samples) {
    out.calls += sample.ask.calls;
    out.notes.push_back(said(sample));
    if (!sample.answer) {
      add_failure(sample.ask, out.signals);
    } else if (votes_for(samples, sample.answer->route) > votes_for(samples, best)) {
      best = sample.answer->route;
    }
  }
  if (best.empty()) {
    out.notes.emplace_back(kNoneHeard);
    return out;
  }
  const std::size_t votes = votes_for(samples, best);
  out.signals.clear();  // an answer came
  out.answer = merged(samples, best);
  out.answer->confidence = static_cast<double>(votes) / static_cast<double>(samples.size());
  out.notes.push_back(fmt::format("{} of {} samples agree", votes, samples.size()));
  return out;
}

VoteResult count_votes(std::span<const Heard> voices) {
  VoteResult out;
  Classification& verdict = out.verdict;
  for (const Heard& voice : voices) verdict.calls += voice.ask.calls;
  const Tally tally = tally_of(voices);
  const auto counted = voices.first(tally.counted);
  for (const Heard& voice : counted) {
    verdict.notes.push_back(said(voice));
    if (tally.leaders.empty()) add_failure(voice.ask, verdict.signals);
  }
  if (counted.size() < voices.size())
    verdict.notes.push_back(fmt::format("{} not needed", voices.size() - counted.size()));
  if (tally.leaders.empty()) verdict.notes.emplace_back(kNoneHeard);
  verdict.is_by_ensemble = answered(counted) > 1;
  if (tally.leaders.size() > 1) {
    out.tied = tally.leaders;
  } else if (!tally.leaders.empty()) {
    verdict.answer = merged(counted, tally.leaders.front());
    if (votes_for(counted, tally.leaders.front()) > 1) verdict.signals.push_back("ensemble_majority");
  }
  for (const std::string& route : tally.others) verdict.signals.push_back("secondary:" + route);
  return out;
}

void settle_tie(VoteResult& result, std::span<const Heard> voices, const std::string& winner,
                std::optional<double> score) {
  Classification& verdict = result.verdict;
  verdict.answer = merged(voices, winner);
  if (score) {
    verdict.answer->confidence = *score;
    verdict.signals.insert(verdict.signals.begin(), "ensemble_scorer");
  } else {
    verdict.answer->confidence /= static_cast<double>(result.tied.size());
  }
  for (const std::string& route : result.tied) {
    if (route != winner) verdict.signals.push_back("secondary:" + route);
  }
}

std::string surest_of(std::span<const std::string> tied, std::span<const Heard> voices) {
  std::string best;
  double most = -1;
  for (const std::string& route : tied) {
    const double confidence = merged(voices, route).confidence;
    if (confidence > most) most = confidence, best = route;
  }
  return best;
}

}  // namespace signalbox
