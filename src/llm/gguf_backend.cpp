#include "llm/gguf_backend.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <optional>

#include "model/model_dir.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

struct NumberOption {
  std::string_view name;
  int GgufOptions::* field;
  int least;
  int most;
};

constexpr NumberOption kNumbers[] = {
    {"ctx", &GgufOptions::context, 128, 1 << 20},
    {"threads", &GgufOptions::threads, 1, 256},
    {"queue", &GgufOptions::queue, 1, 4096},
    {"prefixes", &GgufOptions::prefixes, 1, 16},
};

template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string placed(std::string_view path, const std::string& folder) {
  const fs::path given(path);
  return given.is_absolute() || folder.empty() ? given.string() : (fs::path(folder) / given).string();
}

// A bare name that is no file here may be one of the model store's, with or without its ending.
std::string placed_model(std::string_view path, const std::string& folder) {
  const std::string given = placed(path, folder);
  const std::string store = user_model_dir();
  std::error_code error;
  if (path.find('/') != std::string_view::npos || store.empty() || fs::exists(given, error))
    return given;
  for (const std::string_view ending : {"", ".gguf"}) {
    const std::string stored = fmt::format("{}/{}{}", store, path, ending);
    if (fs::is_regular_file(stored, error)) return stored;
  }
  return given;
}

// PATH or PATH:SCALE; a colon that no number follows belongs to the path.
std::optional<LoraAdapter> lora_adapter(std::string_view value, const std::string& folder) {
  LoraAdapter adapter;
  const std::size_t colon = value.rfind(':');
  if (colon != std::string_view::npos) {
    if (const auto scale = whole_number<float>(value.substr(colon + 1))) {
      if (!(*scale >= -16 && *scale <= 16)) return std::nullopt;
      adapter.scale = *scale;
      value = value.substr(0, colon);
    }
  }
  if (value.empty()) return std::nullopt;
  adapter.path = placed(value, folder);
  return adapter;
}

bool read_option(std::string_view name, std::string_view value, const std::string& folder,
                 GgufOptions& options) {
  for (const NumberOption& number : kNumbers) {
    if (name != number.name) continue;
    const auto given = whole_number<int>(value);
    if (!given || *given < number.least || *given > number.most) return false;
    options.*number.field = *given;
    return true;
  }
  if (name == "think") {
    options.think = value == "true";
    return value == "true" || value == "false";
  }
  if (name == "template") {
    options.chat_template = placed(value, folder);
    return !value.empty();
  }
  if (name != "lora") return false;
  auto adapter = lora_adapter(value, folder);
  if (adapter) options.adapters.push_back(*std::move(adapter));
  return adapter.has_value();
}

}  // namespace

Result<GgufOptions> parse_gguf_address(std::string_view address, const std::string& folder) {
  if (!address.starts_with(kGgufScheme))
    return fail(ErrorCode::InvalidInput, fmt::format("'{}' is no gguf: address", address));
  std::string_view rest = address.substr(kGgufScheme.size());
  const std::size_t mark = rest.find('?');
  std::string_view settings = mark == std::string_view::npos ? "" : rest.substr(mark + 1);
  rest = rest.substr(0, mark);
  if (rest.empty()) return fail(ErrorCode::InvalidInput, "gguf: needs a path: gguf:PATH");
  GgufOptions options;
  options.path = placed_model(rest, folder);
  while (!settings.empty()) {
    const std::string_view part = settings.substr(0, settings.find('&'));
    settings.remove_prefix(std::min(part.size() + 1, settings.size()));
    const std::size_t equals = part.find('=');
    const std::string_view value = equals == std::string_view::npos ? "" : part.substr(equals + 1);
    if (!read_option(part.substr(0, equals), value, folder, options)) {
      return fail(
          ErrorCode::InvalidInput,
          fmt::format("'{}': expected ctx=128…1048576, threads=1…256, queue=1…4096, prefixes=1…16, "
                      "lora=PATH:SCALE, template=PATH or think=true|false, got '{}'",
                      address, part));
    }
  }
  return options;
}

}  // namespace signalbox
