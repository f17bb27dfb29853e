#include "model/tokenizer_json.h"

#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "model/tokenizer_fields.h"
#include "model/tokenizer_text.h"

namespace signalbox::tokenizer {
namespace {

namespace json = boost::json;

const json::value& field(const json::object& object, std::string_view name) {
  static const json::value null;
  const json::value* value = object.if_contains(name);
  return value == nullptr ? null : *value;
}

Result<WordPiece> parse_wordpiece(const json::object& model) {
  const json::object* vocabulary = object_field(model, "vocab");
  if (vocabulary == nullptr) return fail(ErrorCode::InvalidInput, "model.vocab: expected an object");
  WordPieceOptions options;
  options.vocabulary.reserve(vocabulary->size());
  for (const auto& [piece, id] : *vocabulary) {
    if (!id.is_int64() || id.get_int64() < 0 || id.get_int64() > INT32_MAX) {
      return fail(ErrorCode::InvalidInput,
                  "model.vocab: \"" + std::string(piece) + "\" has no usable id");
    }
    options.vocabulary.emplace(std::string_view(piece.data(), piece.size()),
                               static_cast<std::int32_t>(id.get_int64()));
  }
  if (model.contains("unk_token")) options.unknown = text_field(model, "unk_token");
  if (model.contains("continuing_subword_prefix")) {
    options.continuation = text_field(model, "continuing_subword_prefix");
  }
  options.max_letters = static_cast<std::size_t>(number_field(model, "max_input_chars_per_word", 100));
  return WordPiece::create(std::move(options));
}

Result<Unigram> parse_unigram(const json::object& model) {
  const json::array* pieces = array_field(model, "vocab");
  if (pieces == nullptr) return fail(ErrorCode::InvalidInput, "model.vocab: expected an array");
  UnigramOptions options;
  options.pieces.reserve(pieces->size());
  for (const json::value& entry : *pieces) {
    const json::array* pair = entry.if_array();
    if (pair == nullptr || pair->size() != 2 || !(*pair)[0].is_string() || !(*pair)[1].is_number()) {
      return fail(ErrorCode::InvalidInput, "model.vocab: expected pairs of piece and score");
    }
    const json::string& text = (*pair)[0].get_string();
    options.pieces.push_back({std::string(text.data(), text.size()), (*pair)[1].to_number<double>()});
  }
  const std::int64_t unknown = number_field(model, "unk_id", -1);
  if (unknown >= 0) options.unknown_id = static_cast<std::size_t>(unknown);
  options.has_byte_fallback = bool_field(model, "byte_fallback", false);
  return Unigram::create(std::move(options));
}

}  // namespace

Result<JsonTokenizer> JsonTokenizer::load(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::NotFound, "no tokenizer at " + path.string());
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  auto tokenizer = parse(text);
  if (!tokenizer) return fail(tokenizer.error().code, path.string() + ": " + tokenizer.error().message);
  return tokenizer;
}

Result<JsonTokenizer> JsonTokenizer::parse(std::string_view text) {
  boost::system::error_code error;
  const json::value root = json::parse({text.data(), text.size()}, error);
  if (error) return fail(ErrorCode::Corrupt, "not JSON: " + error.message());
  const json::object* object = root.if_object();
  const json::object* model_json = object == nullptr ? nullptr : object_field(*object, "model");
  if (model_json == nullptr) return fail(ErrorCode::InvalidInput, "model: expected an object");

  auto normalizer = TextNormalizer::parse(field(*object, "normalizer"));
  if (!normalizer) return tl::unexpected(normalizer.error());
  auto splitter = WordSplitter::parse(field(*object, "pre_tokenizer"));
  if (!splitter) return tl::unexpected(splitter.error());
  auto model = parse_model(*model_json);
  if (!model) return tl::unexpected(model.error());
  auto frame = parse_frame(field(*object, "post_processor"));
  if (!frame) return tl::unexpected(frame.error());

  JsonTokenizer out(*std::move(normalizer), *std::move(splitter), *std::move(model));
  out.frame_ = *std::move(frame);
  if (auto done = out.parse_truncation(field(*object, "truncation")); !done)
    return tl::unexpected(done.error());
  if (const json::array* added = array_field(*object, "added_tokens")) out.parse_added(*added);
  return out;
}

Result<JsonTokenizer::Model> JsonTokenizer::parse_model(const json::object& model) {
  const std::string_view type = text_field(model, "type");
  if (type == "WordPiece") {
    auto parsed = parse_wordpiece(model);
    if (!parsed) return tl::unexpected(parsed.error());
    return Model(*std::move(parsed));
  }
  if (type == "Unigram") {
    auto parsed = parse_unigram(model);
    if (!parsed) return tl::unexpected(parsed.error());
    return Model(*std::move(parsed));
  }
  return fail(ErrorCode::InvalidInput,
              "model \"" + std::string(type) + "\" is not known (WordPiece and Unigram are)");
}

Result<JsonTokenizer::Frame> JsonTokenizer::parse_frame(const json::value& value) {
  Frame frame;
  if (value.is_null()) return frame;
  const json::object* object = value.if_object();
  if (object == nullptr) return fail(ErrorCode::InvalidInput, "post_processor: expected an object");
  const std::string_view type = text_field(*object, "type");
  if (type == "BertProcessing" || type == "RobertaProcessing") {
    for (const auto& [name, side] : {std::pair{"cls", &frame.before}, std::pair{"sep", &frame.after}}) {
      const json::array* pair = array_field(*object, name);
      if (pair == nullptr || pair->size() != 2 || !(*pair)[1].is_int64()) {
        return fail(ErrorCode::InvalidInput,
                    std::string("post_processor.") + name + ": expected token and id");
      }
      side->push_back((*pair)[1].get_int64());
    }
    return frame;
  }
  const json::array* single = array_field(*object, "single");
  const json::object* specials = object_field(*object, "special_tokens");
  if (type != "TemplateProcessing" || single == nullptr || specials == nullptr) {
    return fail(ErrorCode::InvalidInput, "post_processor \"" + std::string(type) + "\" is not known");
  }
  bool is_after = false;
  for (const json::value& entry : *single) {
    const json::object* item = entry.if_object();
    const json::object* special = item == nullptr ? nullptr : object_field(*item, "SpecialToken");
    is_after = is_after || (item != nullptr && item->contains("Sequence"));
    if (special == nullptr) continue;
    const json::object* token = object_field(*specials, text_field(*special, "id"));
    const json::array* ids = token == nullptr ? nullptr : array_field(*token, "ids");
    if (ids == nullptr)
      return fail(ErrorCode::InvalidInput, "post_processor: a special token has no ids");
    for (const json::value& id : *ids) {
      if (!id.is_int64())
        return fail(ErrorCode::InvalidInput, "post_processor: a special token's id is no number");
      (is_after ? frame.after : frame.before).push_back(id.get_int64());
    }
  }
  return frame;
}

Result<void> JsonTokenizer::parse_truncation(const json::value& value) {
  const json::object* object = value.if_object();
  if (object == nullptr) return {};
  if (text_field(*object, "direction") == "Left") {
    return fail(ErrorCode::InvalidInput, "truncation.direction Left is not known");
  }
  max_tokens_ = static_cast<std::size_t>(number_field(*object, "max_length", 0));
  return {};
}

void JsonTokenizer::parse_added(const json::array& tokens) {
  std::vector<AddedToken> raw;
  std::vector<AddedToken> normalized;
  for (const json::value& entry : tokens) {
    const json::object* object = entry.if_object();
    const std::int64_t id = object == nullptr ? -1 : number_field(*object, "id", -1);
    if (id < 0) continue;
    AddedToken token;
    token.text = to_code_points(text_field(*object, "content"));
    token.id = id;
    token.is_single_word = bool_field(*object, "single_word", false);
    token.takes_left_space = bool_field(*object, "lstrip", false);
    token.takes_right_space = bool_field(*object, "rstrip", false);
    const bool is_normalized =
        bool_field(*object, "normalized", !bool_field(*object, "special", false));
    if (is_normalized) normalizer_.apply(token.text);
    (is_normalized ? normalized : raw).push_back(std::move(token));
  }
  raw_ = AddedTokens(std::move(raw));
  normalized_ = AddedTokens(std::move(normalized));
}

void JsonTokenizer::encode_part(std::u32string_view text, bool is_first, std::size_t most,
                                Tokens& out) const {
  for (const std::u32string& word : splitter_.split(text, is_first)) {
    ++out.words;
    if (out.ids.size() >= most) continue;
    std::visit([&](const auto& model) { model.tokenize(to_utf8(word), out.ids); }, model_);
    if (out.ids.size() <= most) ++out.words_used;
  }
}

Tokens JsonTokenizer::encode(std::string_view text, std::size_t max_tokens) const {
  if (max_tokens == 0) max_tokens = max_tokens_;
  const std::size_t frame = frame_.before.size() + frame_.after.size();
  const std::size_t most = max_tokens == 0      ? std::numeric_limits<std::size_t>::max()
                           : max_tokens > frame ? max_tokens - frame
                                                : 0;
  Tokens out;
  const std::u32string points = to_code_points(text);
  for (const AddedTokens::Part& part : raw_.find(points)) {
    if (part.id != AddedTokens::kText) {
      out.ids.push_back(part.id);
      continue;
    }
    const bool is_start = part.text.data() == points.data();
    std::u32string rewritten(part.text);
    normalizer_.apply(rewritten);
    for (const AddedTokens::Part& inner : normalized_.find(rewritten)) {
      if (inner.id != AddedTokens::kText) {
        out.ids.push_back(inner.id);
      } else {
        encode_part(inner.text, is_start && inner.text.data() == rewritten.data(), most, out);
      }
    }
  }
  if (out.ids.size() > most) out.ids.resize(most);
  out.ids.insert(out.ids.begin(), frame_.before.begin(), frame_.before.end());
  out.ids.insert(out.ids.end(), frame_.after.begin(), frame_.after.end());
  return out;
}

}  // namespace signalbox::tokenizer
