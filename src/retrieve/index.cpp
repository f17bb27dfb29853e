#include "retrieve/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "model/encoder_choice.h"
#include "retrieve/fusion.h"

namespace signalbox {
namespace {

constexpr std::size_t kReadAgain = 50;  // of the best by words, for their nearness
constexpr std::size_t kNearTerms = 64;  // of the question: a pasted page is asked for by its words

}  // namespace

Result<std::unique_ptr<Index>> Index::open(const std::string& folder,
                                           std::shared_ptr<const Encoder> encoder) {
  auto database = IndexDatabase::open(folder);
  if (!database) return tl::unexpected(database.error());
  auto settings = database->settings();
  if (!settings) return fail(settings.error().code, folder + ": " + settings.error().message);
  if (!*settings) return fail(ErrorCode::Corrupt, folder + ": the index is empty");
  if ((*settings)->reading != kReading) {
    return fail(ErrorCode::InvalidInput,
                folder + ": made by another version; run signalbox index again");
  }
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
  std::vector<ScoredChunk> found = image_->words(count_terms(terms), std::max(top, kReadAgain));
  if (terms.size() > kNearTerms) terms.resize(kNearTerms);
  std::vector<float> rarity;
  for (const Term term : terms) rarity.push_back(image_->rarity(term));
  if (const Nearness nearness(terms, rarity); !nearness.is_empty()) add_nearness(nearness, found);
  if (found.size() > top) found.resize(top);
  return found;
}

void Index::add_nearness(const Nearness& nearness, std::vector<ScoredChunk>& found) const {
  const std::span best(found.data(), std::min(found.size(), kReadAgain));
  const auto passages = texts(best);
  for (std::size_t i = 0; i < passages.size(); ++i) best[i].score += nearness.of(passages[i]);
  std::sort(best.begin(), best.end(), is_before);
}

std::vector<std::string> Index::texts(std::span<const ScoredChunk> chunks) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> out;
  auto query = database_->database().prepare("SELECT text FROM chunks WHERE id = ?");
  if (!query) return out;
  for (const ScoredChunk& chunk : chunks) {
    query->reset();
    const auto row = query->bind(1, image_->rowid(chunk.chunk)).step();
    out.emplace_back(row && *row ? query->text(0) : std::string_view());
  }
  return out;
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
  const auto near = meaning(query, depth);
  std::unordered_map<std::uint32_t, ScoredChunk> fused;
  fuse_lists(by_word, near, meaning_share_, std::min(depth, image_->size()),
             [&](const ScoredChunk& chunk, float part) {
               ScoredChunk& entry = fused[chunk.chunk];
               entry = {chunk.chunk, entry.score + part, std::max(entry.cosine, chunk.cosine)};
             });
  std::vector<ScoredChunk> best;
  for (const auto& [chunk, scored] : fused) best.push_back(scored);
  std::sort(best.begin(), best.end(), is_before);
  if (best.size() > top) best.resize(top);
  return hits(best);
}

}  // namespace signalbox
