#include "model/llama_model.h"

#include <fmt/format.h>
#include <log.h>

#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <mutex>

#include "model/gguf_file.h"

namespace signalbox {
namespace {

// The last error line llama.cpp wrote on this thread: its functions return null and say why in the log
// alone.
thread_local std::string last_complaint;

void remember_complaint(ggml_log_level level, const char* text, void*) {
  if (level != GGML_LOG_LEVEL_ERROR || text == nullptr) return;
  last_complaint = text;
  while (!last_complaint.empty() && last_complaint.back() == '\n') last_complaint.pop_back();
}

void start_llama() {
  static std::once_flag once;
  std::call_once(once, [] {
    common_log_set_verbosity_thold(-1);
    llama_log_set(remember_complaint, nullptr);
    llama_backend_init();
  });
}

// The libraries are built for AVX2; a processor without it must hear so instead of trapping.
bool processor_serves() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2");
#else
  return true;
#endif
}

Result<void> check_header(const std::string& path, std::string_view type) {
  const auto header = read_gguf_file(path);
  if (!header) return tl::unexpected(header.error());
  if (header->type == type) return {};
  return fail(ErrorCode::Corrupt, fmt::format("{}: is a GGUF {}, not a {}", path, header->type, type));
}

// Empty for no path: the model's own template is then used.
Result<std::string> read_template(const std::string& path) {
  if (path.empty()) return std::string();
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (text.empty()) return fail(ErrorCode::NotFound, path + ": no chat template there");
  return text;
}

}  // namespace

Result<std::unique_ptr<LlamaModel>> LlamaModel::load(const GgufOptions& options) {
  if (!processor_serves())
    return fail(ErrorCode::NotFound, "gguf: models need a processor with AVX2, FMA and BMI2");
  if (auto checked = check_header(options.path, "model"); !checked)
    return tl::unexpected(checked.error());
  start_llama();
  last_complaint.clear();
  std::unique_ptr<LlamaModel> model(new LlamaModel());
  model->model_ = llama_model_load_from_file(options.path.c_str(), llama_model_default_params());
  if (model->model_ == nullptr) {
    return fail(ErrorCode::Corrupt,
                fmt::format("{}: llama.cpp cannot load it: {}", options.path, last_complaint));
  }
  if (!llama_model_has_decoder(model->model_) || llama_model_has_encoder(model->model_))
    return fail(ErrorCode::Corrupt, options.path + ": is not a model that writes text");
  if (auto adapted = model->load_adapters(options); !adapted) return tl::unexpected(adapted.error());
  auto chat_template = read_template(options.chat_template);
  if (!chat_template) return tl::unexpected(chat_template.error());
  try {
    model->templates_ = common_chat_templates_init(model->model_, *chat_template);
  } catch (const std::exception& e) {
    return fail(ErrorCode::Corrupt,
                fmt::format("{}: its chat template cannot be read: {}", options.path, e.what()));
  }
  model->name_ = std::filesystem::path(options.path).stem().string();
  return model;
}

Result<void> LlamaModel::load_adapters(const GgufOptions& options) {
  for (const LoraAdapter& adapter : options.adapters) {
    if (auto checked = check_header(adapter.path, "adapter"); !checked)
      return tl::unexpected(checked.error());
    last_complaint.clear();
    llama_adapter_lora* loaded = llama_adapter_lora_init(model_, adapter.path.c_str());
    if (loaded == nullptr) {
      return fail(ErrorCode::Corrupt,
                  fmt::format("{}: does not fit {}: {}", adapter.path, options.path, last_complaint));
    }
    adapters_.push_back(loaded);
    scales_.push_back(adapter.scale);
  }
  return {};
}

LlamaModel::~LlamaModel() {
  if (model_ != nullptr) llama_model_free(model_);
}

bool LlamaModel::adapt(llama_context* context) const {
  if (adapters_.empty()) return true;
  auto adapters = adapters_;
  auto scales = scales_;
  return llama_set_adapters_lora(context, adapters.data(), adapters.size(), scales.data()) == 0;
}

std::vector<llama_token> LlamaModel::tokens_of(std::string_view text, bool with_special) const {
  std::vector<llama_token> tokens(text.size() + 8);
  const auto tokenize = [&] {
    return llama_tokenize(vocabulary(), text.data(), static_cast<std::int32_t>(text.size()),
                          tokens.data(), static_cast<std::int32_t>(tokens.size()), with_special, true);
  };
  int count = tokenize();
  if (count == std::numeric_limits<std::int32_t>::min()) return {};
  if (count < 0) {
    tokens.resize(static_cast<std::size_t>(-count));
    count = tokenize();
  }
  tokens.resize(static_cast<std::size_t>(std::max(count, 0)));
  return tokens;
}

std::string LlamaModel::text_of(llama_token token, bool with_special) const {
  std::string piece(64, '\0');
  int length = llama_token_to_piece(vocabulary(), token, piece.data(), 64, 0, with_special);
  if (length < 0) {
    piece.resize(static_cast<std::size_t>(-length));
    length = llama_token_to_piece(vocabulary(), token, piece.data(), -length, 0, with_special);
  }
  piece.resize(static_cast<std::size_t>(std::max(length, 0)));
  return piece;
}

}  // namespace signalbox
