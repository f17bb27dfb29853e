#include "base/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <vector>

namespace signalbox {

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  State() { EVP_DigestInit_ex(context, EVP_sha256(), nullptr); }
  ~State() { EVP_MD_CTX_free(context); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::add(std::string_view bytes) {
  EVP_DigestUpdate(state_->context, bytes.data(), bytes.size());
}

std::string Sha256::hex() {
  unsigned char sum[EVP_MAX_MD_SIZE] = {};
  unsigned int size = 0;
  EVP_DigestFinal_ex(state_->context, sum, &size);
  std::string out;
  for (unsigned int i = 0; i < size; ++i) out += fmt::format("{:02x}", sum[i]);
  return out;
}

std::string sha256_of(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.hex();
}

Result<std::string> sha256_of_file(const std::string& path,
                                   const std::function<void(std::uint64_t)>& read) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::NotFound, path + ": cannot be read");
  Sha256 sum;
  std::vector<char> buffer(std::size_t{1} << 20U);
  std::uint64_t done = 0;
  while (file) {
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    const auto count = static_cast<std::size_t>(file.gcount());
    sum.add({buffer.data(), count});
    done += count;
    if (read) read(done);
  }
  if (file.bad()) return fail(ErrorCode::Upstream, path + ": reading failed");
  return sum.hex();
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

}  // namespace signalbox
