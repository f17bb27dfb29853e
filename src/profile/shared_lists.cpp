#include "profile/shared_lists.h"

#include <filesystem>
#include <mutex>

#include "profile/node_values.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

const SchemaNode& shared_schema() {
  static const SchemaNode schema = [] {
    SchemaNode only_lists;
    only_lists.kind = SchemaNode::Kind::Object;
    for (const auto& field : profile_schema().fields) {
      if (field.name == "words" || field.name == "patterns") only_lists.fields.push_back(field);
    }
    return only_lists;
  }();
  return schema;
}

SharedLists read_shared_lists(const std::string& path) {
  SharedLists lists;
  auto file = read_yaml(path);
  if (!file) {
    lists.mistakes.push_back(file.error().message);
    return lists;
  }
  lists.names_environment = file->text.find("${") != std::string::npos;
  Diagnostics inside(path);
  validate(file->root, shared_schema(), "", inside);
  for (const Diagnostic& mistake : inside.items()) lists.mistakes.push_back(mistake.text());
  if (inside.has_errors()) return lists;
  const YamlNode& root = file->root;
  if (const auto words = root["words"]) {
    for (const auto& entry : words) lists.words[entry.first.Scalar()] = phrases_of(entry.second);
  }
  if (const auto patterns = root["patterns"]) {
    for (const auto& entry : patterns) lists.patterns[entry.first.Scalar()] = text_of(entry.second);
  }
  return lists;
}

}  // namespace

std::shared_ptr<const SharedLists> shared_lists(const std::string& path) {
  struct Kept {
    fs::file_time_type changed;
    std::uintmax_t bytes = 0;
    std::shared_ptr<const SharedLists> lists;
  };
  static std::mutex mutex;
  static std::map<std::string, Kept> kept;  // guarded by mutex
  std::error_code ec;
  const auto changed = fs::last_write_time(path, ec);
  const auto bytes = fs::file_size(path, ec);
  const std::lock_guard lock(mutex);
  Kept& entry = kept[path];
  const bool is_same = entry.lists && !ec && entry.changed == changed && entry.bytes == bytes;
  if (is_same && !entry.lists->names_environment) return entry.lists;
  entry = {changed, bytes, std::make_shared<const SharedLists>(read_shared_lists(path))};
  return entry.lists;
}

}  // namespace signalbox
