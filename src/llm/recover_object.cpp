#include "llm/recover_object.h"

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <string>

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxAnswerBytes = 256 << 10;
constexpr int kMaxTries = 16;

struct ThoughtMarks {
  std::string_view open;
  std::string_view close;
};
constexpr std::array<ThoughtMarks, 2> kThoughts{
    {{"<think>", "</think>"}, {"<thinking>", "</thinking>"}}};

// The text without what the model thought aloud. Some templates open the thought inside the prompt:
// then the answer holds only its end, and all before that is thought.
std::string without_thoughts(std::string_view text) {
  std::string out(text);
  for (const auto& [open, close] : kThoughts) {
    const std::size_t first_close = out.find(close);
    const std::size_t first_open = out.find(open);
    if (first_close != std::string::npos && first_close < std::min(first_open, out.size()))
      out.erase(0, first_close + close.size());
    for (std::size_t at = out.find(open); at != std::string::npos; at = out.find(open, at)) {
      const std::size_t end = out.find(close, at);
      out.erase(at, end == std::string::npos ? std::string::npos : end + close.size() - at);
    }
  }
  return out;
}

// The length of the object that opens at the start of `text`, by its braces outside strings; 0 when
// they do not balance.
std::size_t balanced_length(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return 0;
}

}  // namespace

Result<boost::json::object> recover_object(std::string_view text) {
  const std::string answer = without_thoughts(text.substr(0, kMaxAnswerBytes));
  bool has_candidate = false;
  std::size_t open = answer.find('{');
  for (int tries = 0; open != std::string::npos && tries < kMaxTries; ++tries) {
    const std::string_view rest = std::string_view(answer).substr(open);
    if (const std::size_t length = balanced_length(rest); length > 0) {
      has_candidate = true;
      boost::system::error_code error;
      json::value value = json::parse(rest.substr(0, length), error);
      if (!error && value.is_object()) return std::move(value.get_object());
    }
    open = answer.find('{', open + 1);
  }
  return fail(ErrorCode::Corrupt,
              has_candidate ? "what stands in braces is not JSON" : "no JSON object in the answer");
}

}  // namespace signalbox
