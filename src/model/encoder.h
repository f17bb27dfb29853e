// Turns text into a vector of unit length; texts that mean the same lie close together.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace signalbox {

// How much of a text an encoder looked at: nothing is cut silently.
struct EncodeNote {
  std::size_t words = 0;       // words in the text
  std::size_t words_used = 0;  // words that went into the vector
  std::size_t windows = 0;     // windows the text was read in
};

// The same text gives the same bits on every machine. Thread-safe after construction.
class Encoder {
 public:
  virtual ~Encoder() = default;
  virtual std::size_t dimensions() const = 0;
  // Identifies the weights: a head trained on one encoder is refused on another.
  virtual std::string fingerprint() const = 0;
  // `out` has dimensions() elements. Text without words gives the zero vector. Never fails: bad
  // UTF-8 is read as replacement characters.
  virtual EncodeNote encode(std::string_view text, std::span<float> out) const = 0;
  // Several texts, one vector after the other in `out`: the same bits as one by one, and for short
  // texts often in less time.
  virtual void encode_each(std::span<const std::string_view> texts, std::span<float> out) const {
    for (std::size_t i = 0; i < texts.size(); ++i)
      encode(texts[i], out.subspan(i * dimensions(), dimensions()));
  }
};

}  // namespace signalbox
