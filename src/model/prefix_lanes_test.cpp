#include "model/prefix_lanes.h"

#include <gtest/gtest.h>

#include <numeric>

namespace signalbox {
namespace {

constexpr std::size_t kChunk = 8;

// `shared` tokens that all prompts begin with, then `own` that belong to this one.
std::vector<TokenId> prompt_of(std::size_t shared, TokenId who, std::size_t own) {
  std::vector<TokenId> tokens(shared + own);
  std::iota(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(shared), 0);
  std::fill(tokens.begin() + static_cast<std::ptrdiff_t>(shared), tokens.end(), who);
  return tokens;
}

int run(PrefixLanes& lanes, const std::vector<TokenId>& prompt, std::size_t* shared) {
  const auto place = lanes.find(prompt);
  *shared = place.shared;
  lanes.keep(place.lane, prompt, prompt.size());
  return place.lane;
}

TEST(PrefixLanesTest, FirstPromptSharesNothingAndTheSecondWholeChunks) {
  PrefixLanes lanes(2, kChunk);
  std::size_t shared = 9;
  run(lanes, prompt_of(30, 100, 5), &shared);
  EXPECT_EQ(shared, 0U);
  run(lanes, prompt_of(30, 200, 5), &shared);
  EXPECT_EQ(shared, 24U);
}

TEST(PrefixLanesTest, TheLastTokenIsAlwaysComputed) {
  PrefixLanes lanes(1, kChunk);
  std::size_t shared = 0;
  run(lanes, prompt_of(32, 0, 0), &shared);
  run(lanes, prompt_of(32, 0, 0), &shared);
  EXPECT_EQ(shared, 24U);
}

TEST(PrefixLanesTest, PromptsThatAlternateKeepALaneEach) {
  PrefixLanes lanes(3, kChunk);
  std::size_t shared = 0;
  const auto first = prompt_of(8, 100, 40);
  const auto second = prompt_of(8, 200, 40);
  const int lane_of_first = run(lanes, first, &shared);
  const int lane_of_second = run(lanes, second, &shared);
  EXPECT_NE(lane_of_first, lane_of_second);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run(lanes, first, &shared), lane_of_first);
    EXPECT_EQ(shared, 40U);
    EXPECT_EQ(run(lanes, second, &shared), lane_of_second);
    EXPECT_EQ(shared, 40U);
  }
}

TEST(PrefixLanesTest, OnlyTheOldestLaneIsReplaced) {
  PrefixLanes lanes(2, kChunk);
  std::size_t shared = 0;
  run(lanes, prompt_of(0, 1, 20), &shared);
  run(lanes, prompt_of(0, 2, 20), &shared);
  run(lanes, prompt_of(0, 1, 20), &shared);
  run(lanes, prompt_of(0, 3, 20), &shared);
  EXPECT_EQ(shared, 0U);
  run(lanes, prompt_of(0, 1, 20), &shared);
  EXPECT_EQ(shared, 16U);
}

TEST(PrefixLanesTest, WhatWasNotComputedIsNotKept) {
  PrefixLanes lanes(1, kChunk);
  const auto prompt = prompt_of(40, 0, 0);
  lanes.keep(0, prompt, 19);
  EXPECT_EQ(lanes.kept(0), 16U);
  EXPECT_EQ(lanes.find(prompt).shared, 16U);
  lanes.forget(0);
  EXPECT_EQ(lanes.find(prompt).shared, 0U);
}

TEST(PrefixLanesTest, AnEmptyPromptSharesNothing) {
  PrefixLanes lanes(1, kChunk);
  EXPECT_EQ(lanes.find({}).shared, 0U);
}

}  // namespace
}  // namespace signalbox
