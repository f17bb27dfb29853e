#include "pipeline/fleet.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <numeric>
#include <thread>

#include "cache/open_cache.h"
#include "call/function_stage.h"
#include "gate/gate_store.h"
#include "llm/slots.h"
#include "model/encoder_choice.h"
#include "profile/diagnostics.h"
#include "retrieve/index_retriever.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

std::string name_of(const std::string& path) {
  return fs::path(path).stem().string();
}

}  // namespace

std::vector<std::string> shipped_profiles() {
  std::vector<std::string> paths;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(profiles_folder(), ec)) {
    const fs::path file = entry.path() / (entry.path().filename().string() + ".yaml");
    if (fs::is_regular_file(file, ec)) paths.push_back(file.string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Result<std::string> find_profile(const std::string& name) {
  std::error_code ec;
  if (name.find_first_of("/.") != std::string::npos) {
    if (fs::is_regular_file(name, ec)) return name;
    const fs::path inside =
        fs::path(name) / (fs::path(name).lexically_normal().filename().string() + ".yaml");
    if (fs::is_regular_file(inside, ec)) return inside.string();
    return fail(ErrorCode::NotFound, fmt::format("no profile at '{}'", name));
  }
  std::vector<std::string> known;
  for (const std::string& path : shipped_profiles()) {
    if (name_of(path) == name) return path;
    known.push_back(name_of(path));
  }
  for (const std::string& candidate : {name + ".yaml", name + "/" + name + ".yaml"}) {
    if (fs::is_regular_file(candidate, ec)) return candidate;
  }
  const std::string meant = closest_name(name, known);
  return fail(ErrorCode::NotFound,
              fmt::format("no profile '{}'; {}", name,
                          meant.empty() ? fmt::format("there are: {}", fmt::join(known, ", "))
                                        : fmt::format("did you mean '{}'?", meant)));
}

Result<std::unique_ptr<Router>> open_router(const std::string& path, RouterOptions options,
                                            const OpenOptions& how) {
  auto profile = load_profile(path);
  if (!profile) return tl::unexpected(profile.error());
  const auto& off = options.disabled_steps;
  if (!options.gate && std::find(off.begin(), off.end(), "gatekeeper") == off.end()) {
    auto gate = open_gate(**profile);
    if (!gate)
      return fail(gate.error().code, fmt::format("{}: gatekeeper: {}", path, gate.error().message));
    options.gate = *std::move(gate);
  }
  if (!options.llm) {
    auto slots = SlotClient::bind(**profile);
    if (!slots) return tl::unexpected(slots.error());
    options.llm = *std::move(slots);
    if (options.llm && how.wrap) options.llm = how.wrap(std::move(options.llm));
  }
  if (!options.retriever && !(*profile)->index.empty()) {
    auto retriever = open_retriever((*profile)->index);
    if (!retriever)
      return fail(retriever.error().code,
                  fmt::format("{}: index: {}", path, retriever.error().message));
    options.retriever = *std::move(retriever);
  }
  if (!options.encoder && (*profile)->references.enabled) {
    // Without its file relevance goes unused; an encoder the gatekeeper needs has failed above.
    auto encoder = open_encoder((*profile)->gatekeeper.encoder, fs::path(path).parent_path().string());
    if (encoder) options.encoder = *std::move(encoder);
  }
  if (how.with_cache && !options.cache && std::find(off.begin(), off.end(), "cache") == off.end()) {
    const std::string words = profiles_folder() + "/common/cache.yaml";
    auto cache = open_cache(**profile, {words, options.llm != nullptr, options.clock});
    if (!cache)
      return fail(cache.error().code, fmt::format("{}: cache: {}", path, cache.error().message));
    options.cache = *std::move(cache);
  }
  if (!options.functions && std::find(off.begin(), off.end(), "plan") == off.end()) {
    auto functions = open_stage(**profile, options.llm, options.clock);
    if (!functions)
      return fail(functions.error().code,
                  fmt::format("{}: functions: {}", path, functions.error().message));
    options.functions = *std::move(functions);
  }
  return Router::create(*std::move(profile), std::move(options));
}

Result<std::vector<std::unique_ptr<Router>>> open_routers(const std::vector<std::string>& paths,
                                                          const RouterOptions& options,
                                                          const OpenOptions& how) {
  std::vector<Result<std::unique_ptr<Router>>> opened(paths.size());
  // The largest first, so that no core is left with a long one at the end.
  std::vector<std::size_t> order(paths.size());
  std::iota(order.begin(), order.end(), 0);
  const auto bytes = [&](std::size_t at) {  // of the profile and the lists beside it
    std::uintmax_t sum = 0;
    std::error_code ec;
    for (const auto& entry : fs::directory_iterator(fs::path(paths[at]).parent_path(), ec)) {
      if (entry.path().extension() == ".yaml") sum += entry.file_size(ec);
    }
    return sum;
  };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return bytes(a) > bytes(b); });
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t at = next++; at < order.size(); at = next++)
      opened[order[at]] = open_router(paths[order[at]], options, how);
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    for (std::size_t i = 1; i < std::min(cores, paths.size()); ++i) threads.emplace_back(work);
    work();
  }
  std::vector<std::unique_ptr<Router>> routers;
  for (auto& router : opened) {
    if (!router) return tl::unexpected(router.error());
    routers.push_back(*std::move(router));
  }
  return routers;
}

void warm_up_models(const std::vector<std::unique_ptr<Router>>& routers) {
  for (const std::unique_ptr<Router>& router : routers) {
    if (const auto slots = SlotClient::bind(router->profile()); slots && *slots) (*slots)->warm_up();
  }
}

}  // namespace signalbox
