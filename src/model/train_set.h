// Rows made ready for learning: routes numbered, n-grams counted, texts encoded, folds dealt.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/head.h"
#include "model/intents.h"
#include "model/ngram_table.h"
#include "model/svm.h"
#include "model/train.h"

namespace signalbox {

enum class ExampleUse : std::uint8_t {
  Learn,      // in scope, learned from and judged by its fold
  Outside,    // the user's out-of-scope rows, likewise
  Generic,    // text out of scope for nearly everyone
  LeftOut,    // generic, but too close to a route
  Valid,      // judged only, by the whole solution
  Disturbed,  // a row to learn from with a word left out; judged only, by its fold's solution
  Torn,       // likewise, with a third of its words left out
  Joined,     // made of two rows of one fold; judged only, by that fold's solution
};

struct Example {
  std::string_view text;
  std::vector<std::uint32_t> labels;  // routes; the number of routes itself is out of scope
  ExampleUse use = ExampleUse::Learn;
  int fold = 0;
};

// A message made to learn splitting from: all its stretches are examples of the set.
struct SplitProbe {
  std::vector<std::uint32_t> routes;  // in order; one: it must stay whole
  std::vector<Cut> cuts;
  std::size_t whole = 0;  // the example of the message as one
  std::map<std::pair<std::size_t, std::size_t>, std::size_t>
      stretches;  // first and last atom to example
};

struct TrainSet {
  std::vector<std::string> routes;  // sorted
  std::vector<Example> examples;
  int folds = 0;
  NgramTable ngrams;
  std::vector<NgramRow> ngram_rows;  // one an example, to learn from
  std::vector<NgramRow> held_rows;   // the same as a model sees them that never saw their fold
  std::size_t dense = 0;
  std::vector<float> vectors;  // [example][dense], as the encoder gives them
  std::vector<float> centres;  // [dense][routes], unit length

  std::uint32_t outside() const { return static_cast<std::uint32_t>(routes.size()); }
  std::span<const float> vector(std::size_t example) const {
    return std::span(vectors).subspan(example * dense, dense);
  }
  std::vector<SplitProbe> probes;
  std::deque<std::string> made_texts;  // what their examples' texts point into
  std::size_t singles = 0;             // rows with one route
  std::size_t singles_with_cuts = 0;   // of which hold a separator

  // Cosines to the routes' centres, the example itself left out of its own.
  std::vector<float> cosines(std::size_t example) const;
  // The highest of them; 0 without an encoder.
  float nearest(std::size_t example) const;

  LaneMatrix centre_lanes;           // the centres, for the kernels
  std::vector<float> route_lengths;  // of the sums the centres were made of
};

Result<TrainSet> make_train_set(std::span<const TrainRow> rows, std::span<const TrainRow> valid,
                                std::span<const TrainRow> oos, const TrainOptions& options,
                                const Encoder* encoder, const TrainProgress& progress);

}  // namespace signalbox
