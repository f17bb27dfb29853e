#include "model/onnx_encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <vector>

#include "base/hash.h"
#include "model/onnx_amx.h"
#include "model/onnx_session.h"
#include "model/tokenizer_json.h"

namespace signalbox {
namespace {

using tokenizer::JsonTokenizer;
using tokenizer::Tokens;

constexpr std::size_t kDefaultMaxTokens = 512;

std::uint64_t hash_file(const std::filesystem::path& path, std::uint64_t hash) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> block(1U << 16U);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0) {
    hash = hash_text({block.data(), static_cast<std::size_t>(file.gcount())}, hash);
  }
  return hash;
}

// The sentence's vector within the model's output; empty when the output has no such shape.
std::vector<float> pooled(const OnnxTensor& tensor, OnnxPooling pooling, std::size_t tokens) {
  const std::vector<std::int64_t>& shape = tensor.shape;
  if (shape.size() == 2 && shape[0] == 1) return tensor.values;
  if (shape.size() != 3 || shape[0] != 1 || shape[1] != static_cast<std::int64_t>(tokens)) return {};
  const auto width = static_cast<std::size_t>(shape[2]);
  const std::size_t used = pooling == OnnxPooling::Cls ? 1 : tokens;
  std::vector<float> sum(width, 0.0F);
  for (std::size_t t = 0; t < used; ++t) {
    for (std::size_t i = 0; i < width; ++i) sum[i] += tensor.values[t * width + i];
  }
  return sum;  // its length is set to one below, so there is no need to divide
}

bool scale_to_unit(std::vector<float>& vector) {
  double squares = 0.0;
  for (const float x : vector) squares += double{x} * double{x};
  if (!(squares > 0.0) || !std::isfinite(squares)) return false;
  const auto scale = static_cast<float>(1.0 / std::sqrt(squares));
  for (float& x : vector) x *= scale;
  return true;
}

class OnnxEncoder : public Encoder {
 public:
  OnnxEncoder(OnnxOptions options, JsonTokenizer tokenizer, std::unique_ptr<const OnnxSession> session)
      : options_(std::move(options)), tokenizer_(std::move(tokenizer)), session_(std::move(session)) {
    if (options_.max_tokens == 0) options_.max_tokens = tokenizer_.max_tokens();
    if (options_.max_tokens == 0) options_.max_tokens = kDefaultMaxTokens;
    prefix_words_ = tokenizer_.encode(options_.prefix).words;
  }

  // Learns the width, and that the model works at all.
  Result<void> prepare() {
    const Tokens tokens = tokenizer_.encode(options_.prefix + "a", options_.max_tokens);
    auto tensor = session_->run(tokens.ids);
    if (!tensor)
      return fail(tensor.error().code, options_.model.string() + ": " + tensor.error().message);
    dimensions_ = pooled(*tensor, options_.pooling, tokens.ids.size()).size();
    if (dimensions_ == 0) {
      return fail(ErrorCode::InvalidInput,
                  options_.model.string() + ": expected an output of 1 x width or 1 x tokens x width");
    }
    std::uint64_t hash = hash_file(options_.tokenizer, hash_file(options_.model, kHashStart));
    hash = hash_text(fmt::format("{}|{}|{}", static_cast<int>(options_.pooling), options_.max_tokens,
                                 options_.prefix),
                     hash);
    fingerprint_ = fmt::format("onnx-{}-{:016x}", dimensions_, hash);
    return {};
  }

  std::size_t dimensions() const override { return dimensions_; }
  std::string fingerprint() const override { return fingerprint_; }

  // A run that fails (memory, most likely) gives the zero vector and a note of no words used.
  EncodeNote encode(std::string_view text, std::span<float> out) const override {
    std::fill(out.begin(), out.end(), 0.0F);
    const Tokens tokens = tokenizer_.encode(options_.prefix + std::string(text), options_.max_tokens);
    EncodeNote note;
    note.words = tokens.words - std::min(prefix_words_, tokens.words);
    if (note.words == 0) return note;
    auto tensor = session_->run(tokens.ids);
    if (!tensor) return note;
    std::vector<float> vector = pooled(*tensor, options_.pooling, tokens.ids.size());
    if (vector.size() != out.size() || !scale_to_unit(vector)) return note;
    std::copy(vector.begin(), vector.end(), out.begin());
    note.words_used = tokens.words_used - std::min(prefix_words_, tokens.words_used);
    note.windows = 1;
    return note;
  }

 private:
  OnnxOptions options_;
  JsonTokenizer tokenizer_;
  std::unique_ptr<const OnnxSession> session_;
  std::size_t prefix_words_ = 0;
  std::size_t dimensions_ = 0;
  std::string fingerprint_;
};

}  // namespace

Result<std::shared_ptr<const Encoder>> load_onnx_encoder(const OnnxOptions& options) {
  const WithoutAmx while_kernels_are_chosen;
  auto session = OnnxSession::open(options.model, options.threads, options.library);
  if (!session) return tl::unexpected(session.error());
  auto tokenizer = JsonTokenizer::load(options.tokenizer);
  if (!tokenizer) return tl::unexpected(tokenizer.error());
  auto encoder = std::make_shared<OnnxEncoder>(options, *std::move(tokenizer), *std::move(session));
  if (auto ready = encoder->prepare(); !ready) return tl::unexpected(ready.error());
  return encoder;
}

}  // namespace signalbox
