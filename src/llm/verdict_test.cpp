#include "llm/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace signalbox {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Heard says(std::string name, std::string route, double confidence) {
  Heard out;
  out.name = std::move(name);
  out.answer = ClassifierAnswer{std::move(route), confidence, out.name + "'s reason", {}, {}, {}};
  out.ask.calls = 1;
  return out;
}

Heard fails(std::string name, AskFailure failure, std::string why) {
  Heard out;
  out.name = std::move(name);
  out.ask.failure = failure;
  out.ask.why = std::move(why);
  out.ask.calls = 2;
  return out;
}

TEST(VerdictOfOne, AnAnswerOrTheSignalOfItsFailure) {
  const Classification good = verdict_of_one(says("LLM", "A", 0.7));
  EXPECT_EQ(good.answer->route, "A");
  EXPECT_THAT(good.signals, IsEmpty());
  EXPECT_THAT(good.notes, ElementsAre("LLM A 0.70 (tool)"));
  const Classification late = verdict_of_one(fails("LLM", AskFailure::Timeout, "no answer in time"));
  EXPECT_THAT(late.signals, ElementsAre("llm_unavailable", "llm_timeout"));
  EXPECT_THAT(late.notes, ElementsAre("LLM failed: no answer in time"));
  EXPECT_THAT(verdict_of_one(fails("LLM", AskFailure::Unparsable, "x")).signals,
              ElementsAre("llm_unparsable"));
  EXPECT_THAT(verdict_of_one(fails("LLM", AskFailure::Unavailable, "x")).signals,
              ElementsAre("llm_unavailable"));
}

TEST(Votes, TheMajoritySpeaksWithOneVoice) {
  std::vector<Heard> voices{says("a", "X", 0.5), says("b", "Y", 0.9), says("c", "X", 1.0)};
  voices[0].answer->tables = {"t"};
  voices[1].answer->tables = {"not this"};
  voices[2].answer->tables = {"t", "u"};
  const VoteResult out = count_votes(voices);
  EXPECT_EQ(out.verdict.answer->route, "X");
  EXPECT_EQ(out.verdict.answer->confidence, 0.75);
  EXPECT_EQ(out.verdict.answer->reason, "a's reason");
  EXPECT_THAT(out.verdict.answer->tables, ElementsAre("t", "u"));
  EXPECT_THAT(out.verdict.signals, ElementsAre("ensemble_majority", "secondary:Y"));
  EXPECT_TRUE(out.verdict.is_by_ensemble);
  EXPECT_EQ(out.verdict.calls, 3);
}

TEST(Votes, WhatCameAfterTheSettlingVoteIsAsIfItHadNotCome) {
  const std::vector<Heard> full{says("a", "X", 0.5), says("b", "X", 0.7), says("c", "Y", 0.9)};
  const std::vector<Heard> cut{says("a", "X", 0.5), says("b", "X", 0.7),
                               fails("c", AskFailure::Cancelled, "stopped")};
  const VoteResult one = count_votes(full);
  const VoteResult other = count_votes(cut);
  EXPECT_EQ(one.verdict.answer->confidence, other.verdict.answer->confidence);
  EXPECT_EQ(one.verdict.signals, other.verdict.signals);
  EXPECT_EQ(one.verdict.notes, other.verdict.notes);
  EXPECT_THAT(one.verdict.notes, ElementsAre("a X 0.50 (tool)", "b X 0.70 (tool)", "1 not needed"));
}

TEST(Votes, AVoiceAloneIsNoEnsemble) {
  const VoteResult out =
      count_votes(std::vector<Heard>{fails("a", AskFailure::Unavailable, "down"), says("b", "X", 0.7),
                                     fails("c", AskFailure::Timeout, "no answer in time")});
  EXPECT_EQ(out.verdict.answer->route, "X");
  EXPECT_FALSE(out.verdict.is_by_ensemble);
  EXPECT_THAT(out.verdict.signals, IsEmpty());
  EXPECT_THAT(out.verdict.notes, ElementsAre("a failed: unavailable: down", "b X 0.70 (tool)",
                                             "c failed: no answer in time"));
}

TEST(Votes, WhenAllFailEveryKindOfFailureIsASignal) {
  const VoteResult out = count_votes(std::vector<Heard>{fails("a", AskFailure::Unparsable, "x"),
                                                        fails("b", AskFailure::Timeout, "x"),
                                                        fails("c", AskFailure::Unparsable, "x")});
  EXPECT_FALSE(out.verdict.answer);
  EXPECT_TRUE(out.tied.empty());
  EXPECT_THAT(out.verdict.signals, ElementsAre("llm_unparsable", "llm_unavailable", "llm_timeout"));
  EXPECT_EQ(out.verdict.notes.back(), "LLM failed: no voice is left");
}

TEST(Votes, ATieIsSettledByTheScoreOrSharedWithoutOne) {
  const std::vector<Heard> voices{says("a", "X", 0.6), says("b", "Y", 0.9),
                                  fails("c", AskFailure::Unparsable, "x")};
  VoteResult scored = count_votes(voices);
  EXPECT_FALSE(scored.verdict.answer);
  EXPECT_THAT(scored.tied, ElementsAre("X", "Y"));
  settle_tie(scored, voices, "X", 0.8);
  EXPECT_EQ(scored.verdict.answer->confidence, 0.8);
  EXPECT_THAT(scored.verdict.signals, ElementsAre("ensemble_scorer", "secondary:Y"));

  VoteResult open = count_votes(voices);
  EXPECT_EQ(surest_of(open.tied, voices), "Y");
  settle_tie(open, voices, "Y", std::nullopt);
  EXPECT_EQ(open.verdict.answer->route, "Y");
  EXPECT_EQ(open.verdict.answer->confidence, 0.45);
  EXPECT_THAT(open.verdict.signals, ElementsAre("secondary:X"));
}

TEST(Votes, EquallySureRoutesOfATieKeepTheirOrder) {
  const std::vector<Heard> voices{says("a", "X", 0.6), says("b", "Y", 0.6)};
  EXPECT_EQ(surest_of(count_votes(voices).tied, voices), "X");
}

TEST(Samples, AgreementIsTheConfidence) {
  const Classification out = verdict_of_samples(
      std::vector<Heard>{says("sample 1", "X", 0.1), says("sample 2", "Y", 1), says("sample 3", "Y", 1),
                         fails("sample 4", AskFailure::Timeout, "x")});
  EXPECT_EQ(out.answer->route, "Y");
  EXPECT_EQ(out.answer->confidence, 0.5);
  EXPECT_FALSE(out.is_by_ensemble);
  EXPECT_THAT(out.signals, IsEmpty());
  EXPECT_EQ(out.notes.back(), "2 of 4 samples agree");
  EXPECT_EQ(out.calls, 5);
}

TEST(Samples, OfEqualRoutesTheFirstWinsAndNoneIsAFailure) {
  EXPECT_EQ(
      verdict_of_samples(std::vector<Heard>{says("1", "X", 0.1), says("2", "Y", 1)}).answer->route,
      "X");
  const Classification none =
      verdict_of_samples(std::vector<Heard>{fails("1", AskFailure::Unavailable, "down")});
  EXPECT_FALSE(none.answer);
  EXPECT_THAT(none.signals, ElementsAre("llm_unavailable"));
}

}  // namespace
}  // namespace signalbox
