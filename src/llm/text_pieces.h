// Turns the bytes a model makes, token by token, into text that may be shown: never half a character,
// never the beginning of a stop string that may yet become whole. Bad bytes become U+FFFD.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace signalbox {

class TextPieces {
 public:
  explicit TextPieces(std::vector<std::string> stops = {}) : stops_(std::move(stops)) {}

  // What may be shown now; empty when more bytes are needed to know.
  std::string add(std::string_view bytes);
  // The rest, after the last token; a cut character becomes U+FFFD.
  std::string finish();
  // A stop string came: nothing after it is text.
  bool stopped() const { return stopped_; }

 private:
  std::string take(std::size_t bytes);

  std::vector<std::string> stops_;
  std::string held_;
  bool stopped_ = false;
};

}  // namespace signalbox
