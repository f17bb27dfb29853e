// The whole server in one object: profiles, guard, metrics, API and HTTP, started and stopped together.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "net/http_server.h"
#include "signalbox/result.h"

namespace signalbox {

struct ServingOptions {
  HttpServerOptions http;
  std::vector<std::string> profiles;  // paths
  std::string usual_profile;          // of callers who name none; empty: the first
  std::string keys_file;              // empty: no keys, and loopback only
  std::string sessions = "memory";    // or sqlite:PATH, redis://HOST:PORT, redis-cluster://…
  std::string log_file;               // empty: decisions are not kept
  double log_sample = 1;              // the share that is
  std::uint64_t log_bytes = std::uint64_t{1} << 30;
  std::string redaction_file;  // empty: nothing is taken out
  std::string reports;         // folder of `eval --report` files; empty: none
  std::string trace_endpoint;  // of an OTLP collector; empty: no traces
  bool watches = false;        // reload when a profile's file changes
  std::size_t workers = 8;     // threads for what may wait
  std::size_t queue = 1024;    // further work is refused with 503
};

class Serving {
 public:
  // InvalidInput: a profile, a key file or an address that is wrong, or an address beyond this machine
  // without keys.
  static Result<std::unique_ptr<Serving>> start(ServingOptions options);
  ~Serving();

  const std::vector<std::string>& addresses() const;
  std::vector<std::string> endpoints() const;  // "POST /v1/route", …
  bool has_keys() const;
  std::size_t profile_count() const;
  // Reads the profiles anew; on failure the old ones go on serving. Either is logged.
  Result<void> reload();
  void stop(Duration limit);

 private:
  struct State;
  explicit Serving(std::unique_ptr<State> state);
  void watch_files();
  std::unique_ptr<State> state_;
};

}  // namespace signalbox
