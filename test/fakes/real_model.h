// The real language model of the tests and llama-server, where set-up could fetch them.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "llm/gguf_backend.h"
#include "model/model_dir.h"

namespace signalbox {

inline std::string real_model_path() {
  return user_model_dir() + "/SmolLM2-135M-Instruct.Q4_1.gguf";
}

// Empty when the real model can run in this process.
inline std::string why_no_real_model() {
  if (!has_llama()) return "built without llama.cpp: scripts/fetch-llama.sh builds it once";
  if (!std::filesystem::exists(real_model_path()))
    return "no model: scripts/fetch-smollm.sh fetches it";
  return "";
}

// Empty when it is not there: scripts/fetch-llama.sh builds it.
inline std::string llama_server_path() {
  const std::filesystem::path cache = std::filesystem::path(user_model_dir()).parent_path() / "llama";
  std::error_code error;
  for (const auto& version : std::filesystem::directory_iterator(cache, error)) {
    const std::filesystem::path program = version.path() / "bin" / "llama-server";
    if (std::filesystem::exists(program, error)) return program.string();
  }
  return "";
}

// Empty when a llama-server with the model can be started.
inline std::string why_no_llama_server() {
  if (llama_server_path().empty() || !std::filesystem::exists(real_model_path()))
    return "no llama-server or model: scripts/setup-models.sh fetches both";
  return "";
}

}  // namespace signalbox
