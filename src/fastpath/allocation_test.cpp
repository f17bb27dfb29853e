// What stands in the headers: matching a message and asking every rule takes nothing from the heap.

#include <gtest/gtest.h>

#include "pipeline/compiled_profile.h"
#include "test/fakes/counted_heap.h"
#include "test/fakes/profiles.h"

namespace signalbox {
namespace {

TEST(Allocation, TheCounterCounts) {
  const std::uint64_t before = heap_allocations;
  const auto place = std::make_unique<int>(1);
  EXPECT_EQ(heap_allocations - before, 1U) << *place;
}

TEST(Allocation, AWarmMatcherTakesNothingFromTheHeap) {
  for (const char* name : {"assistant", "agents", "workspace", "knowledge", "miniapps"}) {
    SCOPED_TRACE(name);
    const auto compiled = compile_profile(shipped(name));
    ASSERT_TRUE(compiled);
    Request request;
    request.query =
        "please plan what I owe PROJ-100, cancela 20 % de tudo, 谢谢 and find \"the report.pdf\" for "
        "the team?";
    const Text text = *normalize(request.query);
    Findings findings;
    const Decision decision;
    const Facts facts{*compiled->profile, compiled->matcher, request, text, findings, decision};
    int holding = 0;
    const auto match = [&] {
      compiled->matcher.find(text, findings);
      for (const CompiledRule& rule : compiled->always_rules) holding += rule.when.holds(facts) ? 1 : 0;
      for (const CompiledRule& rule : compiled->fast_rules) holding += rule.when.holds(facts) ? 1 : 0;
    };
    match();  // regular expressions build their automata when first used
    const std::uint64_t before = heap_allocations;
    match();
    EXPECT_EQ(heap_allocations - before, 0U);
    EXPECT_GT(findings.phrases.count, 0U);
  }
}

}  // namespace
}  // namespace signalbox
