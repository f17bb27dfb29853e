// A real llama-server with the real model of the tests, on a port of its own, ended with the object.
#pragma once

#include <memory>
#include <string>

namespace signalbox {

class LlamaServer {
 public:
  // Null: it cannot run here, and `why` says what is missing. Waits until the model is loaded.
  static std::unique_ptr<LlamaServer> start(std::string& why);
  ~LlamaServer();
  LlamaServer(const LlamaServer&) = delete;
  LlamaServer& operator=(const LlamaServer&) = delete;

  std::string url() const;  // of its OpenAI face

 private:
  LlamaServer(int process, int port) : process_(process), port_(port) {}
  bool answers() const;

  int process_;
  int port_;
};

}  // namespace signalbox
