// Rows made ready for learning: routes numbered, n-grams counted, texts encoded, folds dealt.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/ngram_table.h"
#include "model/svm.h"
#include "model/train.h"

namespace signalbox {

enum class ExampleUse : std::uint8_t {
  Learn,    // in scope, learned from and judged by its fold
  Outside,  // the user's out-of-scope rows, likewise
  Generic,  // text out of scope for nearly everyone
  Valid,    // judged only, by the whole solution
  Joined,   // made of two rows of one fold; judged only, by that fold's solution
};

struct Example {
  std::string_view text;
  std::vector<std::uint32_t> labels;  // routes; the number of routes itself is out of scope
  ExampleUse use = ExampleUse::Learn;
  int fold = 0;
};

struct TrainSet {
  std::vector<std::string> routes;  // sorted
  std::vector<Example> examples;
  int folds = 0;
  NgramTable ngrams;
  std::vector<NgramRow> ngram_rows;  // one an example
  std::size_t dense = 0;
  std::vector<float> vectors;  // [example][dense], as the encoder gives them
  std::vector<float> centres;  // [dense][routes], unit length

  std::uint32_t outside() const { return static_cast<std::uint32_t>(routes.size()); }
  std::span<const float> vector(std::size_t example) const {
    return std::span(vectors).subspan(example * dense, dense);
  }
  // Cosine to the nearest route's centre, the example itself left out of its own.
  float nearest(std::size_t example) const;

  std::vector<float> route_sums;     // [route][dense]
  std::vector<float> route_lengths;  // of those sums
};

Result<TrainSet> make_train_set(std::span<const TrainRow> rows, std::span<const TrainRow> valid,
                                std::span<const TrainRow> oos, const TrainOptions& options,
                                const Encoder* encoder, const TrainProgress& progress);

}  // namespace signalbox
