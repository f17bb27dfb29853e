// Finds where one message holds several intents.
//
// Separators (conjunctions, punctuation) are data, stored with the model. They cut a message into
// atoms; the best way to join atoms into parts is found by dynamic programming over how sure the model
// is of every stretch. The n-grams look first: the encoder is asked about stretches only where a small
// logistic model over their scores finds several intents possible. Another one, over the whole head's
// scores, decides whether the split is taken.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/calibration.h"

namespace signalbox {

// A place to split: the left part ends at `left_end`, the right one begins at `right_begin`.
struct Cut {
  std::size_t left_end = 0;
  std::size_t right_begin = 0;
};

struct IntentSplitter {
  std::vector<std::string> separators;  // lower case; the longest that fits is taken
  LogisticModel possible;               // over split_features() of the n-grams' scores
  double worth_a_look = 0;              // the encoder is asked about the stretches at or above it
  LogisticModel accept;                 // over split_features()
  double threshold = 1;                 // a split is taken above it; 1: never
  LogisticModel sure;  // over certainty_features(): that a split that is taken is right
};

inline constexpr std::size_t kMostCuts = 4;

// Separators made of letters match whole words, without regard to ASCII case; ASCII marks count when a
// blank follows; others anywhere. The first kMostCuts; neighbours without a word between them are one.
std::vector<Cut> find_cuts(std::string_view text, const std::vector<std::string>& separators);

// Atoms first … last (inclusive) of a message with cuts.
struct Stretch {
  std::size_t first = 0;
  std::size_t last = 0;
};
std::string_view stretch_text(std::string_view text, const std::vector<Cut>& cuts, Stretch stretch);

struct StretchGuess {
  std::uint32_t route = 0;
  double sure = 0;  // probability
};

using GuessStretch = std::function<StretchGuess(Stretch)>;
enum class WholeMessage : std::uint8_t { MayStay, MustSplit };

// The stretches that together are worth most, each worth its probability less one half; neighbours of
// one route are one stretch. A single stretch: nothing to split. Empty: it must be split and cannot.
std::vector<Stretch> best_split(std::size_t atoms, const GuessStretch& guess,
                                WholeMessage whole = WholeMessage::MayStay);

// What the whole head says of a part, or of the message as one.
struct PartScores {
  std::uint32_t route = 0;
  double top = 0;      // its score
  double gap = 0;      // to the next route
  double outside = 0;  // probability of being out of scope
};

// `whole_scores` are the message's scores of all routes.
inline constexpr std::size_t kSplitFeatures = 6;
std::vector<double> split_features(const std::vector<PartScores>& parts, const PartScores& whole,
                                   const std::vector<float>& whole_scores);

// Of a split that is taken: how sure the parts are, all at once, and how clearly it was taken.
std::vector<double> certainty_features(std::span<const StretchGuess> parts, double accepted);
// Where no split was seen to be right or wrong, the parts are believed.
LogisticModel default_certainty_model();

// Where a model's own rows teach little about splits.
LogisticModel default_split_model();

}  // namespace signalbox
