#include "profile/load_probes.h"

#include "profile/node_values.h"

namespace signalbox {
namespace {

void load_retrieval(const YamlNode& node, Probes& probes) {
  probes.retrieval = true;
  probes.retrieval_top = integer_of(node["top"], probes.retrieval_top);
  probes.retrieval_min_score = number_of(node["min_score"], probes.retrieval_min_score);
  probes.retrieval_deadline_ms = integer_of(node["deadline_ms"], probes.retrieval_deadline_ms);
}

}  // namespace

void load_probes(const YamlNode& node, Profile& profile) {
  if (!node) return;
  Probes& probes = profile.probes;
  probes.attachment = flag_of(node["attachment"], false);
  probes.allowlist = flag_of(node["allowlist"], false);
  probes.deadline_ms = integer_of(node["deadline_ms"], probes.deadline_ms);
  if (const auto retrieval = node["retrieval"]) load_retrieval(retrieval, probes);
  if (!node["text"]) return;
  for (const auto& item : node["text"]) {
    probes.text.push_back({text_of(item["name"]), text_of(item["in"]) == "attachments",
                           condition_of(item["when"]), texts_of(item["signals"]), mark_of(item)});
  }
}

}  // namespace signalbox
