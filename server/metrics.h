// Counters and histograms in Prometheus' text form.
//
// Each thread writes cells of its own, plain loads and stores without a lock; text() adds them up.
// Series are registered once, under a lock, and stay for the life of the program.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox {

class Metrics {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = 0;

  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // `labels` as they stand between the braces, made by label(). The same name and labels give the same
  // id. kNone, which counts nowhere, when there are too many series.
  Id counter(std::string_view name, std::string_view help, std::string_view labels = "");
  Id histogram(std::string_view name, std::string_view help, std::string_view labels = "");
  void gauge(std::string_view name, std::string_view help, std::function<double()> read,
             std::string_view labels = "", bool is_counter = false);

  void add(Id counter, std::uint64_t count = 1);
  void observe(Id histogram, std::int64_t microseconds);

  std::string text() const;

 private:
  struct Shard;
  struct Series;
  Id place(std::string_view name, std::string_view help, std::string_view labels, bool is_histogram);
  Shard& shard();
  std::uint64_t sum(Id cell) const;

  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::vector<Series> series_;
  std::vector<std::unique_ptr<Shard>> shards_;
  Id next_cell_ = 1;
  const std::uint64_t serial_;  // tells this registry from an earlier one at the same address
};

// name="value", with the value escaped; joined by commas when called on what it gave before.
std::string label(std::string_view name, std::string_view value, std::string_view before = "");

}  // namespace signalbox
