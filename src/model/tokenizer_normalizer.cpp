#include "model/tokenizer_normalizer.h"

#include <re2/re2.h>

#include <algorithm>
#include <boost/json.hpp>
#include <memory>
#include <string_view>

#include "model/tokenizer_fields.h"
#include "model/tokenizer_text.h"
#include "model/unigram_charsmap.h"

namespace signalbox::tokenizer {
namespace {

namespace json = boost::json;

constexpr int kMaxDepth = 8;

void clean(std::u32string& text) {
  std::erase_if(text, [](char32_t c) { return c == 0 || c == 0xFFFD || is_control(c); });
  for (char32_t& c : text) {
    if (is_whitespace(c)) c = U' ';
  }
}

void space_out_chinese(std::u32string& text) {
  if (std::none_of(text.begin(), text.end(), is_chinese)) return;
  std::u32string out;
  out.reserve(3 * text.size());
  for (const char32_t c : text) {
    if (is_chinese(c)) {
      out.append({U' ', c, U' '});
    } else {
      out.push_back(c);
    }
  }
  text = std::move(out);
}

void strip_accents(std::u32string& text) {
  text = normal_form(NormalForm::Nfd, text);
  std::erase_if(text, is_nonspacing_mark);
}

void strip(std::u32string& text, bool left, bool right) {
  std::size_t first = 0;
  std::size_t last = text.size();
  while (left && first < last && is_whitespace(text[first])) ++first;
  while (right && last > first && is_whitespace(text[last - 1])) --last;
  text = text.substr(first, last - first);
}

void replace_all(std::u32string& text, std::u32string_view from, std::u32string_view to) {
  std::u32string out;
  std::size_t at = 0;
  for (std::size_t found; (found = text.find(from, at)) != std::u32string::npos;
       at = found + from.size()) {
    out.append(text, at, found - at).append(to);
  }
  text = out.append(text, at);
}

struct BertSteps {
  bool cleans = true;
  bool spaces_chinese = true;
  bool strips_accents = true;
  bool lowers = true;

  void operator()(std::u32string& text) const {
    if (cleans) clean(text);
    if (spaces_chinese) space_out_chinese(text);
    if (strips_accents) strip_accents(text);
    if (lowers) text = lower_case(text);
  }
};

}  // namespace

Result<TextNormalizer> TextNormalizer::parse(const json::value& json) {
  TextNormalizer out;
  if (json.is_null()) return out;
  if (auto added = out.add(json, 0); !added) return tl::unexpected(added.error());
  return out;
}

Result<void> TextNormalizer::add(const json::value& value, int depth) {
  const json::object* object = value.if_object();
  if (object == nullptr || depth > kMaxDepth) {
    return fail(ErrorCode::InvalidInput, "normalizer: expected an object, nested at most 8 deep");
  }
  const std::string_view type = text_field(*object, "type");
  if (type == "Sequence") {
    const json::array* parts = array_field(*object, "normalizers");
    if (parts == nullptr)
      return fail(ErrorCode::InvalidInput, "normalizer Sequence: expected normalizers");
    for (const json::value& part : *parts) {
      if (auto added = add(part, depth + 1); !added) return added;
    }
    return {};
  }
  if (type == "Replace") return add_replace(*object);
  if (type == "BertNormalizer") {
    BertSteps steps;
    steps.cleans = bool_field(*object, "clean_text", true);
    steps.spaces_chinese = bool_field(*object, "handle_chinese_chars", true);
    steps.lowers = bool_field(*object, "lowercase", true);
    steps.strips_accents = bool_field(*object, "strip_accents", steps.lowers);
    steps_.emplace_back(steps);
  } else if (type == "Lowercase") {
    steps_.emplace_back([](std::u32string& text) { text = lower_case(text); });
  } else if (type == "StripAccents") {
    steps_.emplace_back([](std::u32string& text) { std::erase_if(text, is_mark); });
  } else if (type == "Strip") {
    const bool left = bool_field(*object, "strip_left", true);
    const bool right = bool_field(*object, "strip_right", true);
    steps_.emplace_back([=](std::u32string& text) { strip(text, left, right); });
  } else if (type == "Prepend") {
    const std::u32string mark = to_code_points(text_field(*object, "prepend"));
    steps_.emplace_back([=](std::u32string& text) {
      if (!text.empty()) text.insert(0, mark);
    });
  } else if (type == "Precompiled") {
    auto map = CharsMap::from_base64(text_field(*object, "precompiled_charsmap"));
    if (!map) return tl::unexpected(map.error());
    steps_.emplace_back([map = *std::move(map)](std::u32string& text) { text = map.apply(text); });
  } else if (type == "NFC" || type == "NFD" || type == "NFKC" || type == "NFKD") {
    const NormalForm form = type == "NFC"    ? NormalForm::Nfc
                            : type == "NFD"  ? NormalForm::Nfd
                            : type == "NFKC" ? NormalForm::Nfkc
                                             : NormalForm::Nfkd;
    steps_.emplace_back([form](std::u32string& text) { text = normal_form(form, text); });
  } else {
    return fail(ErrorCode::InvalidInput, "normalizer \"" + std::string(type) + "\" is not known");
  }
  return {};
}

Result<void> TextNormalizer::add_replace(const json::object& object) {
  const std::string to(text_field(object, "content"));
  const json::value* pattern = object.if_contains("pattern");
  const json::object* kinds = pattern == nullptr ? nullptr : pattern->if_object();
  if (kinds == nullptr) return fail(ErrorCode::InvalidInput, "normalizer Replace: expected a pattern");
  if (const std::string_view from = text_field(*kinds, "String"); !from.empty()) {
    steps_.emplace_back([from = to_code_points(from), into = to_code_points(to)](std::u32string& text) {
      replace_all(text, from, into);
    });
    return {};
  }
  const std::string_view expression = text_field(*kinds, "Regex");
  RE2::Options quiet;
  quiet.set_log_errors(false);
  auto regex =
      std::make_shared<const RE2>(re2::StringPiece(expression.data(), expression.size()), quiet);
  if (expression.empty() || !regex->ok()) {
    return fail(ErrorCode::InvalidInput,
                "normalizer Replace: cannot use the pattern \"" + std::string(expression) + "\"");
  }
  std::string literal;  // a backslash in the content is no reference to a group
  for (const char c : to) literal += c == '\\' ? std::string("\\\\") : std::string(1, c);
  steps_.emplace_back([regex, literal](std::u32string& text) {
    std::string bytes = to_utf8(text);
    RE2::GlobalReplace(&bytes, *regex, literal);
    text = to_code_points(bytes);
  });
  return {};
}

}  // namespace signalbox::tokenizer
