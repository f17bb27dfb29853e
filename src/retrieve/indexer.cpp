#include "retrieve/indexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "model/encoder_choice.h"
#include "retrieve/index_database.h"
#include "retrieve/workshop.h"

namespace signalbox {
namespace {

constexpr std::size_t kFilesACommit = 500;  // what a crash may cost to read again

struct Work {
  std::vector<FoundFile> files;  // to be read
  std::vector<const KnownFile*> known;
  std::uint64_t bytes = 0;
};

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
  if (*existing && (*existing)->weights != wanted.weights) {
    if (auto cleared = index.clear(); !cleared) return tl::unexpected(cleared.error());
  }
  if (auto saved = index.set_settings(wanted); !saved) return tl::unexpected(saved.error());
  return wanted;
}

Result<void> forget_vanished(IndexDatabase& index, const Walk& walk,
                             std::map<std::string, KnownFile>& known, IndexReport& report) {
  for (auto file = known.begin(); file != known.end();) {
    const auto found =
        std::lower_bound(walk.files.begin(), walk.files.end(), file->first,
                         [](const FoundFile& f, const std::string& p) { return f.path < p; });
    if (found != walk.files.end() && found->path == file->first) {
      ++file;
      continue;
    }
    if (auto gone = index.remove(file->second.id); !gone) return gone;
    file = known.erase(file);
    ++report.removed;
  }
  return {};
}

Work work_to_do(const Walk& walk, const std::map<std::string, KnownFile>& known, IndexReport& report) {
  Work work;
  for (const FoundFile& file : walk.files) {
    const auto old = known.find(file.path);
    const KnownFile* before = old == known.end() ? nullptr : &old->second;
    if (before && before->bytes == file.bytes && before->modified_ns == file.modified_ns) {
      ++report.unchanged;
      continue;
    }
    work.files.push_back(file);
    work.known.push_back(before);
    work.bytes += file.bytes;
  }
  return work;
}

Result<void> store(IndexDatabase& index, const PreparedFile& file, const KnownFile* before,
                   IndexReport& report) {
  report.bytes_read += file.file.bytes;
  if (!file.trouble.empty()) report.skipped.push_back({file.file.path, file.trouble});
  if (before && file.trouble.empty() && before->hash == file.hash) {
    ++report.unchanged;
    return index.touch(before->id, file.file);
  }
  ++(before ? report.changed : report.added);
  if (before) {
    if (auto gone = index.remove(before->id); !gone) return gone;
  }
  return index.write(file);
}

Result<void> run_work(IndexDatabase& index, const Work& work, const IndexOptions& options,
                      const std::string& root, const Encoder* encoder, IndexReport& report,
                      const std::function<void(const IndexProgress&)>& progress) {
  const ChunkEncoder with = ChunkEncoder::of(encoder, options.encoder);
  Workshop workshop(work.files.size(), options.threads, [&](std::size_t i) {
    const KnownFile* known = work.known[i];
    return prepare_file(root, work.files[i], with, known ? &known->hash : nullptr);
  });
  IndexProgress state{work.files.size(), 0, work.bytes, 0};
  for (std::size_t i = 0; i < work.files.size(); ++i) {
    if (options.stop.stop_requested()) {
      report.was_stopped = true;
      break;
    }
    const PreparedFile file = workshop.take(i);
    if (auto done = store(index, file, work.known[i], report); !done) return done;
    if ((i + 1) % kFilesACommit == 0) {
      if (auto done = index.commit(); !done) return done;
      if (auto done = index.begin(); !done) return done;
    }
    ++state.files_done;
    state.bytes_done += file.file.bytes;
    if (progress) progress(state);
  }
  return {};
}

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
  const Work work = work_to_do(*walk, *known, report);
  if (report.removed > 0 || !work.files.empty()) {
    if (auto done = index->set_image_current(false); !done) return tl::unexpected(done.error());
  }
  if (auto done = run_work(*index, work, options, settings->root, encoder.get(), report, progress);
      !done)
    return tl::unexpected(done.error());
  if (auto done = index->commit(); !done) return tl::unexpected(done.error());
  if (auto done = count_all(*index, report); !done) return tl::unexpected(done.error());
  if (auto done = refresh_image(*index, folder, settings->dimensions); !done)
    return tl::unexpected(done.error());
  return report;
}

}  // namespace signalbox
