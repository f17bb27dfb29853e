#include "normalize/segment.h"

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <memory>

namespace signalbox {
namespace {

icu::BreakIterator* break_iterator() {
  thread_local const std::unique_ptr<icu::BreakIterator> words = [] {
    UErrorCode status = U_ZERO_ERROR;
    std::unique_ptr<icu::BreakIterator> made(
        icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
    return U_SUCCESS(status) ? std::move(made) : nullptr;
  }();
  return words.get();
}

}  // namespace

std::vector<Segment> segment_words(std::string_view text) {
  icu::BreakIterator* words = break_iterator();
  if (!words) return {{0, text.size()}};  // no break data in this ICU: the run is one word
  UErrorCode status = U_ZERO_ERROR;
  UText* view = utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &status);
  words->setText(view, status);
  std::vector<Segment> out;
  if (U_SUCCESS(status)) {
    int32_t begin = words->first();
    for (int32_t end = words->next(); end != icu::BreakIterator::DONE;
         begin = end, end = words->next()) {
      if (words->getRuleStatus() == UBRK_WORD_NONE) continue;
      out.push_back({static_cast<std::size_t>(begin), static_cast<std::size_t>(end)});
    }
  }
  utext_close(view);
  return out;
}

}  // namespace signalbox
