// A YAML tree with the place of every node: what libyaml parses, held in one piece.
//
// A node is a pointer into its tree and copies as one; it lives as long as the tree. Asking an
// undefined node or a missing key gives an undefined node.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "signalbox/profile.h"
#include "signalbox/result.h"

namespace signalbox {

class YamlNode {
 public:
  enum class Kind { Null, Scalar, Sequence, Map };
  struct Data;
  struct Entry;

  YamlNode() = default;
  explicit YamlNode(const Data* data) : data_(data) {}

  explicit operator bool() const { return data_ != nullptr; }
  bool IsScalar() const;
  bool IsPlain() const;  // a scalar without quotes: may stand for a number or a flag
  bool IsSequence() const;
  bool IsMap() const;
  const std::string& Scalar() const;  // empty for what is no scalar
  std::size_t size() const;
  SourceMark mark() const;

  YamlNode operator[](std::string_view key) const;
  YamlNode operator[](std::size_t index) const;
  const Entry* begin() const;
  const Entry* end() const;

 private:
  const Data* data_ = nullptr;
};

// An item of a sequence, or a key and its value.
struct YamlNode::Entry : YamlNode {
  YamlNode first;
  YamlNode second;
};

struct YamlNode::Data {
  Kind kind = Kind::Null;
  bool is_plain = false;
  std::string scalar;
  std::vector<Entry> entries;
  SourceMark mark;
};

struct YamlTree {
  YamlNode root;
  std::deque<YamlNode::Data> nodes;  // in place: nodes point here
};

// InvalidInput: line:column and what is wrong; also a tree too deep or too large (aliases can make a
// small file endless).
Result<std::unique_ptr<YamlTree>> parse_yaml(std::string_view text);

}  // namespace signalbox
