// The "pre_tokenizer" of a tokenizer.json: how a text is cut into words, whose tokens never cross a
// cut.
//
// Known: BertPreTokenizer, Whitespace, WhitespaceSplit, Punctuation (isolated), Metaspace and Sequences
// of them. Immutable after parse(); thread-safe.
#pragma once

#include <boost/json/fwd.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "signalbox/result.h"

namespace signalbox::tokenizer {

class WordSplitter {
 public:
  // JSON null leaves a text whole. Fails with InvalidInput on a type or an option that is not known.
  static Result<WordSplitter> parse(const boost::json::value& json);

  // `is_first`: the text begins where the whole input begins.
  std::vector<std::u32string> split(std::u32string_view text, bool is_first) const;

 private:
  using Words = std::vector<std::u32string>;
  using Step = std::function<void(std::u32string_view word, bool is_first, Words& out)>;

  Result<void> add(const boost::json::value& json, int depth);
  Result<void> add_metaspace(const boost::json::object& json);

  std::vector<Step> steps_;
};

}  // namespace signalbox::tokenizer
