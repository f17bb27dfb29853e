#include "normalize/text.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "normalize/fold.h"

namespace signalbox {

Result<Text> normalize(std::string_view query) {
  if (query.size() > kMaxQueryBytes) {
    return fail(ErrorCode::InvalidInput, fmt::format("the query has {} bytes; at most {} are taken",
                                                     query.size(), kMaxQueryBytes));
  }
  if (const auto bad = find_invalid_utf8(query)) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("the query is not UTF-8: bad byte 0x{:02X} at offset {}",
                            static_cast<unsigned char>(query[*bad]), *bad));
  }
  Text text;
  text.original = query;
  text.folded = fold(query);
  tokenize(text.folded, text.tokens);
  return text;
}

}  // namespace signalbox
