#include "plan/decompose.h"

#include <algorithm>

#include "plan/clauses.h"
#include "plan/compare.h"
#include "plan/hops.h"
#include "plan/keywords.h"
#include "plan/members.h"

namespace signalbox::planning {
namespace {

constexpr std::size_t kLongestQuestion = 256;  // words; a pasted document is not taken apart

// What earlier questions were about, for the pronouns of later ones.
struct Topic {
  std::string subject;
  std::string both;
};

// The determiner just before the byte, or npos.
std::size_t determiner_before(const Reading& reading, std::size_t begin) {
  for (std::size_t word = 0; word + 1 < reading.all().end; ++word) {
    if (reading.begin_of(word + 1) == begin && reading.at(List::Determiner, word).size() > 0)
      return reading.begin_of(word);
  }
  return std::string::npos;
}

// Where the run of content words that begins with the keyword ends; `i` becomes the one behind it.
std::size_t end_of_run(const Reading& reading, const std::vector<Keyword>& keywords, std::size_t& i) {
  std::size_t end = keywords[i].end;
  for (++i; i < keywords.size() && keywords[i].begin >= end; ++i) {
    const std::string_view gap = reading.text().substr(end, keywords[i].begin - end);
    if (gap.find_first_not_of(' ') != std::string_view::npos) break;
    end = keywords[i].end;
  }
  return end;
}

// "the timeout of the payment gateway": where the noun goes on behind it.
std::size_t end_with_of(const Reading& reading, const std::vector<Keyword>& keywords, std::size_t next,
                        std::size_t end) {
  if (next >= keywords.size()) return end;
  for (std::size_t word = 0; word + 1 < reading.all().end; ++word) {
    if (reading.begin_of(word) < end || reading.at(List::Of, word).size() == 0) continue;
    std::size_t noun = reading.at(List::Of, word).end;
    if (reading.begin_of(word) != end + 1 || noun >= reading.all().end) return end;
    noun = std::max(noun, reading.at(List::Determiner, noun).end);
    if (noun >= reading.all().end || keywords[next].begin != reading.begin_of(noun)) return end;
    return end_of_run(reading, keywords, next);
  }
  return end;
}

// The one name in the question; else its first run of content words behind a determiner, or at all.
std::string find_subject(const Reading& reading) {
  const std::vector<Keyword> keywords = extract_keywords(reading.text(), reading.lexicon());
  const auto is_name = [](const Keyword& keyword) { return keyword.is_symbol; };
  if (std::count_if(keywords.begin(), keywords.end(), is_name) == 1) {
    return std::find_if(keywords.begin(), keywords.end(), is_name)->text;
  }
  std::string first;
  for (std::size_t i = 0; i < keywords.size();) {
    const std::size_t begin = keywords[i].begin;
    const std::size_t end = end_of_run(reading, keywords, i);
    const std::size_t determiner = determiner_before(reading, begin);
    if (determiner != std::string::npos) {
      const std::size_t whole = end_with_of(reading, keywords, i, end);
      return std::string(reading.text().substr(determiner, whole - determiner));
    }
    if (first.empty()) first = reading.text().substr(begin, end - begin);
  }
  return first;
}

std::string replace(const Reading& reading, Range range, std::string_view by) {
  const std::string before(reading.text().substr(0, reading.begin_of(range.begin)));
  const std::string after(reading.text().substr(reading.end_of(range.end - 1)));
  return before + std::string(by) + after;
}

std::string resolve(const std::string& clause, const Topic& topic, const Lexicon& lexicon) {
  const Reading reading(clause, lexicon);
  const Range both = reading.first(List::Both, reading.all());
  if (both.size() > 0 && !topic.both.empty()) return replace(reading, both, topic.both);
  const Range pronoun = reading.first(List::Pronoun, reading.all());
  if (pronoun.size() > 0 && !topic.subject.empty()) return replace(reading, pronoun, topic.subject);
  return clause;
}

// The questions of one clause; itself when it asks one thing. A member of a comparison that was
// `asked` about before is not asked about again.
std::vector<std::string> take_apart(const std::string& clause, const std::vector<std::string>& asked,
                                    Topic& topic, const Lexicon& lexicon) {
  const Reading reading(clause, lexicon);
  auto side_by_side = read_comparison(reading, reading.all());
  if (!side_by_side) side_by_side = read_enumeration(reading, reading.all());
  if (side_by_side) {
    topic.both = side_by_side->both;
    std::erase_if(side_by_side->questions, [&](const std::string& question) {
      return std::any_of(asked.begin(), asked.end(), [&](const std::string& earlier) {
        return search_keywords(earlier, lexicon) == search_keywords(question, lexicon);
      });
    });
    return side_by_side->questions;
  }
  if (topic.subject.empty()) topic.subject = find_subject(reading);
  if (auto hops = read_hops(reading, reading.all())) return {hops->first, hops->second};
  return {clause};
}

}  // namespace

std::vector<std::string> decompose(std::string_view query, const Lexicon& lexicon) {
  const Reading reading(query, lexicon);
  if (reading.all().size() > kLongestQuestion || !reading.may_be_parted()) return {};
  std::vector<std::string> parts;
  Topic topic;
  for (const Range clause : split_questions(reading)) {
    const std::string text = resolve(std::string(reading.slice(clause)), topic, lexicon);
    for (std::string& part : take_apart(text, parts, topic, lexicon)) parts.push_back(std::move(part));
  }
  if (parts.size() < 2 || parts.size() > kMostParts) return {};
  return parts;
}

}  // namespace signalbox::planning
