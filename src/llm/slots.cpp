#include "llm/slots.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>

namespace signalbox {
namespace {

constexpr const char* kLocalOllama = "127.0.0.1:11434";

std::string environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value ? value : "";
}

std::string key_of(const std::string& slot) {
  std::string suffix = slot;
  for (char& c : suffix) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  const std::string own = environment("SIGNALBOX_LLM_KEY_" + suffix);
  return own.empty() ? environment("SIGNALBOX_LLM_KEY") : own;
}

}  // namespace

SlotTarget slot_target(const Profile& profile, const std::string& slot) {
  SlotTarget target;
  std::set<std::string> seen;  // a circle of fallbacks ends
  for (auto at = profile.slots.find(slot); at != profile.slots.end() && seen.insert(at->first).second;
       at = profile.slots.find(at->second.fallback)) {
    if (target.address.empty() && !at->second.url.empty()) {
      target.address = at->second.url;
      target.owner = at->first;
    }
    if (target.model.empty()) target.model = at->second.model;
  }
  return target;
}

std::string slot_model(const Profile& profile, const std::string& slot) {
  const SlotTarget target = slot_target(profile, slot);
  if (!target.model.empty() || !target.address.starts_with(kGgufScheme)) return target.model;
  const std::string path = target.address.substr(kGgufScheme.size());
  return std::filesystem::path(path.substr(0, path.find('?'))).stem().string();
}

Result<std::shared_ptr<SlotClient>> SlotClient::bind(const Profile& profile, LlmBackends& backends) {
  auto client = std::make_shared<SlotClient>();
  for (const auto& [name, binding] : profile.slots) {
    Bound bound;
    bound.target = slot_target(profile, name);
    if (bound.target.address.empty() && bound.target.model.empty()) continue;
    if (bound.target.address.empty()) {
      const std::string host = environment("OLLAMA_HOST");
      bound.target.address = "ollama://" + (host.empty() ? kLocalOllama : host);
      bound.target.owner = name;
    }
    auto backend = backends.get(bound.target.address, key_of(bound.target.owner));
    if (!backend)
      return fail(backend.error().code,
                  fmt::format("{}:{}:{}: slots.{}.url: {}", profile.path, binding.mark.line,
                              binding.mark.column, name, backend.error().message));
    bound.backend = *std::move(backend);
    client->slots_.emplace(name, std::move(bound));
  }
  if (client->slots_.empty()) return nullptr;
  return client;
}

Result<LlmAnswer> SlotClient::complete(const LlmRequest& request, const TextSink& sink) {
  const std::string slot = request.slot.empty() ? "main" : request.slot;
  const auto bound = slots_.find(slot);
  if (bound == slots_.end())
    return fail(ErrorCode::Upstream, fmt::format("the slot '{}' is bound to no model", slot));
  if (!request.model.empty() || bound->second.target.model.empty())
    return bound->second.backend->complete(request, sink);
  LlmRequest named = request;
  named.model = bound->second.target.model;
  return bound->second.backend->complete(named, sink);
}

std::vector<SlotStatus> SlotClient::status() const {
  std::vector<SlotStatus> out;
  for (const auto& [name, bound] : slots_) {
    out.push_back(
        {name, bound.target.model, shown_address(bound.target.address), bound.backend->state()});
  }
  return out;
}

std::vector<SlotStatus> SlotClient::check(Duration budget) {
  std::map<std::pair<LlmBackend*, std::string>, Result<void>> found;
  for (const auto& [name, bound] : slots_) found[{bound.backend.get(), bound.target.model}] = {};
  {
    std::vector<std::jthread> threads;
    for (auto& [which, result] : found) {
      threads.emplace_back([&which = which, &result = result, budget] {
        result = which.first->check(which.second, budget);
      });
    }
  }
  std::vector<SlotStatus> out = status();
  for (SlotStatus& slot : out) {
    const Bound& bound = slots_.at(slot.slot);
    const Result<void>& result = found.at({bound.backend.get(), bound.target.model});
    slot.state.reach = result ? Reach::Reachable : Reach::Unreachable;
    slot.state.problem = result ? "" : result.error().message;
  }
  return out;
}

void SlotClient::refresh(Duration age) {
  for (const auto& [name, bound] : slots_) bound.backend->refresh(bound.target.model, age);
}

void SlotClient::warm_up(Duration budget) {
  for (const auto& [name, bound] : slots_) bound.backend->warm_up(bound.target.model, budget);
}

}  // namespace signalbox
