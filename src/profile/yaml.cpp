#include "profile/yaml.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

namespace signalbox {
namespace {

constexpr std::size_t kMaxFileBytes = 4 << 20;

using Kind = SchemaNode::Kind;

std::string joined(const std::string& key, const std::string& child) {
  return key.empty() ? child : key + "." + child;
}

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::Text:
      return "a text";
    case Kind::Number:
      return "a number";
    case Kind::Integer:
      return "a whole number";
    case Kind::Flag:
      return "true or false";
    case Kind::List:
      return "a list";
    case Kind::Map:
    case Kind::Object:
      return "a map";
    case Kind::Condition:
      return "an atom, or a map of all, any and none";
    case Kind::Phrases:
      return "a list of phrases, or lists by language";
  }
  return "something else";
}

void check_number(const YamlNode& node, const SchemaNode& schema, const std::string& key,
                  Diagnostics& out) {
  auto text = expand_environment(node.Scalar());
  if (!text) return out.error(mark_of(node), key, text.error().message);
  char* end = nullptr;
  const double value = std::strtod(text->c_str(), &end);
  const bool is_whole =
      schema.kind == Kind::Number || value == static_cast<double>(static_cast<long long>(value));
  if (text->empty() || *end != '\0' || !is_whole) {
    return out.error(mark_of(node), key,
                     fmt::format("expected {}, got '{}'", kind_name(schema.kind), *text));
  }
  if (!(value >= schema.least && value <= schema.most)) {
    out.error(mark_of(node), key,
              fmt::format("{} is outside {} to {}", *text, schema.least, schema.most));
  }
}

void check_text(const YamlNode& node, const SchemaNode& schema, const std::string& key,
                Diagnostics& out) {
  auto text = expand_environment(node.Scalar());
  if (!text) return out.error(mark_of(node), key, text.error().message);
  if (schema.values.empty()) return;
  for (const std::string& value : schema.values) {
    if (value == *text) return;
  }
  out.unknown(mark_of(node), key, "value", *text, schema.values);
}

void check_flag(const YamlNode& node, const std::string& key, Diagnostics& out) {
  auto text = expand_environment(node.Scalar());
  if (!text) return out.error(mark_of(node), key, text.error().message);
  if (*text != "true" && *text != "false") {
    out.error(mark_of(node), key, fmt::format("expected true or false, got '{}'", *text));
  }
}

// Depth and size were bounded when the tree was parsed.
class Walker {
 public:
  explicit Walker(Diagnostics& out) : out_(out) {}

  void walk(const YamlNode& node, const SchemaNode& schema, const std::string& key) {
    switch (schema.kind) {
      case Kind::Text:
      case Kind::Number:
      case Kind::Integer:
      case Kind::Flag:
        return scalar(node, schema, key);
      case Kind::List:
        return list(node, schema, key);
      case Kind::Map:
      case Kind::Object:
        return map(node, schema, key);
      case Kind::Condition:
        return condition(node, key);
      case Kind::Phrases:
        return phrases(node, key);
    }
  }

 private:
  void expected(const YamlNode& node, const SchemaNode& schema, const std::string& key) {
    out_.error(mark_of(node), key, fmt::format("expected {}", kind_name(schema.kind)));
  }

  void scalar(const YamlNode& node, const SchemaNode& schema, const std::string& key) {
    if (!node.IsScalar()) return expected(node, schema, key);
    if (schema.kind == Kind::Text) return check_text(node, schema, key, out_);
    if (schema.kind == Kind::Flag) return check_flag(node, key, out_);
    check_number(node, schema, key, out_);
  }

  void list(const YamlNode& node, const SchemaNode& schema, const std::string& key) {
    if (!node.IsSequence()) return expected(node, schema, key);
    for (std::size_t i = 0; i < node.size(); ++i) {
      walk(node[i], *schema.element, fmt::format("{}[{}]", key, i));
    }
  }

  void map(const YamlNode& node, const SchemaNode& schema, const std::string& key) {
    if (!node.IsMap()) return expected(node, schema, key);
    std::set<std::string> seen;
    for (const auto& entry : node) {
      if (!entry.first.IsScalar()) {
        out_.error(mark_of(entry.first), key, "a key must be a text");
        continue;
      }
      const std::string name = entry.first.Scalar();
      if (!seen.insert(name).second)
        out_.error(mark_of(entry.first), joined(key, name), "stands here twice");
      if (schema.kind == Kind::Map) {
        walk(entry.second, *schema.element, joined(key, name));
        continue;
      }
      const SchemaNode* child = nullptr;
      std::vector<std::string> known;
      for (const auto& field : schema.fields) {
        known.push_back(field.name);
        if (field.name == name) child = field.node.get();
      }
      if (child)
        walk(entry.second, *child, joined(key, name));
      else
        out_.unknown(mark_of(entry.first), joined(key, name), "key", name, known);
    }
    for (const auto& field : schema.fields) {
      if (field.is_required && !seen.contains(field.name)) {
        out_.error(mark_of(node), joined(key, field.name), "is missing");
      }
    }
  }

  void condition(const YamlNode& node, const std::string& key) {
    if (node.IsScalar()) return;  // atoms are read when the condition is compiled
    if (!node.IsMap() || node.size() == 0) {
      out_.error(mark_of(node), key, std::string("expected ") + kind_name(Kind::Condition));
      return;
    }
    for (const auto& entry : node) {
      const std::string name = entry.first.IsScalar() ? entry.first.Scalar() : "";
      if (name != "all" && name != "any" && name != "none") {
        static const std::vector<std::string> known{"all", "any", "none"};
        out_.unknown(mark_of(entry.first), joined(key, name), "key", name, known);
      } else if (!entry.second.IsSequence() || entry.second.size() == 0) {
        out_.error(mark_of(entry.second), joined(key, name), "expected a list of conditions");
      } else {
        for (const auto& part : entry.second) condition(part, joined(key, name));
      }
    }
  }

  void phrases(const YamlNode& node, const std::string& key) {
    const auto all_texts = [&](const YamlNode& list, const std::string& where) {
      if (!list.IsSequence()) {
        out_.error(mark_of(list), where, std::string("expected ") + kind_name(Kind::Phrases));
        return;
      }
      for (const auto& item : list) {
        if (!item.IsScalar()) out_.error(mark_of(item), where, "expected a text");
      }
    };
    if (!node.IsMap()) return all_texts(node, key);
    for (const auto& entry : node) all_texts(entry.second, joined(key, entry.first.Scalar()));
  }

  Diagnostics& out_;
};

}  // namespace

Result<YamlFile> read_yaml(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::NotFound, path + ": cannot be read");
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (text.size() > kMaxFileBytes) return fail(ErrorCode::InvalidInput, path + ": larger than 4 MB");
  auto tree = parse_yaml(text);
  if (!tree) return fail(tree.error().code, path + ":" + tree.error().message);
  const YamlNode root = (*tree)->root;
  return YamlFile{root, std::move(text), *std::move(tree)};
}

Result<std::string> expand_environment(const std::string& text) {
  std::string out = text;
  // Innermost first, so that defaults may hold further names.
  for (std::size_t open = out.rfind("${"); open != std::string::npos; open = out.rfind("${")) {
    const std::size_t close = out.find('}', open);
    if (close == std::string::npos) return fail(ErrorCode::InvalidInput, "'${' without '}'");
    const std::string inside = out.substr(open + 2, close - open - 2);
    const std::size_t split = inside.find(":-");
    const std::string name = inside.substr(0, split);
    const char* value = std::getenv(name.c_str());
    if ((value == nullptr || *value == '\0') && split == std::string::npos) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("environment variable {} is not set and has no default", name));
    }
    std::string replacement = value && *value ? value : inside.substr(split + 2);
    // A value from the environment is taken as it is: it must not be expanded again.
    if (value && *value && replacement.find("${") != std::string::npos) {
      return fail(ErrorCode::InvalidInput, fmt::format("environment variable {} holds '${{'", name));
    }
    out.replace(open, close - open + 1, replacement);
  }
  return out;
}

void validate(const YamlNode& node, const SchemaNode& schema, const std::string& key,
              Diagnostics& out) {
  Walker(out).walk(node, schema, key);
}

}  // namespace signalbox
