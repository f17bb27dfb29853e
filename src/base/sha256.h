// SHA-256, in pieces or of a file: the checksum model hubs publish.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "signalbox/result.h"

namespace signalbox {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void add(std::string_view bytes);
  // 64 digits in lower case. Ends the sum: nothing may be added afterwards.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256_of(std::string_view bytes);

// `read` hears how many bytes are done, about every megabyte; it may be empty. NotFound, or Upstream
// when reading fails.
Result<std::string> sha256_of_file(const std::string& path,
                                   const std::function<void(std::uint64_t)>& read = {});

// Whether the text is 64 hexadecimal digits.
bool is_sha256(std::string_view text);

}  // namespace signalbox
