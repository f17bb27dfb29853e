// Brings a model file from a hub into the store: resumed where it was cut, checked before it appears.
//
// The hub is asked first: its redirect names the file's ETag, size and SHA-256 (Hugging Face's
// X-Linked-* headers). Bytes gather in NAME.part; a cut connection, now or in an earlier run, goes on
// from there as long as the hub's ETag is the same. The whole file is summed, a .gguf is read, and only
// then renamed.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "hub/model_address.h"
#include "hub/model_store.h"
#include "net/http_client.h"

namespace signalbox {

struct PullOptions {
  std::string folder;  // empty: the store's
  std::string file;    // empty: the address's
  std::string sha256;  // what it must be; empty: as the hub says
  std::string token;   // goes to the hub alone, over https or to this machine; never into a message
  Duration first_pause =
      std::chrono::milliseconds(500);  // before the second try; doubled for each further one
  int tries = 5;                       // in a row that bring no byte
  std::uint64_t spare_bytes = std::uint64_t{64} << 20U;  // of the disk that must stay free
  std::stop_token cancel;
};

struct PullProgress {
  enum class Stage { Downloading, Checking };
  Stage stage = Stage::Downloading;
  std::uint64_t done = 0;
  std::uint64_t total = 0;  // 0: the hub did not say
};

struct PullListener {
  std::function<void(const PullProgress&)> progress;
  std::function<void(const std::string& note)> note;  // "resuming at …", "the connection was cut …"
};

// NotFound: no such file at the hub. InvalidInput: no permission, or the name is taken by another
// model. Corrupt: its checksum, size or content is wrong; nothing of it is kept. Overloaded: no room on
// the disk. Upstream or Timeout: the hub or the way to it, after all tries; what came is kept for the
// next run.
Result<StoredModel> pull_model(HttpClient& client, const ModelAddress& address,
                               const PullOptions& options, const PullListener& listener = {});

}  // namespace signalbox
