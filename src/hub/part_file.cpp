#include "hub/part_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

namespace signalbox {
namespace {

constexpr std::size_t kLongestEtag = 512;

tl::unexpected<Error> disk_error(const std::string& path) {
  return fail(ErrorCode::Upstream, fmt::format("{}: {}", path, std::strerror(errno)));
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line.size() > kLongestEtag ? std::string() : line;
}

}  // namespace

PartFile::PartFile(std::string target, int file)
    : target_(std::move(target)),
      path_(target_ + ".part"),
      etag_(first_line(etag_path())),
      file_(file) {
  struct stat info = {};
  if (::fstat(file_, &info) == 0) bytes_ = static_cast<std::uint64_t>(info.st_size);
}

PartFile::PartFile(PartFile&& other) noexcept
    : target_(std::move(other.target_)),
      path_(std::move(other.path_)),
      etag_(std::move(other.etag_)),
      bytes_(other.bytes_),
      file_(std::exchange(other.file_, -1)) {}

PartFile::~PartFile() {
  if (file_ >= 0) ::close(file_);
}

Result<PartFile> PartFile::open(const std::string& target) {
  const std::string path = target + ".part";
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return disk_error(path);
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    ::close(file);
    return fail(ErrorCode::Overloaded, target + ": another program is fetching it");
  }
  return PartFile(target, file);
}

Result<void> PartFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(bytes_));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return disk_error(path_);
    bytes_ += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> PartFile::restart(const std::string& etag) {
  if (::ftruncate(file_, 0) != 0) return disk_error(path_);
  bytes_ = 0;
  etag_ = etag.size() > kLongestEtag ? std::string() : etag;
  std::ofstream file(etag_path(), std::ios::trunc);
  file << etag_ << '\n';
  file.close();
  return file ? Result<void>() : disk_error(etag_path());
}

Result<void> PartFile::publish() {
  if (::fsync(file_) != 0 || ::rename(path_.c_str(), target_.c_str()) != 0) return disk_error(target_);
  std::error_code ignored;
  std::filesystem::remove(etag_path(), ignored);
  return {};
}

void PartFile::discard() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
  std::filesystem::remove(etag_path(), ignored);
}

}  // namespace signalbox
