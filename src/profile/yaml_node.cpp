#include "profile/yaml_node.h"

#include <fmt/format.h>
#include <yaml.h>

namespace signalbox {
namespace {

constexpr int kMaxDepth = 24;
constexpr std::size_t kMaxNodes = 200'000;

// libyaml's parser and document, freed whatever happens.
class Document {
 public:
  Document() { yaml_parser_initialize(&parser_); }
  ~Document() {
    if (is_loaded_) yaml_document_delete(&document_);
    yaml_parser_delete(&parser_);
  }
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  bool load(std::string_view text) {
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
    is_loaded_ = yaml_parser_load(&parser_, &document_) != 0;
    return is_loaded_;
  }
  std::string problem() const {
    const char* text = parser_.problem ? parser_.problem : "cannot be read";
    return fmt::format("{}:{}: not YAML: {}", parser_.problem_mark.line + 1,
                       parser_.problem_mark.column + 1, text);
  }
  yaml_document_t* get() { return &document_; }

 private:
  yaml_parser_t parser_{};
  yaml_document_t document_{};
  bool is_loaded_ = false;
};

bool is_null(const yaml_node_t& node) {
  if (node.data.scalar.style != YAML_PLAIN_SCALAR_STYLE) return false;
  const std::string_view text(reinterpret_cast<const char*>(node.data.scalar.value),
                              node.data.scalar.length);
  return text.empty() || text == "~" || text == "null";
}

class Builder {
 public:
  Builder(yaml_document_t* document, YamlTree& tree) : document_(document), tree_(tree) {}

  // False when the tree is too deep or too large.
  bool build(yaml_node_t* node, int depth, YamlNode& out) {
    if (depth > kMaxDepth || tree_.nodes.size() >= kMaxNodes) return false;
    YamlNode::Data& data = tree_.nodes.emplace_back();
    out = YamlNode(&data);
    data.mark = {static_cast<int>(node->start_mark.line) + 1,
                 static_cast<int>(node->start_mark.column) + 1};
    switch (node->type) {
      case YAML_SCALAR_NODE:
        data.kind = is_null(*node) ? YamlNode::Kind::Null : YamlNode::Kind::Scalar;
        data.is_plain = node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
        data.scalar.assign(reinterpret_cast<const char*>(node->data.scalar.value),
                           node->data.scalar.length);
        return true;
      case YAML_SEQUENCE_NODE:
        data.kind = YamlNode::Kind::Sequence;
        for (auto* item = node->data.sequence.items.start; item < node->data.sequence.items.top;
             ++item) {
          YamlNode child;
          if (!build(yaml_document_get_node(document_, *item), depth + 1, child)) return false;
          data.entries.push_back({child, {}, {}});
        }
        return true;
      case YAML_MAPPING_NODE:
        data.kind = YamlNode::Kind::Map;
        for (auto* pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; ++pair) {
          YamlNode key;
          YamlNode value;
          if (!build(yaml_document_get_node(document_, pair->key), depth + 1, key)) return false;
          if (!build(yaml_document_get_node(document_, pair->value), depth + 1, value)) return false;
          data.entries.push_back({YamlNode(), key, value});
        }
        return true;
      default:
        return true;
    }
  }

 private:
  yaml_document_t* document_;
  YamlTree& tree_;
};

}  // namespace

bool YamlNode::IsScalar() const {
  return data_ && data_->kind == Kind::Scalar;
}
bool YamlNode::IsPlain() const {
  return IsScalar() && data_->is_plain;
}
bool YamlNode::IsSequence() const {
  return data_ && data_->kind == Kind::Sequence;
}
bool YamlNode::IsMap() const {
  return data_ && data_->kind == Kind::Map;
}

const std::string& YamlNode::Scalar() const {
  static const std::string none;
  return IsScalar() ? data_->scalar : none;
}

std::size_t YamlNode::size() const {
  return data_ ? data_->entries.size() : 0;
}

SourceMark YamlNode::mark() const {
  return data_ ? data_->mark : SourceMark{};
}

YamlNode YamlNode::operator[](std::string_view key) const {
  if (!IsMap()) return YamlNode();
  for (const Entry& entry : data_->entries) {
    if (entry.first.IsScalar() && entry.first.Scalar() == key) return entry.second;
  }
  return YamlNode();
}

YamlNode YamlNode::operator[](std::size_t index) const {
  return IsSequence() && index < data_->entries.size() ? YamlNode(data_->entries[index]) : YamlNode();
}

const YamlNode::Entry* YamlNode::begin() const {
  return data_ ? data_->entries.data() : nullptr;
}
const YamlNode::Entry* YamlNode::end() const {
  return data_ ? data_->entries.data() + data_->entries.size() : nullptr;
}

Result<std::unique_ptr<YamlTree>> parse_yaml(std::string_view text) {
  Document document;
  if (!document.load(text)) return fail(ErrorCode::InvalidInput, document.problem());
  auto tree = std::make_unique<YamlTree>();
  yaml_node_t* root = yaml_document_get_root_node(document.get());
  if (!root) return fail(ErrorCode::InvalidInput, "1:1: the file is empty");
  if (!Builder(document.get(), *tree).build(root, 0, tree->root)) {
    return fail(ErrorCode::InvalidInput, "1:1: the file is too large or too deep");
  }
  return tree;
}

}  // namespace signalbox
