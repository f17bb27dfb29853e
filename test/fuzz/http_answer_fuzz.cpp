// Bytes as an HTTP answer and as an address: read within their limits or refused, never a crash.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/response_reader.h"
#include "net/url.h"

namespace {

struct Reading {
  bool is_good = true;
  std::string body;
};

Reading read(std::string_view text, std::size_t piece) {
  signalbox::ResponseReader reader({512, 1000, false});
  Reading out;
  for (std::size_t at = 0; out.is_good && at < text.size(); at += piece) {
    out.is_good = reader.feed(text.substr(at, piece)).has_value();
    out.body += reader.take_body();
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Reading whole = read(text, std::max<std::size_t>(size, 1));
  const Reading pieces = read(text, 3);
  if (whole.body.size() > 1000) __builtin_trap();
  if (whole.is_good && pieces.is_good && whole.body != pieces.body) __builtin_trap();
  if (auto url = signalbox::parse_url(text.substr(0, 300))) {
    if (url->host.empty() || url->port == 0 || !url->target.starts_with('/')) __builtin_trap();
    (void)signalbox::resolve_location(*url, text);
  }
  return 0;
}
