#include "model/ngram_table.h"

#include <cmath>

namespace signalbox {
namespace {

std::size_t slot_of(NgramKey key, std::size_t mask) {
  return static_cast<std::size_t>((std::uint64_t{key} * 0x9E3779B97F4A7C15ULL) >> 32U) & mask;
}

// Divides the values of one kind by their length.
void normalise(std::vector<NgramValue>& values, float words, float runs,
               std::span<const NgramKey> keys) {
  const float word_scale = words > 0 ? 1.0F / std::sqrt(words) : 0.0F;
  const float run_scale = runs > 0 ? 1.0F / std::sqrt(runs) : 0.0F;
  for (NgramValue& entry : values)
    entry.value *= is_word_key(keys[entry.index]) ? word_scale : run_scale;
}

}  // namespace

NgramTable::NgramTable(std::vector<NgramKey> keys, std::vector<float> idf)
    : keys_(std::move(keys)), idf_(std::move(idf)) {
  std::size_t slots = 16;
  while (slots < keys_.size() * 2) slots *= 2;
  slots_.resize(slots);
  mask_ = slots - 1;
  for (std::uint32_t i = 0; i < keys_.size(); ++i) {
    std::size_t at = slot_of(keys_[i], mask_);
    while (slots_[at].index != kMissing) at = (at + 1) & mask_;
    slots_[at] = {keys_[i], i};
  }
}

std::uint32_t NgramTable::find(NgramKey key) const {
  if (slots_.empty()) return kMissing;
  std::size_t at = slot_of(key, mask_);
  while (slots_[at].index != kMissing && slots_[at].key != key) at = (at + 1) & mask_;
  return slots_[at].index;
}

template <typename IsKnown>
void NgramTable::read_known(std::string_view text, NgramRow& row, IsKnown is_known) const {
  thread_local std::vector<NgramKey> found;
  thread_local std::vector<std::uint16_t> counts;  // all zero between calls
  extract_ngrams(text, found);
  row.values.clear();
  row.coverage = 0;
  if (counts.size() < size()) counts.resize(size());
  std::size_t known = 0;
  for (const NgramKey key : found) {
    const std::uint32_t index = find(key);
    if (index == kMissing || !is_known(index)) continue;
    ++known;
    if (counts[index]++ == 0) row.values.push_back({index, 0.0F});
  }
  float words = 0;
  float runs = 0;
  for (NgramValue& entry : row.values) {
    entry.value = term_weight(counts[entry.index]) * idf_[entry.index];
    counts[entry.index] = 0;
    (is_word_key(keys_[entry.index]) ? words : runs) += entry.value * entry.value;
  }
  normalise(row.values, words, runs, keys_);
  if (!found.empty()) row.coverage = static_cast<float>(known) / static_cast<float>(found.size());
}

void NgramTable::read(std::string_view text, NgramRow& row) const {
  read_known(text, row, [](std::uint32_t) { return true; });
}

void NgramTable::read_without(std::string_view text, std::span<const std::uint16_t> folds, int fold,
                              NgramRow& row) const {
  const std::uint32_t own = fold < 0 ? 0U : 1U << static_cast<unsigned>(fold);
  read_known(text, row, [&](std::uint32_t index) { return (folds[index] & ~own) != 0; });
}

}  // namespace signalbox
