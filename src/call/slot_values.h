// The values a message holds, each with its kind and place: what can fill a function's parameters.
//
// Nothing is made up: a value's text is a stretch of the message, and a date is that stretch read on
// the calendar. Values do not overlap; of two readings the more special one is kept. Linear in the
// text. Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "call/slot_words.h"

namespace signalbox {

enum class SlotKind { Quoted, Email, Url, Date, Time, Money, Number, Identifier, Name };

struct SlotValue {
  SlotKind kind = SlotKind::Name;
  std::size_t begin = 0;  // bytes of the message
  std::size_t end = 0;
  std::string text;      // as said, without its quotes
  std::string value;     // read: 2026-03-01, 12.5; else the text
  std::string currency;  // of Money, where it is known: EUR
};

// A word of the message: bytes without the punctuation around it, and folded.
struct SlotWord {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string folded;
};

std::vector<SlotWord> split_words(std::string_view text);

// In the order of the message.
std::vector<SlotValue> find_values(std::string_view text, const SlotWords& words, WallTime now);

}  // namespace signalbox
