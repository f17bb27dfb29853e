// OpenAI's shape around an answer that this program gives itself: whole, or as a stream's events.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dispatch/answerer.h"

namespace signalbox {

// One answer: all its pieces carry the same id, time and model.
class ChatShape {
 public:
  explicit ChatShape(std::string_view model);

  std::string whole(const GeneratedAnswer& answer) const;

  // Events of a stream: the first names the role; the last says why it ended, with the usage where it
  // is wanted. [DONE] is not among them.
  std::string first() const;
  std::string piece(std::string_view text) const;
  std::string last(const GeneratedAnswer& answer, bool with_usage) const;

  std::int64_t created() const { return created_; }

 private:
  std::string head(std::string_view kind) const;
  std::string event(std::string_view delta, std::string_view finish) const;

  std::string id_;
  std::int64_t created_;
  std::string model_;  // as JSON
};

}  // namespace signalbox
