#include "server/serving.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "net/listen_address.h"
#include "pipeline/fleet.h"
#include "server/api.h"

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
  std::unique_ptr<FleetHolder> fleet;
  std::unique_ptr<WorkerPool> pool;
  std::unique_ptr<Api> api;
  std::unique_ptr<HttpServer> http;  // last: it ends first
  Metrics::Id reloads = Metrics::kNone;
  Metrics::Id failed_reloads = Metrics::kNone;

  void watch();
};

void Serving::State::watch() {
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
  state->fleet = std::make_unique<FleetHolder>(
      options.profiles, options.usual_profile, state->metrics,
      [](const std::vector<std::string>& paths) { return open_routers(paths, true); });
  if (auto loaded = state->fleet->reload(); !loaded) return tl::unexpected(loaded.error());
  state->pool = std::make_unique<WorkerPool>(options.workers, options.queue);
  state->watch();
  state->api =
      std::make_unique<Api>(ApiParts{*state->fleet, state->metrics, *state->guard, *state->pool});
  auto http = HttpServer::start(
      options.http,
      [api = state->api.get()](const ServerRequest& request, ServerReply& reply, AnswerLater& later) {
        api->handle(request, reply, later);
      });
  if (!http) return tl::unexpected(http.error());
  state->http = *std::move(http);
  return std::unique_ptr<Serving>(new Serving(std::move(state)));
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
  return done;
}

void Serving::stop(Duration limit) {
  state_->http->stop(limit);
  state_->pool.reset();  // what was queued answers nobody any more, and ends
}

}  // namespace signalbox
