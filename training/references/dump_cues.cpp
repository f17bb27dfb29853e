// Prints the cues of labelled turns, one line each: label, source, the cues' names. For fit.py.
//
// Usage: dump_cues WORDS.yaml < rows.jsonl, from the source tree, built against the library:
//   g++ -std=c++20 -O2 -Iinclude -Isrc training/references/dump_cues.cpp build/release/libsignalbox.a …

#include <boost/json.hpp>
#include <iostream>

#include "profile/shared_lists.h"
#include "reference/cues.h"

using namespace signalbox;
using namespace signalbox::reference;

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto words = ReferenceWords::open(shared_lists(argv[1])->words);
  if (!words) {
    std::cerr << words.error().message << '\n';
    return 1;
  }
  const auto text_of = [](const boost::json::value& value) { return std::string(value.as_string()); };
  for (std::string line; std::getline(std::cin, line);) {
    const auto row = boost::json::parse(line).as_object();
    const Utterance message(text_of(row.at("query")), **words);
    std::vector<Utterance> earlier;
    const Utterance* user = nullptr;
    const Utterance* assistant = nullptr;
    const auto& history = row.at("history").as_array();
    const std::size_t first = history.size() > 4 ? history.size() - 4 : 0;
    earlier.reserve(4);
    for (std::size_t i = first; i < history.size(); ++i) {
      earlier.emplace_back(text_of(history[i].as_object().at("content")), **words);
      (text_of(history[i].as_object().at("role")) == "user" ? user : assistant) = &earlier.back();
    }
    const auto pointers = find_pointers(message);
    Cues cues = message_cues(message, pointers);
    std::vector<const Utterance*> before;
    for (const Utterance& one : earlier) before.push_back(&one);
    add_history_cues(message, pointers, user, assistant, before, cues);
    std::cout << row.at("label").as_int64() << '\t' << text_of(row.at("source")) << '\t'
              << text_of(row.at("kind")) << '\t' << '0' << '\t';
    for (std::size_t i = 0; i < kCues; ++i) {
      if (cues.test(i)) std::cout << cue_names()[i] << ' ';
    }
    std::cout << '\t' << message.text() << '\n';
  }
}
