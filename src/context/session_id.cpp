#include "context/session_id.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <array>
#include <cstdlib>

namespace signalbox {
namespace {

std::string log_key() {
  if (const char* set = std::getenv("SIGNALBOX_LOG_KEY"); set && *set) return set;
  std::string key(32, '\0');
  RAND_bytes(reinterpret_cast<unsigned char*>(key.data()), static_cast<int>(key.size()));
  return key;
}

bool is_allowed(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_.:@~+=").find(c) != std::string_view::npos;
}

}  // namespace

std::string session_id_fault(std::string_view id) {
  if (id.size() > kMaxSessionId)
    return fmt::format("session_id: {} characters, at most {} are allowed", id.size(), kMaxSessionId);
  for (std::size_t i = 0; i < id.size(); ++i) {
    if (!is_allowed(id[i]))
      return fmt::format("session_id: character {} is none of letters, digits and - _ . : @ ~ + =",
                         i + 1);
  }
  return "";
}

std::string session_log_name(std::string_view id) {
  static const std::string key = log_key();
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(id.data()), id.size(), digest.data(), &size);
  std::string out;
  for (std::size_t i = 0; i < 6; ++i) out += fmt::format("{:02x}", digest[i]);
  return out;
}

}  // namespace signalbox
