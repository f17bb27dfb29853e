#include "cache/cached_decision.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cstring>
#include <type_traits>

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr std::array kAll{DecidedBy::Gatekeeper, DecidedBy::Llm, DecidedBy::Ensemble,
                          DecidedBy::Heuristic, DecidedBy::Fallback};
constexpr std::array kPresences{Presence::Present, Presence::Absent, Presence::Unknown};
// A decision made while a part failed says so; the next message deserves the whole.
constexpr std::array<std::string_view, 3> kFailed{"llm_unavailable", "llm_unparsable", "probe_timeout"};

json::array texts(const std::vector<std::string>& list) {
  json::array out;
  for (const std::string& item : list) out.emplace_back(item);
  return out;
}

std::string text_at(const json::object& object, std::string_view key) {
  return std::string(object.at(key).as_string());
}

std::vector<std::string> texts_at(const json::object& object, std::string_view key) {
  std::vector<std::string> out;
  for (const json::value& item : object.at(key).as_array()) out.emplace_back(item.as_string());
  return out;
}

template <typename Values, typename Name>
auto named(const Values& values, Name name_of, const std::string& name) {
  const auto found =
      std::find_if(values.begin(), values.end(), [&](const auto& v) { return name_of(v) == name; });
  if (found == values.end()) throw std::invalid_argument(name);
  return *found;
}

// Values as they lie in memory, texts and lists after their length.
class Packer {
 public:
  explicit Packer(std::string& out) : out_(out) {}
  template <typename Value>
  void value(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void size(std::size_t size) { value(static_cast<std::uint32_t>(size)); }
  void text(std::string_view text) {
    size(text.size());
    out_ += text;
  }

 private:
  std::string& out_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view left) : left_(left) {}
  template <typename Value>
  void value(Value& value) {
    std::memcpy(&value, left_.data(), sizeof value);
    left_.remove_prefix(sizeof value);
  }
  std::size_t size() {
    std::uint32_t size = 0;
    value(size);
    return size;
  }
  std::string_view text() {
    const std::size_t length = size();
    const std::string_view text = left_.substr(0, length);
    left_.remove_prefix(length);
    return text;
  }

 private:
  std::string_view left_;
};

// A Decision and a CachedDecision name their parts alike, but for these two.
template <typename Made>
std::string pack_as(std::string_view query, std::string_view route, const Made& made) {
  std::string out;
  out.reserve(1024);
  Packer to(out);
  for (const std::string_view text :
       {query, route, std::string_view(made.language), std::string_view(made.rule),
        std::string_view(made.reason), std::string_view(made.supervisor.from),
        std::string_view(made.supervisor.rule)})
    to.text(text);
  to.value(made.supervisor.changed);
  to.value(made.confidence);
  to.value(made.decided_by);
  to.size(made.alternatives.size());
  for (const Alternative& other : made.alternatives) to.text(other.route), to.value(other.confidence);
  for (const auto* list : {&made.signals, &made.tables, &made.columns}) {
    to.size(list->size());
    for (const std::string& item : *list) to.text(item);
  }
  to.size(made.evidence.size());
  for (const auto& [name, presence] : made.evidence) to.text(name), to.value(presence);
  return out;
}

CachedDecision read(const json::object& object) {
  CachedDecision out;
  out.query = text_at(object, "query");
  out.language = text_at(object, "language");
  out.route = text_at(object, "route");
  out.confidence = object.at("confidence").to_number<double>();
  out.decided_by = named(kAll, decided_by_name, text_at(object, "decided_by"));
  out.rule = text_at(object, "rule");
  out.reason = text_at(object, "reason");
  for (const json::value& other : object.at("alternatives").as_array()) {
    const json::object& entry = other.as_object();
    out.alternatives.push_back({text_at(entry, "route"), entry.at("confidence").to_number<double>()});
  }
  out.signals = texts_at(object, "signals");
  for (const auto& entry : object.at("evidence").as_object()) {
    out.evidence[std::string(entry.key())] =
        named(kPresences, presence_name, std::string(entry.value().as_string()));
  }
  out.tables = texts_at(object, "tables");
  out.columns = texts_at(object, "columns");
  const json::object& supervisor = object.at("supervisor").as_object();
  out.supervisor = {supervisor.at("changed").as_bool(), text_at(supervisor, "from"),
                    text_at(supervisor, "rule")};
  return out;
}

}  // namespace

bool is_cacheable(const Decision& decision) {
  const bool is_made = std::find(kAll.begin(), kAll.end(), decision.decided_by) != kAll.end();
  if (!is_made || !decision.route || decision.ask || decision.intents.size() > 1) return false;
  return decision.violations.empty() &&
         std::none_of(decision.signals.begin(), decision.signals.end(), [](const std::string& signal) {
           return std::find(kFailed.begin(), kFailed.end(), signal) != kFailed.end();
         });
}

std::string pack(const CachedDecision& cached) {
  return pack_as(cached.query, cached.route, cached);
}

std::string pack(const Decision& decision) {
  return pack_as(decision.resolved_query, *decision.route, decision);
}

CachedDecision unpack(std::string_view packed) {
  Unpacker from(packed);
  CachedDecision out;
  for (std::string* text : {&out.query, &out.route, &out.language, &out.rule, &out.reason,
                            &out.supervisor.from, &out.supervisor.rule})
    *text = from.text();
  from.value(out.supervisor.changed);
  from.value(out.confidence);
  from.value(out.decided_by);
  out.alternatives.resize(from.size());
  for (Alternative& other : out.alternatives) {
    other.route = from.text();
    from.value(other.confidence);
  }
  for (auto* list : {&out.signals, &out.tables, &out.columns}) {
    list->resize(from.size());
    for (std::string& item : *list) item = from.text();
  }
  for (std::size_t left = from.size(); left > 0; --left) {
    const std::string_view name = from.text();
    from.value(out.evidence[std::string(name)]);
  }
  return out;
}

void restore(const CachedDecision& cached, Decision& decision) {
  decision.route = cached.route;
  decision.confidence = cached.confidence;
  decision.decided_by = DecidedBy::Cache;
  decision.rule = cached.rule;
  decision.reason = cached.reason;
  decision.alternatives = cached.alternatives;
  for (const std::string& signal : cached.signals) decision.add_signal(signal);
  decision.evidence = cached.evidence;
  decision.tables = cached.tables;
  decision.columns = cached.columns;
  decision.supervisor = cached.supervisor;
}

std::string cached_to_text(const CachedDecision& cached, std::uint64_t profile_hash) {
  json::array alternatives;
  for (const Alternative& other : cached.alternatives)
    alternatives.push_back({{"route", other.route}, {"confidence", other.confidence}});
  json::object evidence;
  for (const auto& [name, presence] : cached.evidence) evidence[name] = presence_name(presence);
  const json::object out{{"profile", fmt::format("{:016x}", profile_hash)},
                         {"query", cached.query},
                         {"language", cached.language},
                         {"route", cached.route},
                         {"confidence", cached.confidence},
                         {"decided_by", decided_by_name(cached.decided_by)},
                         {"rule", cached.rule},
                         {"reason", cached.reason},
                         {"alternatives", std::move(alternatives)},
                         {"signals", texts(cached.signals)},
                         {"evidence", std::move(evidence)},
                         {"tables", texts(cached.tables)},
                         {"columns", texts(cached.columns)},
                         {"supervisor",
                          {{"changed", cached.supervisor.changed},
                           {"from", cached.supervisor.from},
                           {"rule", cached.supervisor.rule}}}};
  return json::serialize(out);
}

Result<CachedDecision> cached_from_text(std::string_view text, std::uint64_t profile_hash) {
  try {
    const json::value value = json::parse(text);
    const json::object& object = value.as_object();
    if (text_at(object, "profile") != fmt::format("{:016x}", profile_hash))
      return fail(ErrorCode::InvalidInput, "the cached decision belongs to another profile");
    return read(object);
  } catch (const std::exception& e) {
    return fail(ErrorCode::Corrupt, fmt::format("a cached decision does not parse: {}", e.what()));
  }
}

}  // namespace signalbox
