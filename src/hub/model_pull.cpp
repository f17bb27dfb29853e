#include "hub/model_pull.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>

#include "base/sha256.h"
#include "hub/hub_file.h"
#include "hub/part_file.h"
#include "model/gguf_file.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

HubError wrapped_error(const Error& error) {
  HubError out;
  static_cast<Error&>(out) = error;
  return out;
}

// Where the bytes of a 206 begin; nothing when its Content-Range is not readable.
std::optional<std::uint64_t> range_start(const HttpHead& head) {
  std::string_view range = head.find("Content-Range");
  if (!range.starts_with("bytes ")) return std::nullopt;
  range.remove_prefix(6);
  std::uint64_t start = 0;
  const auto [end, error] = std::from_chars(range.data(), range.data() + range.size(), start);
  if (error != std::errc() || end == range.data() + range.size() || *end != '-') return std::nullopt;
  return start;
}

// Sleeps, but not past a cancel.
void pause(Duration time, std::stop_token cancel) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait_for(lock, std::move(cancel), time, [] { return false; });
}

class Pull {
 public:
  Pull(HttpClient& client, const ModelAddress& address, const PullOptions& options,
       const PullListener& listener, PartFile part)
      : client_(client),
        address_(address),
        options_(options),
        listener_(listener),
        part_(std::move(part)) {}

  // Until the part is whole, or the tries are spent.
  HubResult<HubFile> fetch_whole_file();
  Result<std::string> check(const HubFile& file);
  PartFile& part() { return part_; }

 private:
  HubResult<HubFile> fetch_once();
  HubResult<void> prepare(const HubFile& file);
  HubResult<void> fetch_bytes(const HubFile& file);
  HubResult<void> accept(const HttpHead& head);
  HubResult<void> take(std::string_view bytes, const HubFile& file);
  void note(const std::string& text) const {
    if (listener_.note) listener_.note(text);
  }
  void progress(PullProgress::Stage stage, std::uint64_t done, std::uint64_t total) const {
    if (listener_.progress) listener_.progress({stage, done, total});
  }

  HttpClient& client_;
  const ModelAddress& address_;
  const PullOptions& options_;
  const PullListener& listener_;
  PartFile part_;
};

HubResult<HubFile> Pull::fetch_whole_file() {
  Duration wait = options_.first_pause;
  for (int tries = 1;; ++tries) {
    const std::uint64_t before = part_.bytes();
    auto file = fetch_once();
    if (file) return file;
    if (part_.bytes() > before) {
      tries = 1;
      wait = options_.first_pause;
    }
    if (!file.error().may_pass || tries >= options_.tries || options_.cancel.stop_requested())
      return file;
    const Duration longest = std::max(wait, file.error().wait);
    note(fmt::format("{}; trying again in {:.1f} s", file.error().message,
                     std::chrono::duration<double>(longest).count()));
    pause(longest, options_.cancel);
    wait *= 2;
  }
}

HubResult<HubFile> Pull::fetch_once() {
  // The hub is asked each time: where the bytes are is told for minutes only.
  auto file = ask_hub(client_, address_, options_.token, options_.cancel);
  if (!file) return file;
  if (auto prepared = prepare(*file); !prepared) return tl::unexpected(prepared.error());
  if (file->bytes == 0 || part_.bytes() < file->bytes) {
    if (auto fetched = fetch_bytes(*file); !fetched) return tl::unexpected(fetched.error());
  }
  if (file->bytes != 0 && part_.bytes() != file->bytes) {
    HubError cut;
    cut.code = ErrorCode::Upstream;
    cut.message = fmt::format("{}: {} of {} bytes came", address_.file, part_.bytes(), file->bytes);
    cut.may_pass = true;
    return tl::unexpected(cut);
  }
  return file;
}

HubResult<void> Pull::prepare(const HubFile& file) {
  const bool has_changed =
      file.etag.empty() || file.etag != part_.etag() || (file.bytes != 0 && part_.bytes() > file.bytes);
  if (has_changed) {
    if (part_.bytes() > 0) note("the file changed at the hub; starting over");
    if (auto restarted = part_.restart(file.etag); !restarted)
      return tl::unexpected(wrapped_error(restarted.error()));
  } else if (part_.bytes() > 0) {
    note(fmt::format("resuming at {:.1f} MB", static_cast<double>(part_.bytes()) / 1e6));
  }
  std::error_code error;
  const auto space = fs::space(fs::path(part_.path()).parent_path(), error);
  const std::uint64_t needed = file.bytes - std::min(file.bytes, part_.bytes()) + options_.spare_bytes;
  if (!error && space.available < needed) {
    return tl::unexpected(wrapped_error(
        {ErrorCode::Overloaded,
         fmt::format("{} needs {:.1f} MB and the disk has {:.1f} MB left", address_.file,
                     static_cast<double>(needed) / 1e6, static_cast<double>(space.available) / 1e6)}));
  }
  return {};
}

HubResult<void> Pull::accept(const HttpHead& head) {
  if (head.status == 206 && range_start(head) == part_.bytes()) return {};
  if (head.status != 200) {
    // A range that is not there: what is kept does not belong to the file.
    HubError error = hub_error(head, address_.file, !options_.token.empty());
    if (head.status == 416 || head.status == 206) {
      if (auto restarted = part_.restart(part_.etag()); !restarted)
        return tl::unexpected(wrapped_error(restarted.error()));
      error.may_pass = true;
    }
    return tl::unexpected(error);
  }
  if (part_.bytes() == 0) return {};
  note("the hub cannot resume; starting over");
  auto restarted = part_.restart(part_.etag());
  if (!restarted) return tl::unexpected(wrapped_error(restarted.error()));
  return {};
}

HubResult<void> Pull::take(std::string_view bytes, const HubFile& file) {
  if (file.bytes != 0 && part_.bytes() + bytes.size() > file.bytes) {
    return tl::unexpected(
        wrapped_error({ErrorCode::Corrupt, address_.file + ": more bytes came than the hub said"}));
  }
  if (auto written = part_.append(bytes); !written)
    return tl::unexpected(wrapped_error(written.error()));
  progress(PullProgress::Stage::Downloading, part_.bytes(), file.bytes);
  return {};
}

HubResult<void> Pull::fetch_bytes(const HubFile& file) {
  HttpRequest request;
  request.url = file.url;
  request.headers = hub_headers(file.url, file.is_on_hub, options_.token);
  if (part_.bytes() > 0) request.headers.push_back({"Range", fmt::format("bytes={}-", part_.bytes())});
  request.max_body = 0;
  request.max_redirects = 5;
  request.idle_timeout = std::chrono::seconds(30);
  request.cancel = options_.cancel;
  HubResult<void> outcome;
  const auto going_on = [&outcome](HubResult<void> step) {
    outcome = std::move(step);
    return outcome.has_value();
  };
  const auto answer =
      client_.fetch(request, {[&](const HttpHead& head) { return going_on(accept(head)); },
                              [&](std::string_view bytes) { return going_on(take(bytes, file)); }});
  if (!outcome) return outcome;
  if (!answer) return tl::unexpected(hub_error(answer.error()));
  return {};
}

Result<std::string> Pull::check(const HubFile& file) {
  const std::uint64_t total = part_.bytes();
  auto sum = sha256_of_file(
      part_.path(), [&](std::uint64_t done) { progress(PullProgress::Stage::Checking, done, total); });
  if (!sum) return sum;
  for (const std::string& wanted : {options_.sha256, file.sha256}) {
    if (wanted.empty() || wanted == *sum) continue;
    part_.discard();
    return fail(ErrorCode::Corrupt, fmt::format("{}: its SHA-256 is {}, not {}; nothing was kept",
                                                address_.file, *sum, wanted));
  }
  if (model_kind_of(options_.file.empty() ? address_.file : options_.file) != ModelKind::Gguf)
    return sum;
  if (const auto header = read_gguf_file(part_.path()); !header) {
    part_.discard();
    return fail(ErrorCode::Corrupt, header.error().message + "; nothing was kept");
  }
  return sum;
}

}  // namespace

Result<StoredModel> pull_model(HttpClient& client, const ModelAddress& address,
                               const PullOptions& options, const PullListener& listener) {
  const std::string folder = options.folder.empty() ? model_store_folder() : options.folder;
  const std::string name = options.file.empty() ? address.file : options.file;
  if (folder.empty())
    return fail(ErrorCode::NotFound, "neither XDG_CACHE_HOME nor HOME says where models are kept");
  if (!is_plain_file_name(name))
    return fail(ErrorCode::InvalidInput, fmt::format("'{}' cannot be a file's name here", name));
  std::error_code error;
  fs::create_directories(folder, error);
  const std::string target = (fs::path(folder) / name).string();
  const bool exists = fs::exists(target, error);
  if (exists && read_model_note(target).source != address.url)
    return fail(ErrorCode::InvalidInput,
                fmt::format("there is another model '{}'; choose a name with --name", name));
  if (exists) {
    const auto file = ask_hub(client, address, options.token, options.cancel);
    if (!file) return fail(file.error().code, file.error().message);
    if (!file->sha256.empty() && file->sha256 == read_model_note(target).sha256)
      return stored_model(target);
  }
  auto part = PartFile::open(target);
  if (!part) return tl::unexpected(part.error());
  Pull pull(client, address, options, listener, *std::move(part));
  const auto file = pull.fetch_whole_file();
  if (!file) {
    if (file.error().code == ErrorCode::Corrupt || pull.part().bytes() == 0) pull.part().discard();
    return fail(file.error().code, file.error().message);
  }
  const auto sum = pull.check(*file);
  if (!sum) return tl::unexpected(sum.error());
  if (auto published = pull.part().publish(); !published) return tl::unexpected(published.error());
  if (auto noted = write_model_note(target, {*sum, address.url}); !noted)
    return tl::unexpected(noted.error());
  return stored_model(target);
}

}  // namespace signalbox
