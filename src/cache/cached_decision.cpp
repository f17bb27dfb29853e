#include "cache/cached_decision.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "base/bytes.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr std::array kAll{DecidedBy::Gatekeeper, DecidedBy::Llm, DecidedBy::Ensemble,
                          DecidedBy::Heuristic, DecidedBy::Fallback};
constexpr std::size_t kUsualBytes = 1024;  // of a packed decision
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

// A Decision and a CachedDecision name their parts alike, but for these two.
template <typename Made>
std::vector<std::byte> pack_as(std::string_view query, std::string_view route, const Made& made) {
  ByteWriter out(kUsualBytes);
  for (const std::string_view text :
       {query, route, std::string_view(made.language), std::string_view(made.rule),
        std::string_view(made.reason), std::string_view(made.supervisor.from),
        std::string_view(made.supervisor.rule)})
    out.put(text);
  out.put(made.supervisor.changed);
  out.put(made.confidence);
  out.put(static_cast<std::uint8_t>(made.decided_by));
  out.put(std::uint64_t{made.alternatives.size()});
  for (const Alternative& other : made.alternatives) {
    out.put(std::string_view(other.route));
    out.put(other.confidence);
  }
  for (const auto* list : {&made.signals, &made.tables, &made.columns}) {
    out.put(std::uint64_t{list->size()});
    for (const std::string& item : *list) out.put(std::string_view(item));
  }
  out.put(std::uint64_t{made.evidence.size()});
  for (const auto& [name, presence] : made.evidence) {
    out.put(std::string_view(name));
    out.put(static_cast<std::uint8_t>(presence));
  }
  return out.take();
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

std::vector<std::byte> pack(const CachedDecision& cached) {
  return pack_as(cached.query, cached.route, cached);
}

std::vector<std::byte> pack(const Decision& decision) {
  return pack_as(decision.resolved_query, *decision.route, decision);
}

CachedDecision unpack(std::span<const std::byte> packed) {
  ByteReader in(packed);
  CachedDecision out;
  for (std::string* text : {&out.query, &out.route, &out.language, &out.rule, &out.reason,
                            &out.supervisor.from, &out.supervisor.rule})
    *text = in.get_text();
  out.supervisor.changed = in.get<bool>();
  out.confidence = in.get<double>();
  out.decided_by = static_cast<DecidedBy>(in.get<std::uint8_t>());
  out.alternatives.resize(in.get_count());
  for (Alternative& other : out.alternatives) {
    other.route = in.get_text();
    other.confidence = in.get<double>();
  }
  for (auto* list : {&out.signals, &out.tables, &out.columns}) {
    list->resize(in.get_count());
    for (std::string& item : *list) item = in.get_text();
  }
  for (std::size_t left = in.get_count(); left > 0; --left) {
    std::string name = in.get_text();
    out.evidence[std::move(name)] = static_cast<Presence>(in.get<std::uint8_t>());
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
