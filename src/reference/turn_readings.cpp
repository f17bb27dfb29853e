#include "reference/turn_readings.h"

#include <string>

#include "base/hash.h"
#include "base/utf8.h"

namespace signalbox::reference {
namespace {

constexpr std::size_t kMaxPart = 800;  // of either end of a message

std::string shortened(std::string_view text) {
  if (text.size() <= 2 * kMaxPart) return std::string(text);
  std::size_t cut = text.size() - kMaxPart;
  while (cut < text.size() && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80) ++cut;
  return std::string(utf8_prefix(text, kMaxPart / 2)) + " … " + std::string(text.substr(cut));
}

}  // namespace

std::shared_ptr<const Utterance> TurnReadings::of(std::string_view text) {
  const std::string read = shortened(text);
  const std::uint64_t key = hash_text(read);
  // Two messages of one hash must not be taken for each other: one may be another user's.
  if (auto known = known_.find(key); known && known->text() == read) return known;
  auto made = std::make_shared<const Utterance>(read, *words_);
  known_.keep(key, made);
  return made;
}

}  // namespace signalbox::reference
