#include "eval/router_judge.h"

#include <array>
#include <chrono>

#include "eval/expected.h"
#include "wire/decision_json.h"
#include "wire/request_json.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 8> kRowFields{"id",   "expected", "label", "text",
                                                     "kind", "note",     "gate",  "context"};

Result<Request> request_of(const EvalRow& row) {
  Request request;
  if (!row.json.empty()) {
    auto object = parse_json_object(row.json);
    if (!object) return tl::unexpected(object.error());
    if (!object->contains("query")) (*object)["query"] = row.text;
    auto read = request_from_json(*object, kRowFields);
    if (!read) return read;
    request = *std::move(read);
  }
  request.query = row.text;
  return request;
}

// Labels as eval counts them: several intents in order, a route, or nothing that fits.
std::vector<std::string> labels_of(const Decision& decision, const EvalRow& row) {
  if (row.labels.size() == 1 && row.labels[0] == "MULTI_INTENT" && decision.tier == Tier::MultiIntent)
    return {"MULTI_INTENT"};
  if (row.labels.size() == 1 && row.labels[0] == "UNCLEAR" && decision.tier == Tier::Clarify)
    return {"UNCLEAR"};
  if (decision.tier == Tier::MultiIntent || (row.labels.size() > 1 && decision.intents.size() > 1)) {
    std::vector<std::string> labels;
    for (const Intent& intent : decision.intents) labels.push_back(intent.route);
    return labels;
  }
  if (!decision.route) return {std::string(kOutOfScopeLabel)};
  return {*decision.route};
}

// The first expected field beyond the route that the decision does not meet.
std::optional<std::string> difference(const EvalRow& row, const Decision& decision) {
  if (row.json.empty()) return std::nullopt;
  auto object = parse_json_object(row.json);
  if (!object || !object->contains("expected") || !object->at("expected").is_object())
    return std::nullopt;
  json::object expected = object->at("expected").as_object();
  expected.erase("route");
  expected.erase("intents");
  return first_difference(expected, decision_to_json(decision));
}

}  // namespace

Judge router_judge(std::shared_ptr<const Router> router) {
  return [router = std::move(router)](const EvalRow& row) -> Result<Judgement> {
    auto request = request_of(row);
    if (!request) return tl::unexpected(request.error());
    const auto start = std::chrono::steady_clock::now();
    auto decision = router->route(*request);
    if (!decision) return tl::unexpected(decision.error());
    Judgement judgement;
    judgement.latency_us =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    judgement.labels = labels_of(*decision, row);
    judgement.tier = tier_name(decision->tier);
    judgement.confidence = decision->confidence;
    judgement.has_asked = decision->ask.has_value();
    judgement.llm_calls = decision->llm_calls;
    judgement.difference = difference(row, *decision);
    return judgement;
  };
}

}  // namespace signalbox
