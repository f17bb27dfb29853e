#include "retrieve/live_index.h"

namespace signalbox {
namespace {

constexpr auto kLookEvery = std::chrono::seconds(1);

}  // namespace

Result<std::shared_ptr<LiveIndex>> LiveIndex::open(const std::string& folder) {
  auto index = Index::open(folder);
  if (!index) return tl::unexpected(index.error());
  return std::shared_ptr<LiveIndex>(new LiveIndex(folder, *std::move(index)));
}

LiveIndex::LiveIndex(std::string folder, std::shared_ptr<const Index> index)
    : folder_(std::move(folder)),
      index_(std::move(index)),
      image_time_(written()),
      looked_(std::chrono::steady_clock::now()) {}

std::filesystem::file_time_type LiveIndex::written() const {
  std::error_code ec;
  const auto time = std::filesystem::last_write_time(search_image_path(folder_), ec);
  return ec ? std::filesystem::file_time_type::min() : time;
}

std::shared_ptr<const Index> LiveIndex::current() {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_ < kLookEvery) return index_;
  looked_ = now;
  const auto time = written();
  if (time == image_time_) return index_;
  image_time_ = time;
  if (auto opened = Index::open(folder_)) index_ = *std::move(opened);
  return index_;
}

}  // namespace signalbox
