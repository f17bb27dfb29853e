// A GGUF file served in process through llama.cpp: what its address says, and how it is opened.
//
//   gguf:PATH[?ctx=4096&threads=2&queue=32&prefixes=3&lora=PATH:SCALE&think=true&template=PATH]
//
// PATH is a file, or the name of one in the model store (`signalbox models list`). llama.cpp is an
// optional component: without it parsing works and opening says in one line how to have it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "llm/llm_client.h"
#include "signalbox/result.h"

namespace signalbox {

inline constexpr std::string_view kGgufScheme = "gguf:";

struct LoraAdapter {
  std::string path;
  float scale = 1;
};

struct GgufOptions {
  std::string path;
  int context = 4096;  // tokens of prompt and answer together; never more than the model was made for
  int threads = 0;     // 0: as many as the machine has cores, at most 8
  int queue = 32;      // calls that may wait; one more is Overloaded at once
  int prefixes = 3;    // different prompts whose beginnings are kept; each takes memory for `context`
  bool think = false;  // lets a reasoning model think before it answers free text
  std::vector<LoraAdapter> adapters;
  std::string chat_template;  // a Jinja file instead of the model's own; empty: the model's
};

// Relative paths are those of `folder`; empty: of the working directory. InvalidInput: no path, an
// unknown option, a number out of its range.
Result<GgufOptions> parse_gguf_address(std::string_view address, const std::string& folder = "");

// Whether the program was built with llama.cpp.
bool has_llama();

// Loads the model, or shares the one already loaded from the same options. NotFound: no such file, or
// built without llama.cpp. Corrupt: not a GGUF file, damaged, or of a kind llama.cpp does not know.
Result<std::shared_ptr<LlmClient>> open_gguf(const GgufOptions& options);

}  // namespace signalbox
