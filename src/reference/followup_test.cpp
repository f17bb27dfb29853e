// Measures follow-up detection and resolution on labelled conversations, where they stand beside the
// checkout (../shared, or below $SIGNALBOX_SHARED): held-out parts, on which nothing was tuned.

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "model/encoder_choice.h"
#include "normalize/text.h"
#include "reference/resolver.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

struct Row {
  Request request;
  bool refers = false;
  std::string complete;
};

struct Figures {
  int found = 0, missed = 0, wrong = 0, right = 0, complete = 0;

  double f1() const { return 2.0 * found / std::max(1, 2 * found + missed + wrong); }
  double coverage() const { return 1.0 * complete / std::max(1, found + missed); }
};

fs::path data() {
  const char* set = std::getenv("SIGNALBOX_SHARED");
  return fs::path(set ? set : SIGNALBOX_SOURCE_DIR "/../shared") / "data/followup";
}

const ReferenceResolver& resolver() {
  static const ReferenceResolver made = [] {
    auto profile = load_profile(SIGNALBOX_SOURCE_DIR "/profiles/assistant/assistant.yaml");
    auto encoder = open_encoder("");
    return *ReferenceResolver::create(**profile, encoder ? *encoder : nullptr);
  }();
  return made;
}

// Words that say something, as far as a few dozen stop words tell.
std::set<std::string> content(const std::string& text) {
  static const std::set<std::string> kStop = {
      "a",     "an",   "the",   "this", "that",  "these", "those", "i",     "me",    "my",    "we",
      "you",   "your", "he",    "him",  "his",   "she",   "her",   "it",    "its",   "they",  "them",
      "their", "one",  "ones",  "who",  "what",  "which", "when",  "where", "why",   "how",   "is",
      "are",   "was",  "were",  "be",   "do",    "does",  "did",   "have",  "has",   "had",   "will",
      "would", "can",  "could", "and",  "or",    "but",   "if",    "so",    "than",  "as",    "of",
      "at",    "by",   "for",   "from", "in",    "on",    "to",    "with",  "about", "there", "any",
      "some",  "no",   "not",   "yes",  "please"};
  std::set<std::string> out;
  const auto read = normalize(text);
  for (std::size_t i = 0; read && i < read->tokens.size(); ++i) {
    if (!kStop.contains(std::string(read->word(i)))) out.emplace(read->word(i));
  }
  return out;
}

Figures measure(const std::vector<Row>& rows) {
  Figures out;
  for (const Row& row : rows) {
    const Resolution found = resolver().resolve(row.request);
    if (row.refers)
      ++(found.refers ? out.found : out.missed);
    else
      ++(found.refers ? out.wrong : out.right);
    const auto needed = content(row.complete);
    const auto held = content(found.resolved_query);
    if (row.refers && std::includes(held.begin(), held.end(), needed.begin(), needed.end()))
      ++out.complete;
  }
  return out;
}

// Every tenth dialogue from the ninth on: training/references/rows.py tunes on none of them.
std::vector<Row> dialogues() {
  std::vector<Row> rows;
  std::ifstream file(data() / "gecor/all.jsonl");
  for (std::string line; std::getline(file, line);) {
    const json::object row = json::parse(line).as_object();
    const std::string id(row.at("id").as_string());
    if (std::atoi(id.c_str()) % 10 != 9 || row.at("history").as_array().empty()) continue;
    Row made;
    made.request.query = row.at("question").as_string();
    for (const json::value& turn : row.at("history").as_array()) {
      made.request.history.push_back({"user", std::string(turn.at("q").as_string())});
      made.request.history.push_back({"assistant", std::string(turn.at("a").as_string())});
    }
    made.refers = row.at("needs_rewrite").as_int64() == 1;
    made.complete = row.at("rewrite").as_string();
    rows.push_back(std::move(made));
  }
  return rows;
}

// Follow-ups over tables; the complete forms after another question are the messages that refer to
// nothing.
std::vector<Row> tables() {
  std::vector<std::vector<std::string>> lines;
  std::ifstream file(data() / "tables/test.tsv");
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> cells;
    for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {
      end = line.find('\t', at);
      cells.push_back(line.substr(at, end - at));
    }
    if (cells.size() >= 3) lines.push_back(std::move(cells));
  }
  std::vector<Row> rows;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Row follow;
    follow.request.query = lines[i][1];
    follow.request.history = {{"user", lines[i][0]}};
    follow.refers = true;
    follow.complete = lines[i][2];
    rows.push_back(std::move(follow));
    Row lone;
    lone.request.query = lines[i][2];
    lone.request.history = {{"user", lines[(i * 7 + 3) % lines.size()][0]}};
    rows.push_back(std::move(lone));
  }
  return rows;
}

void print(const char* name, const Figures& got) {
  std::printf("[ FIGURES  ] %s: F1 %.3f (found %d, missed %d, wrong %d), needed words %.3f\n", name,
              got.f1(), got.found, got.missed, got.wrong, got.coverage());
}

TEST(FollowUp, DialoguesAreSeenAndCompleted) {
  if (!fs::exists(data() / "gecor")) GTEST_SKIP() << "no labelled conversations: " << data();
  const Figures got = measure(dialogues());
  print("dialogues", got);
  EXPECT_GE(got.f1(), 0.89);
  EXPECT_GE(got.coverage(), 0.72);
}

TEST(FollowUp, QuestionsOverTablesAreSeenAndCompleted) {
  if (!fs::exists(data() / "tables")) GTEST_SKIP() << "no labelled conversations: " << data();
  const Figures got = measure(tables());
  print("tables", got);
  EXPECT_GE(got.f1(), 0.82);
  EXPECT_GE(got.coverage(), 0.70);
}

TEST(FollowUp, SelfCorrectionsLeaveTheCleanQuestion) {
  if (!fs::exists(data() / "disfl_qa")) GTEST_SKIP() << "no labelled conversations: " << data();
  std::ifstream file(data() / "disfl_qa/valid.tsv");
  int rows = 0, kept = 0, cleaned = 0, touched = 0;
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    const std::string clean = line.substr(first + 1, second - first - 1);
    Request request;
    request.query = line.substr(0, first);
    const Resolution found = resolver().resolve(request);
    const auto needed = content(clean);
    const auto held = content(found.resolved_query);
    ++rows;
    cleaned += found.kind == ReferenceKind::SelfCorrection ? 1 : 0;
    kept += std::includes(held.begin(), held.end(), needed.begin(), needed.end()) ? 1 : 0;
    request.query = clean;
    touched += resolver().resolve(request).resolved_query != clean ? 1 : 0;
  }
  std::printf(
      "[ FIGURES  ] self-corrections: seen %.3f, needed words %.3f, clean questions changed %.4f\n",
      1.0 * cleaned / rows, 1.0 * kept / rows, 1.0 * touched / rows);
  EXPECT_GE(1.0 * cleaned / rows, 0.7);
  EXPECT_GE(1.0 * kept / rows, 0.7);
  EXPECT_LE(1.0 * touched / rows, 0.02);
}

}  // namespace
}  // namespace signalbox
