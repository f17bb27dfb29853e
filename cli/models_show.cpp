#include "cli/models_show.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <filesystem>

#include "base/download_line.h"
#include "base/sha256.h"
#include "llm/gguf_backend.h"
#include "model/encoder_choice.h"
#include "model/gate_model.h"
#include "model/gguf_file.h"
#include "model/hash_encoder.h"
#include "model/onnx_encoder.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr std::size_t kKey = 13;

void add(std::vector<ModelDetail>& out, const char* key, const std::string& value) {
  if (!value.empty()) out.push_back({key, json::value(value)});
}

void add(std::vector<ModelDetail>& out, const char* key, std::uint64_t value) {
  if (value != 0) out.push_back({key, json::value(value)});
}

Result<std::vector<ModelDetail>> gguf_details(const std::string& path) {
  const auto header = read_gguf_file(path);
  if (!header) return tl::unexpected(header.error());
  std::vector<ModelDetail> out;
  add(out, "title", header->name);
  add(out, "type", header->type);
  add(out, "architecture", header->architecture);
  add(out, "quantisation", header->quantisation);
  add(out, "parameters", header->parameters);
  add(out, "layers", header->layers);
  add(out, "context", header->context);
  add(out, "vocabulary", header->vocabulary);
  add(out, "tokenizer", header->tokenizer);
  add(out, "license", header->license);
  add(out, "chat_template", header->chat_template);
  return out;
}

Result<std::shared_ptr<const Encoder>> encoder_of(const StoredModel& model) {
  if (model.kind == ModelKind::Encoder) return load_encoder(model.path);
  OnnxOptions options;
  options.model = model.path;
  options.tokenizer = options.model.parent_path() / "tokenizer.json";
  return load_onnx_encoder(options);
}

Result<std::vector<ModelDetail>> encoder_details(const StoredModel& model) {
  const auto encoder = encoder_of(model);
  if (!encoder) return tl::unexpected(encoder.error());
  std::vector<ModelDetail> out;
  add(out, "dimensions", (*encoder)->dimensions());
  add(out, "fingerprint", (*encoder)->fingerprint());
  return out;
}

Result<GateModel> gate_of(const StoredModel& model) {
  const auto shipped = open_encoder("");
  return GateModel::load(model.path, shipped ? *shipped : nullptr);
}

Result<std::vector<ModelDetail>> gate_details(const StoredModel& model) {
  const auto gate = gate_of(model);
  if (!gate) return tl::unexpected(gate.error());
  std::vector<ModelDetail> out;
  add(out, "routes", fmt::format("{}", fmt::join(gate->routes(), ", ")));
  add(out, "rows", gate->metadata().rows);
  add(out, "encoder", gate->metadata().encoder);
  return out;
}

// Loads it as the router would. The text says what that showed.
Result<std::string> loaded(const StoredModel& model) {
  switch (model.kind) {
    case ModelKind::Encoder:
    case ModelKind::Onnx: {
      const auto encoder = encoder_of(model);
      if (!encoder) return tl::unexpected(encoder.error());
      return fmt::format("loads, {} dimensions", (*encoder)->dimensions());
    }
    case ModelKind::Gate: {
      const auto gate = gate_of(model);
      if (!gate) return tl::unexpected(gate.error());
      return fmt::format("loads, {} routes", gate->routes().size());
    }
    case ModelKind::Gguf: {
      const auto header = read_gguf_file(model.path);
      if (!header) return tl::unexpected(header.error());
      if (header->type != "model") return fmt::format("a whole GGUF {}", header->type);
      if (!has_llama()) return "a whole GGUF model; not loaded: built without llama.cpp";
      GgufOptions options;
      options.path = model.path;
      options.context = 128;
      options.prefixes = 1;
      const auto client = open_gguf(options);
      if (!client) return tl::unexpected(client.error());
      return fmt::format("loads, {} {}", header->architecture, header->quantisation);
    }
    case ModelKind::Other:
      break;
  }
  return "a file this program does not load";
}

std::string detail_text(const ModelDetail& detail) {
  if (!detail.value.is_string()) return json::serialize(detail.value);
  return std::string(detail.value.get_string());
}

}  // namespace

json::object model_json(const StoredModel& model, const std::vector<std::string>& uses) {
  json::object out = {{"name", model.name},
                      {"kind", model_kind_name(model.kind)},
                      {"path", model.path},
                      {"bytes", model.bytes},
                      {"used_by", json::value_from(uses)}};
  out["sha256"] = model.sha256.empty() ? json::value(nullptr) : json::value(model.sha256);
  out["source"] = model.source.empty() ? json::value(nullptr) : json::value(model.source);
  return out;
}

Result<std::vector<ModelDetail>> model_details(const StoredModel& model) {
  switch (model.kind) {
    case ModelKind::Gguf:
      return gguf_details(model.path);
    case ModelKind::Encoder:
    case ModelKind::Onnx:
      return encoder_details(model);
    case ModelKind::Gate:
      return gate_details(model);
    case ModelKind::Other:
      break;
  }
  return std::vector<ModelDetail>();
}

std::string describe_model(const StoredModel& model, const std::vector<std::string>& uses,
                           const std::vector<ModelDetail>& details, const Style& style) {
  std::string out = style.bold(printable(model.name)) + "\n";
  const auto line = [&](std::string_view key, std::string_view value) {
    if (value.empty()) return;
    out += fmt::format("  {}  {}\n", style.dim(padded(key, kKey)),
                       wrapped(printable(value), kKey + 4, style.columns));
  };
  line("kind", model_kind_name(model.kind));
  line("path", model.path);
  line("size", file_size_text(model.bytes));
  line("sha256", model.sha256);
  line("source", model.source);
  line("used by", fmt::format("{}", fmt::join(uses, ", ")));
  for (const ModelDetail& detail : details) line(detail.key, detail_text(detail));
  return out;
}

ModelCheck check_model(const StoredModel& model, const std::function<void(std::uint64_t)>& progress) {
  ModelCheck check;
  const auto sum = sha256_of_file(model.path, progress);
  if (!sum) {
    check.text = sum.error().message;
    return check;
  }
  check.sha256 = *sum;
  if (!model.sha256.empty() && model.sha256 != *sum) {
    check.text =
        fmt::format("changed since it was stored: its SHA-256 is {}, not {}", *sum, model.sha256);
    return check;
  }
  const auto outcome = loaded(model);
  check.is_good = outcome.has_value();
  check.text = outcome ? *outcome : outcome.error().message;
  if (!check.is_good || !model.sha256.empty()) {
    check.text += model.sha256.empty() ? "" : ", as it was stored";
    return check;
  }
  const bool is_own = model.path.starts_with(model_store_folder() + "/");
  if (is_own && model.kind == ModelKind::Gguf && write_model_note(model.path, {*sum, model.source}))
    check.text += ", checksum noted";
  return check;
}

}  // namespace signalbox
