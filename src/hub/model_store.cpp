#include "hub/model_store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/sha256.h"
#include "gate/gate_store.h"
#include "hub/model_address.h"
#include "model/gguf_file.h"
#include "model/model_dir.h"
#include "wire/json_text.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::string_view kNoteEnding = ".note.json";
constexpr std::uintmax_t kLongestNote = 1U << 16U;

fs::path cache_folder() {
  const std::string models = model_store_folder();
  return models.empty() ? fs::path() : fs::path(models).parent_path();
}

StoredModel stored(const fs::path& path, std::string name) {
  std::error_code error;
  StoredModel model;
  model.name = std::move(name);
  model.kind = model_kind_of(path.string());
  model.path = path.string();
  model.bytes = fs::file_size(path, error);
  if (error) model.bytes = 0;
  const ModelNote note = read_model_note(model.path);
  model.sha256 = note.sha256;
  model.source = note.source;
  return model;
}

void add_files(const fs::path& folder, ModelKind kind, std::vector<StoredModel>& into) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_regular_file(error) && model_kind_of(entry.path().string()) == kind)
      into.push_back(stored(entry.path(), entry.path().filename().string()));
  }
}

// An ONNX encoder is a folder: its name is the folder's.
void add_onnx_folders(const fs::path& folder, std::vector<StoredModel>& into) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const fs::path file = entry.path() / "model.onnx";
    if (entry.is_directory(error) && fs::is_regular_file(file, error))
      into.push_back(stored(file, entry.path().filename().string()));
  }
}

std::string text_field(const json::object& note, std::string_view key) {
  const json::value* value = note.if_contains(key);
  return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

Result<void> copy_file(const fs::path& from, const fs::path& to,
                       const std::function<void(std::uint64_t)>& progress) {
  std::ifstream in(from, std::ios::binary);
  std::ofstream out(to, std::ios::binary | std::ios::trunc);
  std::vector<char> buffer(std::size_t{1} << 20U);
  std::uint64_t done = 0;
  while (in && out) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    out.write(buffer.data(), in.gcount());
    done += static_cast<std::uint64_t>(in.gcount());
    if (progress) progress(done);
  }
  out.close();
  if (in.bad() || !out)
    return fail(ErrorCode::Upstream,
                fmt::format("{}: cannot be copied to {}", from.string(), to.string()));
  return {};
}

}  // namespace

const char* model_kind_name(ModelKind kind) {
  switch (kind) {
    case ModelKind::Encoder:
      return "encoder";
    case ModelKind::Onnx:
      return "onnx";
    case ModelKind::Gguf:
      return "gguf";
    case ModelKind::Gate:
      return "gatekeeper";
    case ModelKind::Other:
      break;
  }
  return "other";
}

ModelKind model_kind_of(std::string_view path) {
  if (path.ends_with(".gguf")) return ModelKind::Gguf;
  if (path.ends_with(".onnx")) return ModelKind::Onnx;
  if (path.ends_with(".gate")) return ModelKind::Gate;
  if (path.ends_with(".sbenc")) return ModelKind::Encoder;
  return ModelKind::Other;
}

std::string model_store_folder() {
  return user_model_dir();
}

std::vector<StoredModel> list_models() {
  std::vector<StoredModel> shipped;
  add_files(default_model_dir(), ModelKind::Encoder, shipped);
  std::vector<StoredModel> others;
  if (const fs::path cache = cache_folder(); !cache.empty()) {
    for (const ModelKind kind : {ModelKind::Gguf, ModelKind::Gate, ModelKind::Encoder})
      add_files(cache / "models", kind, others);
    add_onnx_folders(cache / "models", others);
    add_files(cache / "gates", ModelKind::Gate, others);
  }
  if (const std::string prepared = prepared_gates_folder(); !prepared.empty())
    add_files(prepared, ModelKind::Gate, others);
  std::sort(others.begin(), others.end(), [](const StoredModel& a, const StoredModel& b) {
    return std::tie(a.kind, a.name, a.path) < std::tie(b.kind, b.name, b.path);
  });
  shipped.insert(shipped.end(), others.begin(), others.end());
  return shipped;
}

Result<StoredModel> find_model(const std::string& name) {
  std::vector<std::string> known;
  for (StoredModel& model : list_models()) {
    if (model.name == name || fs::path(model.name).stem() == name) return std::move(model);
    known.push_back(model.name);
  }
  std::error_code error;
  if (fs::is_regular_file(name, error)) return stored_model(name);
  if (fs::is_regular_file(fs::path(name) / "model.onnx", error))
    return stored(fs::path(name) / "model.onnx", fs::path(name).filename().string());
  return fail(ErrorCode::NotFound,
              fmt::format("there is no model '{}'; there are: {}", name, fmt::join(known, ", ")));
}

StoredModel stored_model(const std::string& path) {
  return stored(path, fs::path(path).filename().string());
}

ModelNote read_model_note(const std::string& path) {
  const std::string place = path + std::string(kNoteEnding);
  std::error_code failed;
  const auto size = fs::file_size(place, failed);
  if (failed || size > kLongestNote) return {};
  std::ifstream file(place, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  boost::system::error_code error;
  const json::value value = json::parse(text, error);
  if (error || !value.is_object()) return {};
  ModelNote note{text_field(value.get_object(), "sha256"), text_field(value.get_object(), "source")};
  if (!is_sha256(note.sha256)) note.sha256.clear();
  return note;
}

Result<void> write_model_note(const std::string& path, const ModelNote& note) {
  const std::string place = path + std::string(kNoteEnding);
  const std::string part = fmt::format("{}.{}", place, ::getpid());
  std::ofstream file(part, std::ios::binary | std::ios::trunc);
  file << json_text(json::object{{"sha256", note.sha256}, {"source", note.source}}) << '\n';
  file.close();
  std::error_code error;
  if (file) fs::rename(part, place, error);
  if (!file || error) return fail(ErrorCode::Upstream, place + ": cannot be written");
  return {};
}

Result<StoredModel> add_model(const std::string& path, const std::string& name,
                              const std::function<void(std::uint64_t)>& progress) {
  const std::string file = name.empty() ? fs::path(path).filename().string() : name;
  if (!is_plain_file_name(file))
    return fail(ErrorCode::InvalidInput,
                fmt::format("'{}' cannot be a file's name here; choose one with --name", file));
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return fail(ErrorCode::NotFound, path + ": no such file");
  if (model_kind_of(file) == ModelKind::Gguf) {
    if (const auto header = read_gguf_file(path); !header) return tl::unexpected(header.error());
  }
  const std::string folder = model_store_folder();
  if (folder.empty())
    return fail(ErrorCode::NotFound, "neither XDG_CACHE_HOME nor HOME says where models are kept");
  fs::create_directories(folder, error);
  const auto sum = sha256_of_file(path);
  if (!sum) return tl::unexpected(sum.error());
  const fs::path target = fs::path(folder) / file;
  if (fs::exists(target, error)) {
    const auto present = sha256_of_file(target.string());
    if (!present || *present != *sum)
      return fail(ErrorCode::InvalidInput,
                  fmt::format("there is another model '{}'; choose a name with --name", file));
  } else {
    const fs::path part = target.string() + fmt::format(".{}.part", ::getpid());
    auto copied = copy_file(path, part, progress);
    if (copied) fs::rename(part, target, error);
    if (!copied || error) {
      fs::remove(part, error);
      return copied ? fail(ErrorCode::Upstream, target.string() + ": cannot be written")
                    : tl::unexpected(copied.error());
    }
  }
  if (auto noted = write_model_note(target.string(), {*sum, read_model_note(target.string()).source});
      !noted)
    return tl::unexpected(noted.error());
  return stored_model(target.string());
}

}  // namespace signalbox
