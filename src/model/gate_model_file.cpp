#include "model/gate_model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "base/bytes.h"
#include "model/rows.h"

namespace signalbox {
namespace {

constexpr std::string_view kMagic("SBGATE\0\0", 8);
constexpr std::size_t kHeaderBytes =
    8 + 4 + 4 + 8 + 8;  // magic, version, nothing, payload size, checksum
constexpr std::size_t kMostClasses = 4097;
constexpr std::size_t kMostDense = 8192;

void put_logistic(ByteWriter& out, const LogisticModel& model) {
  out.put(model.bias);
  out.put_all(std::span<const double>(model.weights));
}

LogisticModel get_logistic(ByteReader& in) {
  LogisticModel model;
  model.bias = in.get<double>();
  model.weights = in.get_all<double>();
  return model;
}

void put_head(ByteWriter& out, const HeadParts& head) {
  out.put(static_cast<std::uint64_t>(head.classes));
  out.put(static_cast<std::uint64_t>(head.dense));
  out.put_all(std::span<const float>(head.scale));
  out.put_all(std::span<const std::int8_t>(head.weights));
  out.put_all(std::span<const float>(head.dense_weights));
  out.put_all(std::span<const float>(head.bias));
}

HeadParts get_head(ByteReader& in) {
  HeadParts head;
  head.classes = in.get<std::uint64_t>();
  head.dense = in.get<std::uint64_t>();
  head.scale = in.get_all<float>();
  head.weights = in.get_all<std::int8_t>();
  head.dense_weights = in.get_all<float>();
  head.bias = in.get_all<float>();
  return head;
}

void put_neighbours(ByteWriter& out, const NeighbourParts& neighbours) {
  out.put(static_cast<std::uint64_t>(neighbours.dense));
  out.put_all(std::span<const std::uint32_t>(neighbours.begin));
  out.put_all(std::span<const float>(neighbours.scale));
  out.put_all(std::span<const std::int8_t>(neighbours.values));
  out.put(neighbours.weight);
}

NeighbourParts get_neighbours(ByteReader& in) {
  NeighbourParts neighbours;
  neighbours.dense = in.get<std::uint64_t>();
  neighbours.begin = in.get_all<std::uint32_t>();
  neighbours.scale = in.get_all<float>();
  neighbours.values = in.get_all<std::int8_t>();
  neighbours.weight = in.get<float>();
  return neighbours;
}

void put_texts(ByteWriter& out, const std::vector<std::string>& texts) {
  out.put(static_cast<std::uint64_t>(texts.size()));
  for (const std::string& text : texts) out.put(std::string_view(text));
}

std::vector<std::string> get_texts(ByteReader& in) {
  std::vector<std::string> texts;
  const std::size_t count = in.get_count();
  for (std::size_t i = 0; i < count && in.ok(); ++i) texts.push_back(in.get_text());
  return texts;
}

void put_metadata(ByteWriter& out, const GateMetadata& metadata) {
  out.put(static_cast<std::uint64_t>(metadata.rows));
  out.put(static_cast<std::uint64_t>(metadata.out_of_scope_rows));
  out.put(metadata.seed);
  out.put(std::string_view(metadata.data_hash));
  out.put(std::string_view(metadata.encoder));
  for (const double figure : {metadata.accuracy, metadata.calibration_error,
                              metadata.out_of_scope_recall, metadata.early_exit_share}) {
    out.put(figure);
  }
}

GateMetadata get_metadata(ByteReader& in) {
  GateMetadata metadata;
  metadata.rows = in.get<std::uint64_t>();
  metadata.out_of_scope_rows = in.get<std::uint64_t>();
  metadata.seed = in.get<std::uint64_t>();
  metadata.data_hash = in.get_text();
  metadata.encoder = in.get_text();
  metadata.accuracy = in.get<double>();
  metadata.calibration_error = in.get<double>();
  metadata.out_of_scope_recall = in.get<double>();
  metadata.early_exit_share = in.get<double>();
  return metadata;
}

void put_thresholds(ByteWriter& out, const std::vector<RouteThreshold>& thresholds) {
  out.put(static_cast<std::uint64_t>(thresholds.size()));
  for (const RouteThreshold& entry : thresholds) {
    out.put(std::string_view(entry.route));
    out.put(entry.threshold);
    out.put(entry.precision);
    out.put(entry.coverage);
    out.put(static_cast<std::uint64_t>(entry.support));
  }
}

std::vector<RouteThreshold> get_thresholds(ByteReader& in) {
  std::vector<RouteThreshold> thresholds;
  const std::size_t count = in.get_count();
  for (std::size_t i = 0; i < count && in.ok(); ++i) {
    RouteThreshold entry;
    entry.route = in.get_text();
    entry.threshold = in.get<float>();
    entry.precision = in.get<float>();
    entry.coverage = in.get<float>();
    entry.support = in.get<std::uint64_t>();
    thresholds.push_back(std::move(entry));
  }
  return thresholds;
}

template <typename T>
bool all_finite(const std::vector<T>& values) {
  return std::all_of(values.begin(), values.end(), [](T value) { return std::isfinite(value); });
}

bool keys_are_distinct(std::vector<NgramKey> keys) {
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) == keys.end();
}

// Empty when a head fits the model, else what does not.
std::string misfit(const HeadParts& head, std::size_t classes, std::size_t ngrams) {
  if (head.classes != classes || head.dense > kMostDense) return "size of the head";
  if (head.scale.size() > ngrams || head.weights.size() != head.scale.size() * classes)
    return "n-gram weights";
  if (head.dense_weights.size() != head.dense * classes || head.bias.size() != classes)
    return "encoder weights";
  if (!all_finite(head.scale) || !all_finite(head.dense_weights) || !all_finite(head.bias))
    return "weights that are not numbers";
  // Scores stay where the integer sums of the head cannot overflow.
  const auto odd_scale = [](float value) {
    return value != 0 && (value < kSmallestScale || value > 1e6F);
  };
  if (std::any_of(head.scale.begin(), head.scale.end(), odd_scale)) return "scale";
  return {};
}

// The same for the neighbours.
std::string misfit(const NeighbourParts& neighbours, std::size_t routes, std::size_t dense) {
  const auto& begin = neighbours.begin;
  if (begin.empty()) return neighbours.scale.empty() && neighbours.values.empty() ? "" : "neighbours";
  const bool is_ordered = std::is_sorted(begin.begin(), begin.end());
  if (begin.size() != routes + 1 || begin.front() != 0 || !is_ordered || neighbours.dense != dense ||
      dense == 0 || begin.back() != neighbours.scale.size() ||
      neighbours.values.size() != neighbours.scale.size() * dense)
    return "neighbours";
  for (std::size_t r = 0; r < routes; ++r) {
    if (begin[r + 1] - begin[r] > NeighbourParts::kMostRows) return "neighbours";
  }
  if (!all_finite(neighbours.scale) || !std::isfinite(neighbours.weight)) return "neighbours' scale";
  return {};
}

// Everything predict() relies on. Empty when the parts fit each other, else what does not.
std::string misfit(const GateParts& parts, const HeadParts& head, const HeadParts& quick,
                   const std::vector<NgramKey>& keys, const std::vector<float>& idf) {
  const std::size_t routes = parts.routes.size();
  const std::size_t classes = routes + (parts.has_out_of_scope_class ? 1 : 0);
  if (routes < 2 || classes > kMostClasses) return "number of routes";
  if (idf.size() != keys.size() || !keys_are_distinct(keys) || !all_finite(idf)) return "n-grams";
  const auto odd_idf = [](float value) { return value < 0 || value > 1e6F; };
  if (std::any_of(idf.begin(), idf.end(), odd_idf)) return "n-grams";
  if (std::string what = misfit(head, classes, keys.size()); !what.empty()) return what;
  if (quick.dense != 0 || (quick.classes > 0) != (head.dense > 0)) return "size of the quick head";
  if (std::string what = misfit(quick, quick.classes > 0 ? classes : 0, keys.size()); !what.empty())
    return what;
  if (parts.centres.size() != head.dense * routes) return "centres";
  if (!all_finite(parts.centres) || !std::isfinite(parts.encoder_scale))
    return "weights that are not numbers";
  if (!std::isfinite(parts.softmax.slope) || !all_finite(parts.softmax.shift) ||
      parts.softmax.shift.size() > routes) {
    return "calibration";
  }
  for (const LogisticModel* model :
       {&parts.trust, &parts.scope, &parts.alone, &parts.exit.sure, &parts.splitter.possible,
        &parts.splitter.accept, &parts.splitter.sure}) {
    if (!std::isfinite(model->bias) || !all_finite(model->weights) || model->weights.size() > 64)
      return "calibration";
  }
  if (!std::isfinite(parts.exit.threshold) || !std::isfinite(parts.exit.out_of_scope))
    return "early exit";
  if ((head.dense > 0) != !parts.metadata.encoder.empty()) return "encoder";
  const auto& separators = parts.splitter.separators;
  if (std::any_of(separators.begin(), separators.end(),
                  [](const std::string& s) { return s.empty(); })) {
    return "separators";
  }
  return {};
}

}  // namespace

// FNV-1a over words of eight bytes: a 12 MB file takes a few milliseconds.
std::uint64_t gate_checksum(std::span<const std::byte> payload) {
  std::uint64_t hash = 14695981039346656037ULL;
  std::size_t at = 0;
  for (; at + 8 <= payload.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, payload.data() + at, 8);
    hash = (hash ^ word) * 1099511628211ULL;
  }
  std::uint64_t rest = payload.size();
  if (at < payload.size()) std::memcpy(&rest, payload.data() + at, payload.size() - at);
  return (hash ^ rest) * 1099511628211ULL;
}

std::vector<std::byte> write_gate_parts(const GateParts& parts) {
  ByteWriter body;
  put_texts(body, parts.routes);
  body.put(static_cast<std::uint8_t>(parts.has_out_of_scope_class ? 1 : 0));
  body.put_all(parts.ngrams.keys());
  body.put_all(parts.ngrams.idf());
  put_head(body, parts.head.parts());
  put_head(body, parts.quick.parts());
  body.put(parts.encoder_scale);
  body.put_all(std::span<const float>(parts.centres));
  body.put(parts.ngram_weight);
  put_neighbours(body, parts.neighbours.parts());
  body.put(parts.softmax.slope);
  body.put_all(std::span<const double>(parts.softmax.shift));
  put_logistic(body, parts.trust);
  put_logistic(body, parts.scope);
  put_logistic(body, parts.alone);
  body.put(static_cast<std::uint8_t>(parts.exit.is_enabled ? 1 : 0));
  put_logistic(body, parts.exit.sure);
  body.put(parts.exit.threshold);
  body.put(parts.exit.out_of_scope);
  put_texts(body, parts.splitter.separators);
  put_logistic(body, parts.splitter.possible);
  body.put(parts.splitter.worth_a_look);
  put_logistic(body, parts.splitter.accept);
  body.put(parts.splitter.threshold);
  put_logistic(body, parts.splitter.sure);
  put_thresholds(body, parts.thresholds);
  put_metadata(body, parts.metadata);
  const std::vector<std::byte> payload = body.take();

  ByteWriter header;
  for (const char c : kMagic) header.put(c);
  header.put(kGateFileVersion);
  header.put(std::uint32_t{0});
  header.put(static_cast<std::uint64_t>(payload.size()));
  header.put(gate_checksum(payload));
  std::vector<std::byte> bytes = header.take();
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  return bytes;
}

Result<GateParts> read_gate_parts(std::span<const std::byte> bytes) {
  const auto damaged = [](std::string_view what) {
    return fail(ErrorCode::Corrupt, fmt::format("model file: {}", what));
  };
  if (bytes.size() < kHeaderBytes || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
    return damaged("not a gatekeeper");
  }
  ByteReader header(bytes.subspan(kMagic.size(), kHeaderBytes - kMagic.size()));
  const auto version = header.get<std::uint32_t>();
  if (version != kGateFileVersion) {
    return damaged(fmt::format("version {}, this program reads {}", version, kGateFileVersion));
  }
  header.get<std::uint32_t>();
  const auto size = header.get<std::uint64_t>();
  const std::span<const std::byte> payload = bytes.subspan(kHeaderBytes);
  if (size != payload.size()) return damaged("cut short");
  if (header.get<std::uint64_t>() != gate_checksum(payload))
    return damaged("the checksum does not match");

  ByteReader in(payload);
  GateParts parts;
  parts.routes = get_texts(in);
  parts.has_out_of_scope_class = in.get<std::uint8_t>() != 0;
  auto keys = in.get_all<NgramKey>();
  auto idf = in.get_all<float>();
  HeadParts head = get_head(in);
  HeadParts quick = get_head(in);
  parts.encoder_scale = in.get<float>();
  parts.centres = in.get_all<float>();
  parts.ngram_weight = in.get<float>();
  NeighbourParts neighbours = get_neighbours(in);
  parts.softmax.slope = in.get<double>();
  parts.softmax.shift = in.get_all<double>();
  parts.trust = get_logistic(in);
  parts.scope = get_logistic(in);
  parts.alone = get_logistic(in);
  parts.exit.is_enabled = in.get<std::uint8_t>() != 0;
  parts.exit.sure = get_logistic(in);
  parts.exit.threshold = in.get<double>();
  parts.exit.out_of_scope = in.get<double>();
  parts.splitter.separators = get_texts(in);
  parts.splitter.possible = get_logistic(in);
  parts.splitter.worth_a_look = in.get<double>();
  parts.splitter.accept = get_logistic(in);
  parts.splitter.threshold = in.get<double>();
  parts.splitter.sure = get_logistic(in);
  parts.thresholds = get_thresholds(in);
  parts.metadata = get_metadata(in);
  if (!in.ok() || !in.at_end()) return damaged("its parts have the wrong size");
  if (const std::string what = misfit(parts, head, quick, keys, idf); !what.empty())
    return damaged("wrong " + what);
  if (!(parts.ngram_weight >= 0 && parts.ngram_weight < 100)) return damaged("wrong n-gram weight");
  if (const std::string what = misfit(neighbours, parts.routes.size(), head.dense); !what.empty())
    return damaged("wrong " + what);
  parts.neighbours = Neighbours(std::move(neighbours));
  parts.ngrams = NgramTable(std::move(keys), std::move(idf));
  parts.head = Head(std::move(head));
  if (quick.classes > 0) parts.quick = Head(std::move(quick));
  return parts;
}

Result<GateModel> GateModel::parse(std::span<const std::byte> bytes,
                                   std::shared_ptr<const Encoder> encoder) {
  auto parts = read_gate_parts(bytes);
  if (!parts) return tl::unexpected(parts.error());
  if (parts->head.dense() > 0) {
    const std::string& wanted = parts->metadata.encoder;
    if (encoder == nullptr)
      return fail(ErrorCode::InvalidInput, fmt::format("the model needs encoder {}", wanted));
    if (encoder->fingerprint() != wanted || encoder->dimensions() != parts->head.dense()) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("the model was trained on encoder {}, this one is {}", wanted,
                              encoder->fingerprint()));
    }
  }
  return GateModel(*std::move(parts), std::move(encoder));
}

Result<GateModel> GateModel::load(const std::string& path, std::shared_ptr<const Encoder> encoder) {
  const auto text = read_text_file(path);
  if (!text) return tl::unexpected(text.error());
  auto model = parse(std::as_bytes(std::span(*text)), std::move(encoder));
  if (!model) return fail(model.error().code, fmt::format("{}: {}", path, model.error().message));
  return model;
}

std::vector<std::byte> GateModel::bytes() const {
  return write_gate_parts(*parts_);
}

Result<void> GateModel::save(const std::string& path) const {
  const std::vector<std::byte> all = bytes();
  const std::string beside = path + ".part";
  {
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(all.data()), static_cast<std::streamsize>(all.size()));
    file.flush();
    if (!file) {
      std::remove(beside.c_str());
      return fail(ErrorCode::InvalidInput, fmt::format("cannot write {}", path));
    }
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0) {
    std::remove(beside.c_str());
    return fail(ErrorCode::InvalidInput, fmt::format("cannot write {}", path));
  }
  return {};
}

}  // namespace signalbox
