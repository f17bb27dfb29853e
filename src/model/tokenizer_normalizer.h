// The "normalizer" of a tokenizer.json: how a text is rewritten before it is cut into words.
//
// Known: BertNormalizer, NFC, NFD, NFKC, NFKD, Lowercase, StripAccents, Strip, Prepend, Replace,
// Precompiled and Sequences of them. Immutable after parse(); thread-safe.
#pragma once

#include <boost/json/fwd.hpp>
#include <functional>
#include <string>
#include <vector>

#include "signalbox/result.h"

namespace signalbox::tokenizer {

class TextNormalizer {
 public:
  // JSON null rewrites nothing. Fails with InvalidInput on a type not known or a field that is missing.
  static Result<TextNormalizer> parse(const boost::json::value& json);

  void apply(std::u32string& text) const {
    for (const Step& step : steps_) step(text);
  }

 private:
  using Step = std::function<void(std::u32string&)>;

  Result<void> add(const boost::json::value& json, int depth);
  Result<void> add_replace(const boost::json::object& json);

  std::vector<Step> steps_;
};

}  // namespace signalbox::tokenizer
