// An index opened for searching: by words, by meaning, by both, by pattern, by links, by name.
//
// Every search gives hits with the best first; a higher score is better. Thread-safe. Sees the index as
// it was when it was opened.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "model/encoder.h"
#include "retrieve/index_database.h"
#include "retrieve/nearness.h"
#include "retrieve/search_engine.h"
#include "retrieve/search_image.h"

namespace signalbox {

class Index : public SearchEngine {
 public:
  // The encoder is the one the index was made with, unless given (it must have the same weights).
  // NotFound: no index. Corrupt: damaged or unfinished.
  static Result<std::unique_ptr<Index>> open(const std::string& folder,
                                             std::shared_ptr<const Encoder> encoder = nullptr);

  Result<std::vector<Hit>> by_words(std::string_view query, std::size_t top) const override;
  Result<std::vector<Hit>> by_meaning(std::string_view query, std::size_t top) const override;
  // Fuses both lists' scores, each in units of its own spread.
  Result<std::vector<Hit>> by_both(std::string_view query, std::string_view keywords,
                                   std::size_t top) const override;
  bool has_vectors() const override { return encoder_ != nullptr; }
  const Index* local() const override { return this; }

  const std::string& root() const { return settings_.root; }
  std::size_t size() const { return image_->size(); }
  const SearchImage& image() const { return *image_; }

  // Runs a query on the database, one at a time; for the tools that look at more than chunks.
  template <typename Use>
  auto with_database(Use use) const {
    const std::lock_guard lock(mutex_);
    return use(database_->database());
  }

 private:
  Index() = default;
  std::vector<ScoredChunk> words(std::string_view query, std::size_t top) const;
  std::vector<ScoredChunk> meaning(std::string_view query, std::size_t top) const;
  // Looks at the best of `found` again. A chunk that cannot be read stays as it is.
  void add_nearness(const Nearness& nearness, std::vector<ScoredChunk>& found) const;
  std::vector<std::string> texts(std::span<const ScoredChunk> chunks) const;
  Result<std::vector<Hit>> hits(const std::vector<ScoredChunk>& chunks) const;

  IndexSettings settings_;
  float meaning_share_ = 0;  // beside the words' 1
  std::shared_ptr<const Encoder> encoder_;
  std::shared_ptr<const SearchImage> image_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<IndexDatabase> database_;  // guarded by mutex_
};

}  // namespace signalbox
