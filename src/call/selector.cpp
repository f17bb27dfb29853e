#include "call/selector.h"

#include <algorithm>
#include <cmath>

#include "call/schema_check.h"
#include "gate/gate_store.h"
#include "llm/json_fields.h"
#include "retrieve/terms.h"

namespace signalbox {
namespace {

namespace json = boost::json;

// How much of a message a function explains, measured on requests and on small talk: texts that have
// nothing to do with each other share this much of their words.
constexpr double kMeaningSlope = 2.5;
constexpr double kCommonWords = 0.15;
constexpr double kWordsAlone = 2.5;  // without an encoder the words must do

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// The cosine of the nearest function of a message that none is for: among many one is always near.
double unrelated(std::size_t functions) {
  return 0.4 + 0.025 * std::log(static_cast<double>(std::max<std::size_t>(functions, 1)));
}

std::vector<Term> words_of(std::string_view text) {
  std::vector<Term> out;
  append_terms(text, out);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::string parameter_text(const Function& function) {
  std::string out;
  const json::object* properties = json_fields::object_at(function.parameters, "properties");
  if (!properties) return out;
  for (const auto& [name, value] : *properties) {
    out += spaced_name(name) + " ";
    if (!value.is_object()) continue;
    out += json_fields::text_at(value.get_object(), "description");
    out += " ";
    if (const json::array* values = json_fields::array_at(value.get_object(), "enum")) {
      for (const json::value& one : *values) {
        if (one.is_string()) out += spaced_name(one.get_string()) + " ";
      }
    }
  }
  return out;
}

// A gatekeeper over the functions' examples; null where too few have any.
Result<std::shared_ptr<const TieredGate>> gate_of(const FunctionRegistry& registry) {
  Profile profile;
  profile.name = "functions";
  for (const Function& function : registry.all()) {
    for (const std::string& example : function.examples)
      profile.examples.push_back({example, function.name, {}});
    if (!function.examples.empty() && !function.description.empty())
      profile.examples.push_back(
          {spaced_name(function.name) + ": " + function.description, function.name, {}});
  }
  return open_gate(profile);
}

}  // namespace

std::string spaced_name(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool starts_word =
        i > 0 && is_upper(c) &&
        (is_lower_or_digit(name[i - 1]) ||
         (is_upper(name[i - 1]) && i + 1 < name.size() && name[i + 1] >= 'a' && name[i + 1] <= 'z'));
    if (starts_word) out += ' ';
    out += c == '_' || c == '-' || c == '.' || c == '/' ? ' ' : c;
  }
  return out;
}

void FunctionSelector::index(const Function& function, std::uint32_t number) {
  std::unordered_map<Word, double> weights;
  const auto add = [&](std::string_view text, double weight) {
    std::vector<Word> words;
    append_terms(text, words);
    for (const Word word : words) weights[word] += weight;
  };
  const std::string name = spaced_name(function.name);
  add(name, weights_.name);
  add(function.description, weights_.description);
  add(parameter_text(function), weights_.parameter);
  for (const std::string& example : function.examples) add(example, weights_.parameter);
  double length = 0;
  for (const auto& [word, weight] : weights) {
    postings_[word].push_back({number, static_cast<float>(weight)});
    length += weight;
  }
  lengths_.push_back(length);
  names_.push_back(words_of(name));
}

void FunctionSelector::encode_all() {
  if (!encoder_) return;
  const std::size_t size = encoder_->dimensions();
  vectors_.resize(size * registry_->all().size());
  for (std::size_t i = 0; i < registry_->all().size(); ++i) {
    const Function& function = registry_->all()[i];
    encoder_->encode(spaced_name(function.name) + ". " + function.description,
                     std::span(vectors_).subspan(i * size, size));
  }
}

Result<FunctionSelector> FunctionSelector::create(const FunctionRegistry& registry,
                                                  std::shared_ptr<const Encoder> encoder,
                                                  SelectorWeights weights) {
  FunctionSelector out;
  out.weights_ = weights;
  out.registry_ = &registry;
  out.encoder_ = std::move(encoder);
  const auto count = static_cast<double>(registry.all().size());
  for (std::uint32_t i = 0; i < registry.all().size(); ++i) out.index(registry.all()[i], i);
  double total = 0;
  for (const double length : out.lengths_) total += length;
  for (double& length : out.lengths_) length = total > 0 ? length * count / total : 1;
  for (const auto& [word, postings] : out.postings_) {
    const auto in = static_cast<double>(postings.size());
    out.rarity_[word] = std::log(1 + (count - in + 0.5) / (in + 0.5));
  }
  out.encode_all();
  auto gate = gate_of(registry);
  if (!gate) return tl::unexpected(gate.error());
  out.gate_ = *std::move(gate);
  return out;
}

void FunctionSelector::add_name_cover(const std::vector<Word>& said, std::vector<Score>& scores) const {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i].words <= 0) continue;
    double covered = 0;
    double open = 0;
    for (const Word word : names_[i]) {
      const double rarity = rarity_.at(word);
      (std::binary_search(said.begin(), said.end(), word) ? covered : open) += rarity;
    }
    scores[i].words += weights_.cover * (covered - weights_.uncovered * open);
  }
}

std::vector<FunctionSelector::Score> FunctionSelector::score(std::string_view text) const {
  std::vector<Score> scores(registry_->all().size());
  const std::vector<Word> said = words_of(text);
  double known = 0;  // the rarity of all the message's words that some function has
  for (const Word word : said) {
    const auto found = postings_.find(word);
    if (found == postings_.end()) continue;
    const double rarity = rarity_.at(word);
    known += rarity;
    for (const Posting& posting : found->second) {
      const double norm =
          weights_.saturation * (1 - weights_.length + weights_.length * lengths_[posting.function]);
      scores[posting.function].words +=
          rarity * posting.weight * (weights_.saturation + 1) / (posting.weight + norm);
      scores[posting.function].fit += rarity;
    }
  }
  const double unknown = std::log(1 + (static_cast<double>(scores.size()) + 0.5) / 0.5);
  for (const Word word : said) known += postings_.contains(word) ? 0 : unknown * 0.5;
  for (Score& score : scores) score.fit = known > 0 ? score.fit / known : 0;
  add_name_cover(said, scores);
  if (!encoder_) {
    for (Score& score : scores) score.fit = std::min(1.0, kWordsAlone * score.fit);
    return scores;
  }
  std::vector<float> own(encoder_->dimensions());
  encoder_->encode(text, own);
  const double floor = unrelated(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    double cosine = 0;
    for (std::size_t d = 0; d < own.size(); ++d)
      cosine += static_cast<double>(own[d]) * static_cast<double>(vectors_[i * own.size() + d]);
    scores[i].meaning = cosine;
    scores[i].fit =
        std::clamp(std::max(scores[i].fit - kCommonWords, kMeaningSlope * (cosine - floor)), 0.0, 1.0);
  }
  return scores;
}

std::vector<RankedFunction> FunctionSelector::rank(std::string_view text,
                                                   std::span<const Function* const> among,
                                                   std::size_t top) const {
  const std::vector<Score> scores = score(text);
  std::unordered_map<std::string_view, double> learned;
  GateAnswer answer;
  if (gate_) {
    answer = gate_->predict(text);
    for (const RouteScore& route : answer.prediction.scores)
      learned[route.route] = static_cast<double>(route.probability);
  }
  const Function* first = registry_->all().data();
  std::vector<RankedFunction> out;
  double highest = 0;
  for (const Function* function : among) {
    const Score& score = scores[static_cast<std::size_t>(function - first)];
    const double total = score.words + weights_.meaning * std::max(0.0, score.meaning);
    if (total <= 0 && !learned.contains(function->name)) continue;
    highest = std::max(highest, total);
    out.push_back({function, total, score.fit});
  }
  double sum = 0;
  for (RankedFunction& ranked : out) {
    ranked.confidence = std::exp(weights_.sharpness * (ranked.confidence - highest));
    sum += ranked.confidence;
  }
  for (RankedFunction& ranked : out) {
    ranked.confidence /= sum;
    if (!gate_ || ranked.function->examples.empty()) continue;
    const auto known = learned.find(ranked.function->name);
    const double probability = known == learned.end() ? 0 : known->second;
    ranked.confidence = (1 - weights_.examples) * ranked.confidence + weights_.examples * probability;
    ranked.fit = std::max(ranked.fit, probability);
  }
  const std::size_t count = std::min(top, out.size());
  std::partial_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count), out.end(),
                    [](const RankedFunction& a, const RankedFunction& b) {
                      return a.confidence != b.confidence ? a.confidence > b.confidence
                                                          : a.function < b.function;
                    });
  out.resize(count);
  return out;
}

}  // namespace signalbox
