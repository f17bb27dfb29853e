#include "hub/model_address.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace signalbox {
namespace {

constexpr std::string_view kHubScheme = "hf:";

std::string escaped(std::string_view text, std::string_view also_plain) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = std::isalnum(byte) != 0 ||
                          std::string_view("-._~").find(c) != std::string_view::npos ||
                          also_plain.find(c) != std::string_view::npos;
    out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

std::string_view last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// No empty part, none that climbs.
bool is_plain_path(std::string_view path) {
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    if (part.empty() || part == "." || part == "..") return false;
    if (part.size() == path.size()) return true;
    path.remove_prefix(part.size() + 1);
  }
  return false;
}

Result<ModelAddress> on_hub(std::string_view rest, std::string_view hub) {
  constexpr const char* kForm = "a hub address is hf:OWNER/REPO/FILE[@REVISION]";
  std::string_view revision = "main";
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
    revision = rest.substr(at + 1);
    rest = rest.substr(0, at);
  }
  const std::size_t owner = rest.find('/');
  const std::size_t repo = owner == std::string_view::npos ? owner : rest.find('/', owner + 1);
  if (repo == std::string_view::npos || revision.empty() || !is_plain_path(rest))
    return fail(ErrorCode::InvalidInput, kForm);
  const std::string_view file = rest.substr(repo + 1);
  while (hub.ends_with('/')) hub.remove_suffix(1);
  ModelAddress address;
  address.url = fmt::format("{}/{}/resolve/{}/{}", hub, escaped(rest.substr(0, repo), "/"),
                            escaped(revision, ""), escaped(file, "/"));
  address.file = last_part(file);
  address.is_hub = true;
  return address;
}

}  // namespace

bool is_plain_file_name(std::string_view name) {
  return !name.empty() && name.size() <= 200 && name.front() != '.' && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-' || c == '+';
         });
}

Result<ModelAddress> parse_model_address(std::string_view text, std::string_view hub) {
  Result<ModelAddress> address =
      fail(ErrorCode::InvalidInput,
           "a model comes from hf:OWNER/REPO/FILE[@REVISION] or an https:// address");
  if (text.starts_with(kHubScheme)) {
    address = on_hub(text.substr(kHubScheme.size()), hub);
  } else if (text.starts_with("https://") || text.starts_with("http://")) {
    ModelAddress whole;
    whole.url = text;
    whole.file = last_part(text.substr(0, text.find_first_of("?#")));
    whole.is_hub = text.starts_with(hub) && text.substr(hub.size()).starts_with('/');
    address = whole;
  }
  if (!address) return address;
  if (!is_plain_file_name(address->file))
    return fail(
        ErrorCode::InvalidInput,
        fmt::format("'{}' cannot be a file's name here; choose one with --name", address->file));
  return address;
}

}  // namespace signalbox
