#include "model/unigram.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/utf8.h"

namespace signalbox::tokenizer {
namespace {

// How much worse than the worst piece an unknown letter is: SentencePiece's number.
constexpr double kUnknownPenalty = 10.0;

}  // namespace

Result<Unigram> Unigram::create(UnigramOptions options) {
  if (options.pieces.empty()) return fail(ErrorCode::InvalidInput, "a unigram model needs pieces");
  if (options.unknown_id && *options.unknown_id >= options.pieces.size()) {
    return fail(ErrorCode::InvalidInput, fmt::format("unk_id {} is not among the {} pieces",
                                                     *options.unknown_id, options.pieces.size()));
  }
  return Unigram(std::move(options));
}

Unigram::Unigram(UnigramOptions options) : options_(std::move(options)) {
  const std::vector<ScoredPiece>& pieces = options_.pieces;
  sorted_.resize(pieces.size());
  std::iota(sorted_.begin(), sorted_.end(), 0U);
  std::sort(sorted_.begin(), sorted_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const int order = pieces[a].text.compare(pieces[b].text);
    return order != 0 ? order < 0 : a > b;
  });
  const auto is_same = [&](std::uint32_t a, std::uint32_t b) {
    return pieces[a].text == pieces[b].text;
  };
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end(), is_same), sorted_.end());
  const auto worst = std::min_element(pieces.begin(), pieces.end(),
                                      [](const auto& a, const auto& b) { return a.score < b.score; });
  unknown_score_ = worst->score - kUnknownPenalty;
}

std::vector<Unigram::Best> Unigram::best_paths(std::string_view text) const {
  std::vector<Best> best(text.size() + 1);
  const auto offer = [&](std::size_t start, std::size_t end, double score, std::int64_t id) {
    Best& there = best[end];
    if (there.id == kNone || score > there.score) there = {score, start, id};
  };
  for (std::size_t start = 0; start < text.size();) {
    const double so_far = best[start].score;
    const std::size_t letter = std::min(decode_utf8(text, start).bytes, text.size() - start);
    bool has_single = false;
    auto low = sorted_.begin();
    auto high = sorted_.end();
    for (std::size_t length = 1; start + length <= text.size() && low != high; ++length) {
      const auto byte = static_cast<unsigned char>(text[start + length - 1]);
      const auto at = [&](std::uint32_t id) {
        const std::string& piece = options_.pieces[id].text;
        return piece.size() < length ? -1
                                     : static_cast<int>(static_cast<unsigned char>(piece[length - 1]));
      };
      low = std::partition_point(low, high, [&](std::uint32_t id) { return at(id) < byte; });
      high = std::partition_point(low, high, [&](std::uint32_t id) { return at(id) == byte; });
      if (low == high || options_.pieces[*low].text.size() != length) continue;
      offer(start, start + length, so_far + options_.pieces[*low].score, *low);
      has_single = has_single || length == letter;
    }
    if (!has_single) offer(start, start + letter, so_far + unknown_score_, kUnknown);
    start += letter;
  }
  return best;
}

void Unigram::tokenize(std::string_view text, std::vector<std::int64_t>& ids) const {
  const std::vector<Best> best = best_paths(text);
  std::vector<std::size_t> ends;
  for (std::size_t end = text.size(); end > 0; end = best[end].start) ends.push_back(end);
  std::size_t unknown_start = 0;
  bool is_in_unknown = false;
  for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
    const Best& step = best[*end];
    if (step.id == kUnknown) {
      if (!is_in_unknown) unknown_start = step.start;
      is_in_unknown = true;
      continue;
    }
    if (is_in_unknown) append_unknown(text.substr(unknown_start, step.start - unknown_start), ids);
    is_in_unknown = false;
    ids.push_back(step.id);
  }
  if (is_in_unknown) append_unknown(text.substr(unknown_start), ids);
}

std::int64_t Unigram::id_of(std::string_view piece) const {
  const auto found = std::lower_bound(
      sorted_.begin(), sorted_.end(), piece,
      [&](std::uint32_t id, std::string_view text) { return options_.pieces[id].text < text; });
  return found != sorted_.end() && options_.pieces[*found].text == piece ? std::int64_t{*found} : kNone;
}

void Unigram::append_unknown(std::string_view letters, std::vector<std::int64_t>& ids) const {
  if (options_.has_byte_fallback) {
    const std::size_t before = ids.size();
    for (const char c : letters) {
      const std::int64_t id = id_of(fmt::format("<0x{:02X}>", static_cast<unsigned char>(c)));
      if (id == kNone) {
        ids.resize(before);
        break;
      }
      ids.push_back(id);
    }
    if (ids.size() > before) return;
  }
  if (options_.unknown_id) ids.push_back(static_cast<std::int64_t>(*options_.unknown_id));
}

}  // namespace signalbox::tokenizer
