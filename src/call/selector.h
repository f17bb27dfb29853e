// Ranks functions for a message without an LLM: by words, by meaning and by what people said before.
//
// Words: an inverted index over names, descriptions, parameters (BM25 with fields), and how much of a
// name the message covers. Meaning: the encoder's cosine between message and description. Examples:
// a gatekeeper trained on the functions' own examples, kept like a profile's. Functions without
// examples are ranked by the first two. Immutable after create(); thread-safe. Costs one call of the
// encoder and a pass over the postings of the message's words.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "call/registry.h"
#include "model/encoder.h"

namespace signalbox {

class TieredGate;

struct RankedFunction {
  const Function* function = nullptr;
  double confidence = 0;  // of all functions ranked together 1
  double fit = 0;         // 0 to 1: how much of the message this function explains
};

struct SelectorWeights {
  double name = 3, description = 1.5, parameter = 0.5;  // of a word, by where it stands
  double saturation = 1.2, length = 0.4;                // BM25's k1 and b
  double cover = 1;                                     // of the name's words that the message says …
  double uncovered = 0.5;                               // … against those it does not
  double meaning = 120;                                 // of the cosine
  double sharpness = 0.12;                              // from scores to confidence
  double examples = 0.7;  // of the gatekeeper's probability, where there are examples
};

class FunctionSelector {
 public:
  // The registry must outlive it. `encoder` may be null: words alone.
  static Result<FunctionSelector> create(const FunctionRegistry& registry,
                                         std::shared_ptr<const Encoder> encoder,
                                         SelectorWeights weights = {});

  // The best of `among`, best first, at most `top`. Empty: no word or meaning in common with any.
  std::vector<RankedFunction> rank(std::string_view text, std::span<const Function* const> among,
                                   std::size_t top) const;

 private:
  using Word = std::uint64_t;
  struct Posting {
    std::uint32_t function = 0;
    float weight = 0;
  };
  struct Score {
    double words = 0;
    double meaning = 0;
    double fit = 0;
  };

  void index(const Function& function, std::uint32_t number);
  void encode_all();
  std::vector<Score> score(std::string_view text) const;
  void add_name_cover(const std::vector<Word>& said, std::vector<Score>& scores) const;

  SelectorWeights weights_;
  const FunctionRegistry* registry_ = nullptr;
  std::shared_ptr<const Encoder> encoder_;
  std::shared_ptr<const TieredGate> gate_;  // null: no examples
  std::unordered_map<Word, std::vector<Posting>> postings_;
  std::unordered_map<Word, double> rarity_;
  std::vector<double> lengths_;           // beside the registry's functions, 1 on average
  std::vector<std::vector<Word>> names_;  // their names' words, sorted, once each
  std::vector<float> vectors_;            // [function][dimensions]
};

// A function's name in words: "getHealthWorkforce" and "get_health_workforce" alike.
std::string spaced_name(std::string_view name);

}  // namespace signalbox
