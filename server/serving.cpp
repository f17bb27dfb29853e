#include "server/serving.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "base/log.h"
#include "net/asio_http_client.h"
#include "net/listen_address.h"
#include "pipeline/fleet.h"
#include "record/llm_tape.h"
#include "server/api.h"
#include "server/file_watch.h"
#include "server/key_ring.h"
#include "store/open_sessions.h"

namespace signalbox {
namespace {

Result<Guard*> make_guard(const ServingOptions& options, std::unique_ptr<Guard>& out) {
  if (options.keys_file.empty()) {
    out = std::make_unique<Guard>();
    return out.get();
  }
  std::ifstream file(options.keys_file, std::ios::binary);
  if (!file) return fail(ErrorCode::InvalidInput, fmt::format("cannot read '{}'", options.keys_file));
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  auto keys = parse_keys(text);
  if (!keys)
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: {}", options.keys_file, keys.error().message));
  if (keys->empty())
    return fail(ErrorCode::InvalidInput, fmt::format("{}: holds no key", options.keys_file));
  out = std::make_unique<Guard>(*std::move(keys));
  return out.get();
}

double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

struct Serving::State {
  Metrics metrics;
  std::unique_ptr<Guard> guard;
  std::unique_ptr<KeyRing> keys;
  std::unique_ptr<DecisionLog> log;
  std::shared_ptr<SessionStore> sessions;
  std::unique_ptr<FleetHolder> fleet;
  std::unique_ptr<WorkerPool> pool;
  std::shared_ptr<AsioHttpClient> client;
  std::unique_ptr<SpanExport> spans;
  std::unique_ptr<Recorder> recorder;
  std::unique_ptr<Api> api;
  std::unique_ptr<HttpServer> http;  // ends before what its handlers use
  std::unique_ptr<FileWatch> files;
  Metrics::Id reloads = Metrics::kNone;
  Metrics::Id failed_reloads = Metrics::kNone;

  Result<void> open_records(const ServingOptions& options);
  void register_gauges();
};

Result<void> Serving::State::open_records(const ServingOptions& options) {
  auto store = open_sessions(options.sessions);
  if (!store) return tl::unexpected(store.error());
  sessions = store->store;
  if (!store->notice.empty()) log_event(LogLevel::Warn, "sessions", {{"message", store->notice}});
  client = std::make_shared<AsioHttpClient>();
  if (!options.trace_endpoint.empty()) {
    SpanOptions to;
    to.endpoint = options.trace_endpoint;
    spans = std::make_unique<SpanExport>(to, client);
  }
  if (!options.log_file.empty()) {
    LogOptions to;
    to.path = options.log_file;
    to.sample = options.log_sample;
    to.max_bytes = options.log_bytes;
    if (!options.redaction_file.empty()) {
      auto redactor = Redactor::open(options.redaction_file);
      if (!redactor) return tl::unexpected(redactor.error());
      to.redactor = *std::move(redactor);
    }
    auto opened = DecisionLog::open(to);
    if (!opened) return tl::unexpected(opened.error());
    log = *std::move(opened);
  }
  recorder = std::make_unique<Recorder>(log.get(), spans.get());
  return {};
}

void Serving::State::register_gauges() {
  metrics.gauge("process_resident_memory_bytes", "Resident memory.", resident_bytes);
  metrics.gauge("signalbox_connections_open", "Open connections.",
                [this] { return http ? static_cast<double>(http->counts().open) : 0.0; });
  metrics.gauge(
      "signalbox_connections_total", "Connections accepted.",
      [this] { return http ? static_cast<double>(http->counts().accepted) : 0.0; }, "", true);
  metrics.gauge(
      "signalbox_connection_timeouts_total", "Connections ended because they waited too long.",
      [this] { return http ? static_cast<double>(http->counts().timed_out) : 0.0; }, "", true);
  metrics.gauge("signalbox_queue_length", "Work that waits for a thread.",
                [this] { return static_cast<double>(pool->queued()); });
  reloads =
      metrics.counter("signalbox_reloads_total", "Reloads of the profiles.", label("outcome", "done"));
  failed_reloads = metrics.counter("signalbox_reloads_total", "Reloads of the profiles.",
                                   label("outcome", "failed"));
}

Serving::Serving(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<Serving>> Serving::start(ServingOptions options) {
  for (const std::string& text : options.http.listen) {
    const auto address = parse_listen_address(text);
    if (!address) return tl::unexpected(address.error());
    if (options.keys_file.empty() && !address->is_loopback) {
      return fail(
          ErrorCode::InvalidInput,
          fmt::format("{} can be reached from other machines and no keys are configured: make one with "
                      "`signalbox keys new` and give --keys FILE, or listen on 127.0.0.1",
                      text));
    }
  }
  auto state = std::make_unique<State>();
  if (auto guard = make_guard(options, state->guard); !guard) return tl::unexpected(guard.error());
  if (!options.keys_file.empty())
    state->keys = std::make_unique<KeyRing>(options.keys_file, *state->guard);
  if (auto opened = state->open_records(options); !opened) return tl::unexpected(opened.error());
  state->fleet = std::make_unique<FleetHolder>(
      options.profiles, options.usual_profile, state->metrics,
      [log = state->log.get(), sessions = state->sessions](const std::vector<std::string>& paths) {
        RouterOptions with;
        with.sessions = sessions;
        OpenOptions how;
        how.with_cache = true;
        if (log) {
          how.wrap = [log](std::shared_ptr<LlmClient> llm) {
            return std::make_shared<RecordingLlm>(std::move(llm), *log,
                                                  std::make_shared<SteadyClock>());
          };
        }
        return open_routers(paths, with, how);
      });
  if (auto loaded = state->fleet->reload(); !loaded) return tl::unexpected(loaded.error());
  state->pool = std::make_unique<WorkerPool>(options.workers, options.queue);
  state->register_gauges();
  state->api = std::make_unique<Api>(ApiParts{
      *state->fleet, state->metrics, *state->guard, *state->pool, *state->client, *state->recorder,
      state->log.get(), state->sessions.get(), std::string_view(state->sessions->kind()) == "memory",
      state->keys.get(), options.reports});
  auto http = HttpServer::start(
      options.http,
      [api = state->api.get()](const ServerRequest& request, ServerReply& reply, AnswerLater& later) {
        api->handle(request, reply, later);
      });
  if (!http) return tl::unexpected(http.error());
  state->http = *std::move(http);
  std::unique_ptr<Serving> serving(new Serving(std::move(state)));
  if (options.watches) serving->watch_files();
  return serving;
}

// The folders of the profiles, and the one of what they share.
void Serving::watch_files() {
  std::set<std::string> folders;
  for (const std::string& path : state_->fleet->paths()) {
    const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
    folders.insert(folder.string());
    folders.insert((folder / "prompts").string());
    folders.insert((folder.parent_path() / "common").string());
  }
  auto watch = FileWatch::start({folders.begin(), folders.end()}, [this] { reload(); });
  if (watch)
    state_->files = *std::move(watch);
  else
    log_event(LogLevel::Warn, "no_file_watch", {{"message", watch.error().message}});
}

Serving::~Serving() {
  stop(Duration::zero());
}

const std::vector<std::string>& Serving::addresses() const {
  return state_->http->addresses();
}

std::vector<std::string> Serving::endpoints() const {
  return state_->api->endpoints();
}

bool Serving::has_keys() const {
  return state_->guard->has_keys();
}

std::size_t Serving::profile_count() const {
  return state_->fleet->get()->profiles.size();
}

Result<void> Serving::reload() {
  auto done = state_->fleet->reload();
  state_->metrics.add(done ? state_->reloads : state_->failed_reloads);
  if (!done)
    log_event(LogLevel::Error, "reload_failed",
              {{"message", done.error().message}, {"serving", "the profiles as they were"}});
  else
    log_event(LogLevel::Info, "reloaded", {{"profiles", std::to_string(profile_count())}});
  return done;
}

void Serving::stop(Duration limit) {
  state_->files.reset();
  state_->http->stop(limit);
  state_->pool.reset();  // what was queued answers nobody any more, and ends
}

}  // namespace signalbox
