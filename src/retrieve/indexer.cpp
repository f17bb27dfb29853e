#include "retrieve/indexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "model/encoder_choice.h"
#include "retrieve/index_database.h"
#include "retrieve/index_work.h"

namespace signalbox {
namespace {

constexpr std::size_t kFilesACommit = 500;  // what a crash may cost to read again

Result<IndexSettings> settings_for(IndexDatabase& index, const std::string& root,
                                   const std::string& folder, const IndexOptions& options,
                                   const Encoder* encoder) {
  IndexSettings wanted{std::filesystem::canonical(root).string(), options.encoder,
                       encoder ? encoder->fingerprint() : "",
                       encoder ? static_cast<int>(encoder->dimensions()) : 0};
  auto existing = index.settings();
  if (!existing) return tl::unexpected(existing.error());
  if (*existing && (*existing)->root != wanted.root) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{} is an index of {}; choose another --out", folder, (*existing)->root));
  }
  if (*existing && ((*existing)->weights != wanted.weights || (*existing)->reading != wanted.reading)) {
    if (auto cleared = index.clear(); !cleared) return tl::unexpected(cleared.error());
  }
  if (auto saved = index.set_settings(wanted); !saved) return tl::unexpected(saved.error());
  return wanted;
}

Result<void> forget_vanished(IndexDatabase& index, const Walk& walk,
                             std::map<std::string, KnownFile>& known, IndexReport& report) {
  for (auto file = known.begin(); file != known.end();) {
    if (is_found(walk, file->first)) {
      ++file;
      continue;
    }
    if (auto gone = index.remove(file->second.id); !gone) return gone;
    file = known.erase(file);
    ++report.removed;
  }
  return {};
}

// Commits now and then, so that a crash costs little.
class Storing {
 public:
  explicit Storing(IndexDatabase& index) : index_(index) {}

  Result<void> operator()(const PreparedFile& file, const KnownFile* before, bool is_same) {
    if (is_same) {
      if (auto done = index_.touch(before->id, file.file); !done) return done;
    } else {
      if (before) {
        if (auto gone = index_.remove(before->id); !gone) return gone;
      }
      if (auto done = index_.write(file); !done) return done;
    }
    if (++stored_ % kFilesACommit != 0) return {};
    if (auto done = index_.commit(); !done) return done;
    return index_.begin();
  }

 private:
  IndexDatabase& index_;
  std::size_t stored_ = 0;
};

Result<void> refresh_image(IndexDatabase& index, const std::string& folder, int dimensions) {
  const std::string path = search_image_path(folder);
  const auto is_current = index.is_image_current();
  if (!is_current) return tl::unexpected(is_current.error());
  if (*is_current && SearchImage::open(path)) return {};  // an older program's image is written anew
  auto written = write_search_image(path, static_cast<std::size_t>(dimensions),
                                    [&](const auto& use) { return index.each_chunk(use); });
  if (!written) return written;
  return index.set_image_current(true);
}

Result<void> count_all(IndexDatabase& index, IndexReport& report) {
  auto query = index.database().prepare(
      "SELECT (SELECT count(*) FROM files WHERE trouble = ''), (SELECT count(*) FROM chunks)");
  if (!query) return tl::unexpected(query.error());
  if (auto row = query->step(); !row) return tl::unexpected(row.error());
  report.files = static_cast<std::size_t>(query->integer(0));
  report.chunks = static_cast<std::size_t>(query->integer(1));
  return {};
}

}  // namespace

Result<IndexReport> update_index(const std::string& root, const std::string& folder,
                                 const IndexOptions& options,
                                 const std::function<void(const IndexProgress&)>& progress) {
  auto walk = walk_files(root, options.walk);
  if (!walk) return tl::unexpected(walk.error());
  std::shared_ptr<const Encoder> encoder;
  if (options.encoder != "none") {
    auto opened = open_encoder(options.encoder);
    if (!opened) return tl::unexpected(opened.error());
    encoder = *std::move(opened);
  }
  auto index = IndexDatabase::create(folder);
  if (!index) return tl::unexpected(index.error());
  if (auto begun = index->begin(); !begun)
    return fail(begun.error().code, fmt::format("{}: another run writes this index", folder));
  auto settings = settings_for(*index, root, folder, options, encoder.get());
  if (!settings) return tl::unexpected(settings.error());
  auto known = index->files();
  if (!known) return tl::unexpected(known.error());

  IndexReport report;
  report.skipped = walk->skipped;
  if (auto done = forget_vanished(*index, *walk, *known, report); !done)
    return tl::unexpected(done.error());
  const auto work = work_to_do(*walk, *known, report);
  if (report.removed > 0 || !work.files.empty()) {
    if (auto done = index->set_image_current(false); !done) return tl::unexpected(done.error());
  }
  if (auto done =
          work_through(work, options, settings->root, encoder.get(), report, progress, Storing(*index));
      !done)
    return tl::unexpected(done.error());
  if (auto done = index->commit(); !done) return tl::unexpected(done.error());
  if (auto done = count_all(*index, report); !done) return tl::unexpected(done.error());
  if (auto done = refresh_image(*index, folder, settings->dimensions); !done)
    return tl::unexpected(done.error());
  return report;
}

}  // namespace signalbox
