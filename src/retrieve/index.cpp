#include "retrieve/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "model/encoder_choice.h"

namespace signalbox {
namespace {

constexpr std::size_t kFusionDepth = 200;  // how far down each list fusion looks

// What the meaning's score counts beside the words'. The shipped encoder was made for short messages:
// on documents it is a hint. An encoder that the user brought was made for this.
constexpr float kShippedShare = 0.3F;
constexpr float kBroughtShare = 1.0F;

// Scores from 0 to 1 within a list: by words the best is 1, by meaning the last one looked at is 0.
std::unordered_map<std::uint32_t, ScoredChunk> fuse(const std::vector<ScoredChunk>& words,
                                                    const std::vector<ScoredChunk>& meaning,
                                                    float share) {
  std::unordered_map<std::uint32_t, ScoredChunk> fused;
  for (const ScoredChunk& chunk : words)
    fused[chunk.chunk] = {chunk.chunk, chunk.score / words.front().score / (1 + share), 0};
  if (meaning.empty()) return fused;
  const float least = meaning.back().score;
  const float range = std::max(meaning.front().score - least, 1e-6F);
  for (const ScoredChunk& chunk : meaning) {
    ScoredChunk& entry = fused[chunk.chunk];
    entry.chunk = chunk.chunk;
    entry.score += share * (chunk.score - least) / range / (1 + share);
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
  index->meaning_share_ = index->settings_.encoder.empty() ? kShippedShare : kBroughtShare;
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
  return image_->vectors(vector, top);
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
  for (const auto& [chunk, scored] : fuse(by_word, meaning(query, depth), meaning_share_))
    best.push_back(scored);
  std::sort(best.begin(), best.end(), [](const ScoredChunk& a, const ScoredChunk& b) {
    return a.score > b.score || (a.score == b.score && a.chunk < b.chunk);
  });
  if (best.size() > top) best.resize(top);
  return hits(best);
}

}  // namespace signalbox
