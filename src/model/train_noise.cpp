#include "model/train_noise.h"

#include <algorithm>
#include <vector>

#include "model/train_draw.h"

namespace signalbox {
namespace {

constexpr std::size_t kMostDisturbed = 3000;
constexpr std::size_t kFewestWords = 4;
constexpr std::size_t kDisturbedOneIn = 6;
constexpr std::size_t kTornOneIn = 3;
constexpr std::size_t kFewRows = 20;     // a route
constexpr std::size_t kManyRows = 2000;  // in all

std::vector<std::string_view> split_blanks(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    if (end != 0) words.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return words;
}

std::string without_words(const std::vector<std::string_view>& words, std::size_t one_in, Draw& draw) {
  const std::size_t always = draw.below(words.size());
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool drops = i == always || (words.size() > one_in && draw.below(one_in) == 0);
    if (drops) continue;
    out += (out.empty() ? "" : " ") + std::string(words[i]);
  }
  return out.empty() ? std::string(words.front()) : out;
}

std::string without_characters(std::string_view text, std::size_t one_in, Draw& draw) {
  std::vector<std::string_view> characters;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
    characters.push_back(text.substr(i, end - i));
    i = end;
  }
  if (characters.size() < 3) return std::string(text);
  const std::size_t always = draw.below(characters.size());
  std::string out;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    // Where a character is a word, as many go as words would.
    const bool is_wide = characters[i].size() > 2;
    if (i != always && !(is_wide && characters.size() > one_in && draw.below(one_in) == 0))
      out += characters[i];
  }
  return out;
}

}  // namespace

std::string disturbed(std::string_view text, std::uint64_t seed, std::size_t one_in) {
  Draw draw(seed);
  for (const char c : text) draw.stir(static_cast<unsigned char>(c));
  const auto words = split_blanks(text);
  return words.size() >= kFewestWords ? without_words(words, one_in, draw)
                                      : without_characters(text, one_in, draw);
}

void add_disturbed(TrainSet& set, std::uint64_t seed) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < set.examples.size(); ++i) {
    if (set.examples[i].use == ExampleUse::Learn) rows.push_back(i);
  }
  const std::size_t step = rows.size() / kMostDisturbed + 1;
  const auto add_copies = [&](ExampleUse use, std::size_t one_in) {
    for (std::size_t n = 0; n < rows.size(); n += step) {
      Example copy = set.examples[rows[n]];
      set.made_texts.push_back(disturbed(copy.text, seed, one_in));
      copy.text = set.made_texts.back();
      copy.use = use;
      set.examples.push_back(std::move(copy));
    }
  };
  add_copies(ExampleUse::Disturbed, kDisturbedOneIn);
  if (rows.size() > std::max(kManyRows, kFewRows * set.routes.size()))
    add_copies(ExampleUse::Torn, kTornOneIn);
}

}  // namespace signalbox
