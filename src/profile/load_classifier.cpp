#include "profile/load_classifier.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <set>

#include "profile/node_values.h"

namespace signalbox {
namespace {

// Blanks whose content changes with every message: above the line they would spoil the prompt cache.
constexpr std::array<std::string_view, 6> kMessageBlanks{"{query}",     "{history}",  "{evidence}",
                                                         "{allowlist}", "{messages}", "{candidates}"};

Result<std::vector<double>> numbers_of(std::string_view text) {
  std::vector<double> out;
  while (true) {
    const std::size_t end = text.find_first_of("/,");
    const std::string_view word = text.substr(0, end);
    double value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || stop != word.data() + word.size())
      return fail(ErrorCode::InvalidInput, fmt::format("'{}' is no number", word));
    out.push_back(value);
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

void check_blanks(std::string_view prompt, SourceMark mark, const std::string& key, Diagnostics& out) {
  if (prompt.empty()) return;  // said already
  if (prompt.find("{query}") == std::string_view::npos)
    out.error(mark, key, "has no {query}: the model would not see the message");
  const std::size_t line = message_line(prompt);
  if (line == std::string_view::npos) return;
  for (const std::string_view blank : kMessageBlanks) {
    if (prompt.substr(0, line).find(blank) != std::string_view::npos) {
      out.error(mark, key,
                fmt::format("{} changes with the message: it belongs below the line {}", blank,
                            kMessageLine));
    }
  }
}

void variants(const YamlNode& node, const ProfileFiles& files, ClassifierOptions& into,
              Diagnostics& out) {
  if (!node) return;
  std::set<std::string> names;
  for (std::size_t i = 0; i < node.size(); ++i) {
    const YamlNode item = node[i];
    const std::string key = fmt::format("classifier.variants[{}]", i);
    PromptVariant variant{text_of(item["name"]), files.examples(item["few_shots"], key + ".few_shots"),
                          mark_of(item)};
    if (!names.insert(variant.name).second)
      out.error(variant.mark, key + ".name", fmt::format("'{}' stands here twice", variant.name));
    for (const PromptVariant& other : into.variants) {
      if (other.few_shots == variant.few_shots) {
        out.error(variant.mark, key + ".few_shots",
                  fmt::format("the same as those of '{}': variants that do not differ cannot disagree",
                              other.name));
      }
    }
    into.variants.push_back(std::move(variant));
  }
  if (into.variants.size() == 1 || into.variants.size() > 8)
    out.error(mark_of(node), "classifier.variants", "expected two to eight variants");
}

}  // namespace

std::size_t message_line(std::string_view prompt) {
  for (std::size_t at = prompt.find(kMessageLine); at != std::string_view::npos;
       at = prompt.find(kMessageLine, at + 1)) {
    const std::size_t end = at + kMessageLine.size();
    const bool ends = end == prompt.size() || prompt[end] == '\n' || prompt[end] == '\r';
    if (ends && (at == 0 || prompt[at - 1] == '\n')) return at;
  }
  return std::string_view::npos;
}

Result<ConfidenceScale> parse_confidence_scale(std::string_view text) {
  const auto wrong = [](std::string why) {
    return fail(
        ErrorCode::InvalidInput,
        why + "; expected breaks and one scale more, such as 0.3/0.6/0.85 0.95/1/1.03/1, or off");
  };
  if (text == "off") return ConfidenceScale{};
  const std::size_t gap = text.find_first_of(" :;");
  if (gap == std::string_view::npos) return wrong(fmt::format("'{}' has one part", text));
  const std::size_t second = text.find_first_not_of(" :;", gap);
  if (second == std::string_view::npos) return wrong(fmt::format("'{}' has no scales", text));
  auto breaks = numbers_of(text.substr(0, gap));
  if (!breaks) return wrong(breaks.error().message);
  auto scales = numbers_of(text.substr(second));
  if (!scales) return wrong(scales.error().message);
  if (scales->size() != breaks->size() + 1)
    return wrong(fmt::format("{} breaks and {} scales", breaks->size(), scales->size()));
  double last = 0;
  for (const double at : *breaks) {
    if (!(at > last && at < 1)) return wrong(fmt::format("break {} is not between {} and 1", at, last));
    last = at;
  }
  for (const double scale : *scales) {
    if (!(scale >= 0 && scale <= 10)) return wrong(fmt::format("scale {} is not in 0 to 10", scale));
  }
  return ConfidenceScale{*std::move(breaks), *std::move(scales)};
}

ClassifierOptions load_classifier(const YamlNode& node, const ProfileFiles& files, Diagnostics& out) {
  ClassifierOptions options;
  options.mark = mark_of(node);
  options.prompt = files.text(node["prompt"], "classifier.prompt");
  check_blanks(options.prompt, mark_of(node["prompt"]), "classifier.prompt", out);
  if (node["few_shots"]) options.few_shots = files.examples(node["few_shots"], "classifier.few_shots");
  options.history = integer_of(node["history"], options.history);
  options.topic = integer_of(node["topic"], options.topic);
  options.messages = integer_of(node["messages"], options.messages);
  options.max_calls = integer_of(node["max_calls"], options.max_calls);
  options.max_tokens = integer_of(node["max_tokens"], options.max_tokens);
  options.samples = integer_of(node["samples"], options.samples);
  options.temperature = number_of(node["temperature"], options.temperature);
  options.has_ensemble = flag_of(node["ensemble"], true);
  options.has_scorer = flag_of(node["scorer_enabled"], true);
  options.secondary_hints = flag_of(node["secondary_hints"], true);
  variants(node["variants"], files, options, out);
  if (node["scorer"]) {
    options.scorer = files.text(node["scorer"], "classifier.scorer");
    check_blanks(options.scorer, mark_of(node["scorer"]), "classifier.scorer", out);
  }
  if (options.samples > 1 && !options.variants.empty()) {
    out.error(mark_of(node["samples"]), "classifier.samples",
              "a profile has variants or samples, not both");
  }
  if (const YamlNode scale = node["calibration"]) {
    auto parsed = parse_confidence_scale(text_of(scale));
    if (parsed)
      options.calibration = *std::move(parsed);
    else
      out.error(mark_of(scale), "classifier.calibration", parsed.error().message);
  }
  return options;
}

}  // namespace signalbox
