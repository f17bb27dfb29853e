#include "model/pair_encoder.h"

#include <gtest/gtest.h>

#include "test/fakes/fake_encoder.h"

namespace signalbox {
namespace {

float product(std::span<const float> a, std::span<const float> b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<float> encoded(const Encoder& encoder, std::string_view text) {
  std::vector<float> out(encoder.dimensions());
  encoder.encode(text, out);
  return out;
}

TEST(PairEncoder, TwoTextsAreAsNearAsBothEncodersFindInTheMean) {
  const auto one = std::make_shared<FakeEncoder>(16);
  const auto two = std::make_shared<FakeEncoder>(48);
  const PairEncoder pair(one, two);
  const auto near = [](const Encoder& encoder) {
    return product(encoded(encoder, "pay my bill"), encoded(encoder, "send my bill"));
  };
  ASSERT_EQ(pair.dimensions(), 64U);
  EXPECT_NEAR(near(pair), (near(*one) + near(*two)) / 2, 1e-5);
}

TEST(PairEncoder, AnotherSecondEncoderIsAnotherPair) {
  const auto one = std::make_shared<FakeEncoder>(16, "a");
  const auto two = std::make_shared<FakeEncoder>(16, "b");
  EXPECT_NE(PairEncoder(one, two).fingerprint(), PairEncoder(two, one).fingerprint());
  EXPECT_NE(PairEncoder(one, two).fingerprint(), PairEncoder(one, one).fingerprint());
}

}  // namespace
}  // namespace signalbox
