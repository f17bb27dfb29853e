// Hears what a model behind us says while its bytes pass: the text of the first choice.
//
// For sessions alone: without one nothing is read and nothing is copied. Bounded; what does not parse
// is passed over, it is the client's business.
#pragma once

#include <string>
#include <string_view>

#include "net/sse_parser.h"

namespace signalbox {

class HeardText {
 public:
  static constexpr std::size_t kMaxBytes = 64 * 1024;

  // Bytes of a stream of events, cut anywhere.
  void feed(std::string_view bytes);
  // A whole answer.
  void take(std::string_view body);

  const std::string& text() const { return text_; }

 private:
  void take_object(std::string_view object, std::string_view member);

  SseParser events_;
  std::string text_;
  bool is_lost_ = false;  // an event was too long: half a text is none
};

}  // namespace signalbox
