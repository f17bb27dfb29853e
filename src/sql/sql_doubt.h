// Why a question about data is not answered, and what could be asked back.
//
// A doubt names its text by a key of profiles/common/sql_words.yaml; SqlWords::told() writes it in the
// language of the question.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace signalbox {

struct SqlDoubt {
  std::string key;                     // of its text
  std::vector<std::string> words{};    // what fills the text's blanks, in order; options come last
  std::vector<std::string> options{};  // to choose from, where there are some
  std::string reason{};                // the text; empty until it is told …
  std::string question{};              // … as is what could be asked back
};

template <typename T>
using Sure = tl::expected<T, SqlDoubt>;

// `words` are texts: doubt("unknown_word", item.text).
template <typename... Words>
tl::unexpected<SqlDoubt> doubt(std::string key, Words... words) {
  return tl::unexpected(SqlDoubt{std::move(key), {std::string(std::move(words))...}, {}, {}, {}});
}

}  // namespace signalbox
