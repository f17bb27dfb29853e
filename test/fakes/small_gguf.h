// Writes small GGUF files: a header as real models have it, and tensors of zeros or of given numbers.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox {

class SmallGguf {
 public:
  SmallGguf& text(std::string_view key, std::string_view value) {
    begin(key, 8);
    add_text(value);
    return *this;
  }
  SmallGguf& number(std::string_view key, std::uint32_t value) {
    begin(key, 4);
    add(value);
    return *this;
  }
  SmallGguf& real(std::string_view key, float value) {
    begin(key, 6);
    add(std::bit_cast<std::uint32_t>(value));
    return *this;
  }
  SmallGguf& flag(std::string_view key, bool value) {
    begin(key, 7);
    bytes_ += value ? '\1' : '\0';
    return *this;
  }
  SmallGguf& texts(std::string_view key, std::initializer_list<std::string_view> items) {
    begin(key, 9);
    add(std::uint32_t{8});
    add(std::uint64_t{items.size()});
    for (const std::string_view item : items) add_text(item);
    return *this;
  }
  // Two dimensions; the type's number as GGUF has it (0: F32, 3: Q4_1).
  SmallGguf& tensor(std::string_view name, std::uint64_t columns, std::uint64_t rows,
                    std::uint32_t type, std::uint64_t bytes) {
    std::string kept;
    kept.swap(bytes_);
    add_text(name);
    add(std::uint32_t{2});
    add(columns);
    add(rows);
    add(type);
    add(std::uint64_t{data_.size()});
    tensors_ += bytes_;
    bytes_.swap(kept);
    data_.resize(data_.size() + (bytes + 31) / 32 * 32);
    ++tensor_count_;
    return *this;
  }
  SmallGguf& tensor(std::string_view name, std::uint64_t columns, std::uint64_t rows,
                    const std::vector<float>& values) {
    const std::size_t first = data_.size();
    tensor(name, columns, rows, 0, values.size() * sizeof(float));
    std::memcpy(data_.data() + first, values.data(), values.size() * sizeof(float));
    return *this;
  }

  std::string bytes(std::uint32_t version = 3) const {
    SmallGguf head;
    head.bytes_ = "GGUF";
    head.add(version);
    head.add(std::uint64_t{tensor_count_});
    head.add(std::uint64_t{values_});
    std::string out = head.bytes_ + bytes_ + tensors_;
    out.resize((out.size() + 31) / 32 * 32);
    return out + data_;
  }

  // A model as `signalbox models show` meets it.
  static SmallGguf model() {
    SmallGguf file;
    file.text("general.architecture", "llama")
        .text("general.type", "model")
        .text("general.name", "Small Test")
        .text("general.license", "apache-2.0")
        .number("general.file_type", 3)
        .number("llama.context_length", 2048)
        .number("llama.block_count", 2)
        .number("llama.embedding_length", 64)
        .flag("tokenizer.ggml.add_bos_token", false)
        .text("tokenizer.ggml.model", "gpt2")
        .texts("tokenizer.ggml.tokens", {"a", "b", "c"})
        .text("tokenizer.chat_template",
              "{% for message in messages %}{{ message.content }}{% endfor %}")
        .tensor("token_embd.weight", 64, 3, 3, 120)
        .tensor("output_norm.weight", 64, 1, 0, 256);
    return file;
  }

 private:
  void begin(std::string_view key, std::uint32_t kind) {
    add_text(key);
    add(kind);
    ++values_;
  }
  template <typename Number>
  void add(Number number) {
    for (std::size_t i = 0; i < sizeof number; ++i)
      bytes_ += static_cast<char>(static_cast<unsigned char>(number >> (8 * i)));
  }
  void add_text(std::string_view text) {
    add(std::uint64_t{text.size()});
    bytes_ += text;
  }

  std::string bytes_;
  std::string tensors_;
  std::uint64_t values_ = 0;
  std::uint64_t tensor_count_ = 0;
  std::string data_;
};

}  // namespace signalbox
