#include "retrieve/opensearch_indexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <map>

#include "llm/json_fields.h"
#include "model/encoder_choice.h"
#include "retrieve/index_work.h"
#include "retrieve/opensearch_bulk.h"
#include "retrieve/opensearch_schema.h"

namespace signalbox {
namespace {

namespace json = boost::json;
using namespace json_fields;

constexpr Duration kCallBudget = std::chrono::seconds(60);
constexpr std::size_t kPage = 5000;        // documents a listing gives at a time
constexpr std::size_t kFilesAGroup = 200;  // what an interruption may cost to read again

json::object term(std::string_view field, std::string_view value) {
  return {{"term", json::object{{field, value}}}};
}

struct RemoteFile {
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;
  std::uint64_t hash = 0;
  std::string trouble;
};
using RemoteFiles = std::map<std::string, RemoteFile>;

class RemoteIndex {
 public:
  RemoteIndex(std::shared_ptr<OpenSearchClient> client, std::string run)
      : client_(std::move(client)), run_(std::move(run)), bulk_(*client_) {}

  // Makes the template and the index where there is none.
  Result<void> prepare(const RemoteSettings& wanted) {
    auto root = client_->call("GET", "/", "", kCallBudget);
    if (!root) return tl::unexpected(root.error());
    const std::string name = client_->index();
    auto mapping = client_->call("GET", "/" + name + "/_mapping", "", kCallBudget);
    if (mapping) return compare(*mapping, wanted);
    if (mapping.error().code != ErrorCode::NotFound) return tl::unexpected(mapping.error());
    auto made = client_->call("PUT", "/_index_template/signalbox-" + name,
                              template_json(server_kind_of(*root), name, wanted), kCallBudget);
    if (made) made = client_->call("PUT", "/" + name, "", kCallBudget);
    if (!made) return tl::unexpected(made.error());
    return {};
  }

  Result<RemoteFiles> files() {
    RemoteFiles out;
    for (std::string after;;) {
      json::object query{
          {"size", kPage}, {"query", term("kind", "file")}, {"sort", json::array{"file"}}};
      if (!after.empty()) query["search_after"] = json::array{json::string(after)};
      auto page = client_->call("POST", path("_search"), json::serialize(query), kCallBudget);
      if (!page) return tl::unexpected(page.error());
      const json::object* object = page->if_object();
      const json::object* found = object ? object_at(*object, "hits") : nullptr;
      const json::array* hits = found ? array_at(*found, "hits") : nullptr;
      if (!hits || hits->empty()) return out;
      for (const json::value& hit : *hits) after = take_file(hit, out);
    }
  }

  // Chunks of one file; the file itself counts as known once its group is closed.
  Result<void> write(const PreparedFile& file) {
    for (const PreparedChunk& chunk : file.chunks) {
      if (auto done = bulk_.index(chunk.uid, chunk_json(file, chunk, run_)); !done) return done;
    }
    changed_.push_back(file.file.path);
    return note(file);
  }
  Result<void> note(const PreparedFile& file) {
    notes_.emplace_back(file_id(file.file.path), file_json(file));
    return notes_.size() < kFilesAGroup ? Result<void>{} : close_group();
  }
  Result<void> forget(const std::string& path) {
    changed_.push_back(path);
    gone_.push_back(file_id(path));
    return gone_.size() < kFilesAGroup ? Result<void>{} : close_group();
  }

  // What an earlier run left of these files goes; then they are known as they are now.
  Result<void> close_group() {
    if (auto done = bulk_.flush(); !done) return done;
    if (auto done = remove_stale(); !done) return done;
    for (const auto& [id, document] : notes_) {
      if (auto done = bulk_.index(id, document); !done) return done;
    }
    for (const std::string& id : gone_) {
      if (auto done = bulk_.remove(id); !done) return done;
    }
    notes_.clear();
    gone_.clear();
    changed_.clear();
    return bulk_.flush();
  }

  Result<void> refresh() {
    auto done = client_->call("POST", path("_refresh"), "", kCallBudget);
    if (!done) return tl::unexpected(done.error());
    return {};
  }

  Result<std::size_t> count(std::string_view kind) {
    auto answer =
        client_->call("POST", path("_count"),
                      json::serialize(json::object{{"query", term("kind", kind)}}), kCallBudget);
    if (!answer) return tl::unexpected(answer.error());
    const json::object* object = answer->if_object();
    return static_cast<std::size_t>(object ? count_at(*object, "count") : 0);
  }

 private:
  std::string path(std::string_view action) const {
    return fmt::format("/{}/{}", client_->index(), action);
  }

  Result<void> compare(const json::value& mapping, const RemoteSettings& wanted) {
    auto there = settings_of(mapping);
    if (!there) return tl::unexpected(there.error());
    if (there->root != wanted.root)
      return fail(ErrorCode::InvalidInput, fmt::format("{} is an index of {}; choose another --index",
                                                       client_->index(), there->root));
    if (there->weights != wanted.weights)
      return fail(
          ErrorCode::InvalidInput,
          fmt::format("{} was made with another encoder; choose another --index", client_->index()));
    return {};
  }

  static std::string take_file(const json::value& hit, RemoteFiles& out) {
    const json::object* object = hit.if_object();
    const json::object* source = object ? object_at(*object, "_source") : nullptr;
    if (!source) return "";
    std::string file(text_at(*source, "file"));
    out[file] = {static_cast<std::uint64_t>(number_at(*source, "bytes")),
                 number_at(*source, "modified"),
                 std::strtoull(std::string(text_at(*source, "hash")).c_str(), nullptr, 16),
                 std::string(text_at(*source, "trouble"))};
    return file;
  }

  Result<void> remove_stale() {
    if (changed_.empty()) return {};
    const json::object old{
        {"filter",
         json::array{term("kind", "chunk"),
                     json::object{{"terms", json::object{{"file", json::value_from(changed_)}}}}}},
        {"must_not", term("run", run_)}};
    const json::object query{
        {"size", kPage}, {"_source", false}, {"query", json::object{{"bool", old}}}};
    while (true) {
      if (auto done = refresh(); !done) return done;
      auto answer = client_->call("POST", path("_search"), json::serialize(query), kCallBudget);
      if (!answer) return tl::unexpected(answer.error());
      auto stale = ids_of(*answer);
      if (!stale) return tl::unexpected(stale.error());
      if (stale->empty()) return {};
      for (const ScoredId& id : *stale) {
        if (auto done = bulk_.remove(id.id); !done) return done;
      }
      if (auto done = bulk_.flush(); !done) return done;
    }
  }

  std::shared_ptr<OpenSearchClient> client_;
  std::string run_;
  BulkWriter bulk_;
  std::vector<std::pair<std::string, std::string>> notes_;  // files of this group: id and document
  std::vector<std::string> gone_;
  std::vector<std::string> changed_;  // paths whose older chunks must go
};

Result<void> forget_vanished(RemoteIndex& index, const Walk& walk, const RemoteFiles& known,
                             IndexReport& report) {
  for (const auto& [path, file] : known) {
    if (is_found(walk, path)) continue;
    if (auto done = index.forget(path); !done) return done;
    ++report.removed;
  }
  return {};
}

}  // namespace

Result<IndexReport> update_opensearch(const std::string& root, const OpenSearchAddress& address,
                                      const RemoteIndexOptions& options,
                                      const std::function<void(const IndexProgress&)>& progress) {
  auto walk = walk_files(root, options.index.walk);
  if (!walk) return tl::unexpected(walk.error());
  std::shared_ptr<const Encoder> encoder;
  if (options.index.encoder != "none") {
    auto opened = open_encoder(options.index.encoder);
    if (!opened) return tl::unexpected(opened.error());
    encoder = *std::move(opened);
  }
  auto client = OpenSearchClient::create(address, options.http);
  if (!client) return tl::unexpected(client.error());
  RemoteSettings settings{std::filesystem::canonical(root).string(), options.index.encoder,
                          encoder ? encoder->fingerprint() : "",
                          encoder ? static_cast<int>(encoder->dimensions()) : 0, options.title_weight};
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  RemoteIndex index(*client, fmt::format("{:x}", now.count()));
  if (auto done = index.prepare(settings); !done) return tl::unexpected(done.error());
  const auto known = index.files();
  if (!known) return tl::unexpected(known.error());
  IndexReport report;
  report.skipped = walk->skipped;
  if (auto done = forget_vanished(index, *walk, *known, report); !done)
    return tl::unexpected(done.error());
  const auto write = [&](const PreparedFile& file, const RemoteFile*, bool is_same) {
    return is_same ? index.note(file) : index.write(file);
  };
  if (auto done = work_through(work_to_do(*walk, *known, report), options.index, settings.root,
                               encoder.get(), report, progress, write);
      !done)
    return tl::unexpected(done.error());
  if (auto done = index.close_group(); !done) return tl::unexpected(done.error());
  if (auto done = index.refresh(); !done) return tl::unexpected(done.error());
  const auto files = index.count("file");
  const auto chunks = index.count("chunk");
  if (!files) return tl::unexpected(files.error());
  if (!chunks) return tl::unexpected(chunks.error());
  report.files = *files;
  report.chunks = *chunks;
  return report;
}

}  // namespace signalbox
