#include "test/conformance/case_router.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <tuple>

#include "pipeline/fleet.h"
#include "test/fakes/fake_llm.h"

namespace signalbox {
namespace {

struct Bench {
  std::shared_ptr<FakeLlm> llm;
  std::unique_ptr<Router> router;
};

// Sets the variables and puts the old values back.
class ScopedEnvironment {
 public:
  explicit ScopedEnvironment(const Environment& wanted) {
    for (const auto& [name, value] : wanted) {
      const char* old = ::getenv(name.c_str());
      old_[name] = old ? std::optional<std::string>(old) : std::nullopt;
      ::setenv(name.c_str(), value.c_str(), 1);
    }
  }
  ~ScopedEnvironment() {
    for (const auto& [name, value] : old_) {
      if (value)
        ::setenv(name.c_str(), value->c_str(), 1);
      else
        ::unsetenv(name.c_str());
    }
  }
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;

 private:
  std::map<std::string, std::optional<std::string>> old_;
};

Result<Bench*> bench_for(const std::string& path, bool with_llm, bool with_gate,
                         const Environment& environment) {
  static std::map<std::tuple<std::string, bool, bool, Environment>, Bench> benches;
  Bench& bench = benches[{path, with_llm, with_gate, environment}];
  if (bench.router) return &bench;
  RouterOptions options;
  options.contract_sample = 1;
  if (with_llm) options.llm = bench.llm = std::make_shared<FakeLlm>(std::vector<std::string>{});
  if (!with_gate) options.disabled_steps = {"gatekeeper"};
  const ScopedEnvironment scope(environment);
  auto opened = open_router(path, std::move(options));
  if (!opened) return tl::unexpected(opened.error());
  bench.router = *std::move(opened);
  return &bench;
}

}  // namespace

std::string profile_path(const Case& one, const std::string& file) {
  if (one.profile.ends_with(".yaml"))
    return (std::filesystem::path(file).parent_path() / one.profile).string();
  return fmt::format("{}/profiles/{}/{}.yaml", SIGNALBOX_SOURCE_DIR, one.profile, one.profile);
}

Result<Decision> route_case(const Case& one, const std::string& profile, bool with_gate,
                            const Environment& environment) {
  auto bench = bench_for(profile, one.has_llm, with_gate, environment);
  if (!bench) return tl::unexpected(bench.error());
  if (one.has_llm) (*bench)->llm->set_answers(one.llm);
  return (*bench)->router->route(one.request);
}

}  // namespace signalbox
