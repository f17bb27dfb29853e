#include "retrieve/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "model/encoder_choice.h"
#include "retrieve/meaning_share.h"

namespace signalbox {
namespace {

constexpr std::size_t kFusionDepth = 200;  // how far down each list fusion looks

// A list's scores in units of their own spread, above what was not looked at: so lists of different
// kinds can be added, and a list in which one chunk stands out counts where it does.
class Scale {
 public:
  // Of `population` chunks those that are not in the list have score 0.
  Scale(const std::vector<ScoredChunk>& list, std::size_t population) {
    const auto all = static_cast<float>(std::max(population, list.size()));
    if (list.empty()) return;
    float sum = 0;
    for (const ScoredChunk& chunk : list) sum += chunk.score;
    const float mean = sum / all;
    float squares = (all - static_cast<float>(list.size())) * mean * mean;
    for (const ScoredChunk& chunk : list) squares += (chunk.score - mean) * (chunk.score - mean);
    spread_ = std::max(std::sqrt(squares / all), 1e-6F);
    base_ = list.size() < population ? 0 : list.back().score;
    best_ = of(list.front().score);
  }
  float of(float score) const { return (score - base_) / spread_; }
  float best() const { return best_; }

 private:
  float base_ = 0;
  float spread_ = 1;
  float best_ = 0;
};

// Scores from 0 to 1.
std::unordered_map<std::uint32_t, ScoredChunk> fuse(const std::vector<ScoredChunk>& words,
                                                    const std::vector<ScoredChunk>& meaning,
                                                    float share, std::size_t population) {
  const Scale word_scale(words, population);
  const Scale meaning_scale(meaning, population);
  const float best = std::max(word_scale.best() + share * meaning_scale.best(), 1e-6F);
  std::unordered_map<std::uint32_t, ScoredChunk> fused;
  for (const ScoredChunk& chunk : words)
    fused[chunk.chunk] = {chunk.chunk, word_scale.of(chunk.score) / best, 0};
  for (const ScoredChunk& chunk : meaning) {
    ScoredChunk& entry = fused[chunk.chunk];
    entry.chunk = chunk.chunk;
    entry.score += share * meaning_scale.of(chunk.score) / best;
    entry.cosine = chunk.score;
  }
  return fused;
}

}  // namespace

Result<std::unique_ptr<Index>> Index::open(const std::string& folder,
                                           std::shared_ptr<const Encoder> encoder) {
  auto database = IndexDatabase::open(folder);
  if (!database) return tl::unexpected(database.error());
  auto settings = database->settings();
  if (!settings) return fail(settings.error().code, folder + ": " + settings.error().message);
  if (!*settings) return fail(ErrorCode::Corrupt, folder + ": the index is empty");
  auto image = SearchImage::open(search_image_path(folder));
  if (!image) {
    return fail(image.error().code,
                image.error().message + "; the index is unfinished: run signalbox index again");
  }
  std::unique_ptr<Index> index(new Index());
  index->settings_ = **std::move(settings);
  index->image_ = *std::move(image);
  index->database_ = std::make_unique<IndexDatabase>(*std::move(database));
  if (index->settings_.dimensions == 0) return index;
  if (!encoder) {
    auto opened = open_encoder(index->settings_.encoder);
    if (!opened) return tl::unexpected(opened.error());
    encoder = *std::move(opened);
  }
  if (encoder->fingerprint() != index->settings_.weights) {
    return fail(ErrorCode::InvalidInput,
                folder + ": made with another encoder; run signalbox index again");
  }
  index->encoder_ = std::move(encoder);
  index->meaning_share_ = meaning_share(index->settings_.encoder);
  return index;
}

std::vector<ScoredChunk> Index::words(std::string_view query, std::size_t top) const {
  std::vector<Term> terms;
  append_terms(query, terms);
  const std::vector<TermCount> counted = count_terms(std::move(terms));
  return image_->words(counted, top);
}

std::vector<ScoredChunk> Index::meaning(std::string_view query, std::size_t top) const {
  std::vector<float> vector(encoder_->dimensions());
  encoder_->encode(query, vector);
  return image_->nearest(vector, top);
}

Result<std::vector<Hit>> Index::hits(const std::vector<ScoredChunk>& chunks) const {
  const std::lock_guard lock(mutex_);
  auto query = database_->database().prepare(
      "SELECT uid, path, first_line, last_line, title, text FROM chunks JOIN files ON files.id = file "
      "WHERE chunks.id = ?");
  if (!query) return tl::unexpected(query.error());
  std::vector<Hit> out;
  for (const ScoredChunk& chunk : chunks) {
    query->reset();
    const auto row = query->bind(1, image_->rowid(chunk.chunk)).step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) continue;  // removed since the image was written
    out.push_back({std::string(query->text(0)), std::string(query->text(1)),
                   static_cast<int>(query->integer(2)), static_cast<int>(query->integer(3)),
                   chunk.score, std::string(query->text(4)), std::string(query->text(5)),
                   chunk.cosine});
  }
  return out;
}

Result<std::vector<Hit>> Index::by_words(std::string_view query, std::size_t top) const {
  return hits(words(query, top));
}

Result<std::vector<Hit>> Index::by_meaning(std::string_view query, std::size_t top) const {
  if (!encoder_) return fail(ErrorCode::InvalidInput, "this index has no vectors");
  return hits(meaning(query, top));
}

Result<std::vector<Hit>> Index::by_both(std::string_view query, std::string_view keywords,
                                        std::size_t top) const {
  const std::size_t depth = std::max(top, kFusionDepth);
  const auto by_word = words(keywords.empty() ? query : keywords, depth);
  if (!encoder_) return hits({by_word.begin(), by_word.begin() + std::min(top, by_word.size())});
  std::vector<ScoredChunk> best;
  const std::size_t population = std::min(depth, image_->size());
  for (const auto& [chunk, scored] : fuse(by_word, meaning(query, depth), meaning_share_, population))
    best.push_back(scored);
  std::sort(best.begin(), best.end(), [](const ScoredChunk& a, const ScoredChunk& b) {
    return a.score > b.score || (a.score == b.score && a.chunk < b.chunk);
  });
  if (best.size() > top) best.resize(top);
  return hits(best);
}

}  // namespace signalbox
