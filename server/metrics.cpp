#include "server/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace signalbox {
namespace {

constexpr std::array<std::int64_t, 20> kBounds{
    10,     25,     50,      100,     250,     500,       1'000,     2'500,     5'000,      10'000,
    25'000, 50'000, 100'000, 250'000, 500'000, 1'000'000, 2'500'000, 5'000'000, 10'000'000, 30'000'000};
constexpr std::size_t kChunk = 1024;
constexpr std::size_t kChunks = 256;
// A histogram's cells: one a bound, one above all, then the sum in microseconds.
constexpr Metrics::Id kHistogramCells = kBounds.size() + 2;

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> serial{0};
  return ++serial;
}

}  // namespace

struct Metrics::Series {
  std::string name;
  std::string help;
  std::string labels;
  Id cell = kNone;
  bool is_histogram = false;
  std::function<double()> read;  // a gauge
  bool is_counter = true;
};

// Written by one thread; read by whoever asks for the text.
struct Metrics::Shard {
  using Chunk = std::array<std::atomic<std::uint64_t>, kChunk>;
  std::array<std::atomic<Chunk*>, kChunks> chunks{};

  ~Shard() {
    for (auto& chunk : chunks) delete chunk.load();
  }
  std::atomic<std::uint64_t>& cell(Id id) {
    auto& place = chunks[id / kChunk];
    Chunk* chunk = place.load(std::memory_order_relaxed);
    if (!chunk) {
      chunk = new Chunk{};
      place.store(chunk, std::memory_order_release);
    }
    return (*chunk)[id % kChunk];
  }
  void add(Id id, std::uint64_t count) {
    auto& value = cell(id);
    value.store(value.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  }
};

Metrics::Metrics() : serial_(next_serial()) {}
Metrics::~Metrics() = default;

Metrics::Shard& Metrics::shard() {
  thread_local Shard* mine = nullptr;
  thread_local std::uint64_t whose = 0;
  if (whose != serial_) {
    const std::lock_guard lock(mutex_);
    shards_.push_back(std::make_unique<Shard>());
    mine = shards_.back().get();
    whose = serial_;
  }
  return *mine;
}

Metrics::Id Metrics::place(std::string_view name, std::string_view help, std::string_view labels,
                           bool is_histogram) {
  const std::lock_guard lock(mutex_);
  for (const Series& known : series_) {
    if (known.name == name && known.labels == labels) return known.cell;
  }
  const Id cells = is_histogram ? kHistogramCells : 1;
  if (next_cell_ + cells > kChunk * kChunks) return kNone;
  series_.push_back(
      {std::string(name), std::string(help), std::string(labels), next_cell_, is_histogram, {}, true});
  next_cell_ += cells;
  return series_.back().cell;
}

Metrics::Id Metrics::counter(std::string_view name, std::string_view help, std::string_view labels) {
  return place(name, help, labels, false);
}

Metrics::Id Metrics::histogram(std::string_view name, std::string_view help, std::string_view labels) {
  return place(name, help, labels, true);
}

void Metrics::gauge(std::string_view name, std::string_view help, std::function<double()> read,
                    std::string_view labels, bool is_counter) {
  const std::lock_guard lock(mutex_);
  series_.push_back({std::string(name), std::string(help), std::string(labels), kNone, false,
                     std::move(read), is_counter});
}

void Metrics::add(Id id, std::uint64_t count) {
  if (id != kNone) shard().add(id, count);
}

void Metrics::observe(Id id, std::int64_t microseconds) {
  if (id == kNone) return;
  const auto bound = std::lower_bound(kBounds.begin(), kBounds.end(), microseconds);
  Shard& mine = shard();
  mine.add(id + static_cast<Id>(bound - kBounds.begin()), 1);
  mine.add(id + kHistogramCells - 1,
           static_cast<std::uint64_t>(std::max<std::int64_t>(0, microseconds)));
}

std::uint64_t Metrics::sum(Id cell) const {
  std::uint64_t all = 0;
  for (const auto& shard : shards_) {
    const Shard::Chunk* chunk = shard->chunks[cell / kChunk].load(std::memory_order_acquire);
    if (chunk) all += (*chunk)[cell % kChunk].load(std::memory_order_relaxed);
  }
  return all;
}

std::string Metrics::text() const {
  const std::lock_guard lock(mutex_);
  // All series of one name stand together, in the order in which the names first came.
  std::vector<const Series*> order;
  for (const Series& series : series_) order.push_back(&series);
  std::vector<std::string_view> names;
  for (const Series& series : series_) {
    if (std::find(names.begin(), names.end(), series.name) == names.end()) names.push_back(series.name);
  }
  std::stable_sort(order.begin(), order.end(), [&](const Series* a, const Series* b) {
    return std::find(names.begin(), names.end(), a->name) <
           std::find(names.begin(), names.end(), b->name);
  });
  std::string out;
  const auto line = [&](std::string_view name, std::string_view suffix, std::string_view labels,
                        const auto& value) {
    fmt::format_to(std::back_inserter(out), "{}{}{}{}{} {}\n", name, suffix, labels.empty() ? "" : "{",
                   labels, labels.empty() ? "" : "}", value);
  };
  std::string_view last;
  for (const Series* s : order) {
    if (s->name != last) {
      const char* type = s->is_histogram             ? "histogram"
                         : s->read && !s->is_counter ? "gauge"
                                                     : "counter";
      fmt::format_to(std::back_inserter(out), "# HELP {} {}\n# TYPE {} {}\n", s->name, s->help, s->name,
                     type);
      last = s->name;
    }
    if (s->read) {
      line(s->name, "", s->labels, s->read());
    } else if (!s->is_histogram) {
      line(s->name, "", s->labels, sum(s->cell));
    } else {
      std::uint64_t count = 0;
      for (std::size_t i = 0; i <= kBounds.size(); ++i) {
        count += sum(s->cell + static_cast<Id>(i));
        const std::string bound =
            i == kBounds.size() ? "+Inf" : fmt::format("{}", static_cast<double>(kBounds[i]) / 1e6);
        line(s->name, "_bucket", label("le", bound, s->labels), count);
      }
      line(s->name, "_sum", s->labels, static_cast<double>(sum(s->cell + kHistogramCells - 1)) / 1e6);
      line(s->name, "_count", s->labels, count);
    }
  }
  return out;
}

std::string label(std::string_view name, std::string_view value, std::string_view before) {
  std::string out(before);
  if (!out.empty()) out += ',';
  out += name;
  out += "=\"";
  for (const char c : value) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
  return out;
}

}  // namespace signalbox
