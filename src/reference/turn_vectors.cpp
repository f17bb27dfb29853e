#include "reference/turn_vectors.h"

#include "base/hash.h"
#include "base/utf8.h"

namespace signalbox::reference {
namespace {

constexpr std::size_t kMaxCharacters = 300;  // of a message: what it is about stands at its beginning

}  // namespace

TurnVectors::Vector TurnVectors::of(std::string_view text) {
  text = utf8_prefix(text, kMaxCharacters);
  const std::uint64_t key = hash_text(text);
  if (auto known = known_.find(key)) return known;
  auto made = std::make_shared<std::vector<float>>(encoder_->dimensions());
  encoder_->encode(text, *made);
  known_.keep(key, made);
  return made;
}

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

}  // namespace signalbox::reference
