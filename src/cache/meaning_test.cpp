#include "cache/meaning.h"

#include <gtest/gtest.h>

#include <fstream>

#include "model/encoder_choice.h"
#include "normalize/language.h"

namespace signalbox {
namespace {

const MeaningWords& shipped_words() {
  static const MeaningWords words =
      *MeaningWords::load(SIGNALBOX_SOURCE_DIR "/profiles/common/cache.yaml");
  return words;
}

Meaning read(const std::string& text) {
  static const std::vector<std::string> hints{"en", "es", "pt", "zh"};
  return read_meaning(*normalize(text), identify_language(text, hints).code, shipped_words());
}

float cosine(const std::string& a, const std::string& b) {
  static auto e = *open_encoder("");
  std::vector<float> x(e->dimensions()), y(e->dimensions());
  e->encode(a, x);
  e->encode(b, y);
  float s = 0;
  for (std::size_t i = 0; i < x.size(); ++i) s += x[i] * y[i];
  return s;
}
TEST(Dump, Groups) {
  const char* file = std::getenv("ROWS");
  if (!file) GTEST_SKIP();
  const std::string lang = std::getenv("L");
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> f;
    std::istringstream s(line);
    for (std::string c; std::getline(s, c, '\t');) f.push_back(c);
    if (f.size() < 2) continue;
    const auto text = normalize(f[0]);
    if (!text) continue;
    const Meaning m = read_meaning(*text, lang, shipped_words());
    if (!m.is_readable) continue;
    std::string o = m.language + "{";
    for (auto& k : m.asks) o += k + " ";
    o += "}";
    for (auto& p : m.core) o += p.word + ",";
    for (auto& p : m.phrases) {
      o += p.role + "(";
      for (auto& q : p.parts) o += q.word + ",";
      o += ")";
    }
    o += "@";
    for (auto& p : m.dates) o += p.word + ",";
    if (m.dates.empty()) o += m.is_past ? "P" : m.is_future ? "F" : "";
    o += m.signs;
    printf("ROW\t%s\t%s\t%s\n", o.c_str(), f[1].c_str(), f[0].c_str());
  }
}
TEST(Dump, X) {
  const char* file = std::getenv("PAIRS");
  const char* want = std::getenv("HALF");
  if (!file) GTEST_SKIP();
  std::ifstream in(file);
  const bool para = std::string(file).find("para") != std::string::npos;
  std::map<std::string, std::pair<int, int>> by;
  for (std::string line; std::getline(in, line);) {
    if (line[0] == '#') continue;
    std::vector<std::string> f;
    std::istringstream s(line);
    for (std::string c; std::getline(s, c, '\t');) f.push_back(c);
    if (want && f[0] != want) continue;
    const std::string a = f[f.size() - 2], b = f.back();
    const Meaning x = read(a), y = read(b);
    const auto why = why_not_same(x, y);
    auto& n = by[f[1]];
    ++n.second;
    if (!why) ++n.first;
    if (std::getenv("ALL"))
      printf("COS %.3f %s %s\t%s|%s\n", (double)cosine(a, b), para ? "P" : "A",
             why ? refusal_name(*why) : "SAME", a.c_str(), b.c_str());
    if (para ? why.has_value() : !why) {
      const auto show = [](const Meaning& m) {
        std::string o = m.language + " {";
        for (auto& k : m.asks) o += k + " ";
        o += "} ";
        for (auto& p : m.core) o += p.word + ", ";
        for (auto& p : m.phrases) {
          o += " " + p.role + "(";
          for (auto& q : p.parts) o += q.word + ",";
          o += ")";
        }
        o += " @";
        for (auto& p : m.dates) o += p.word + ",";
        return o;
      };
      printf("%.3f %s\t%s | %s\n      %s\n      %s\n", (double)cosine(a, b),
             why ? refusal_name(*why) : "SAME", a.c_str(), b.c_str(), show(x).c_str(), show(y).c_str());
    }
  }
  for (auto& [k, v] : by) printf("%s %d/%d\n", k.c_str(), v.first, v.second);
}

}  // namespace
}  // namespace signalbox
