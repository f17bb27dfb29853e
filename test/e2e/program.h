// Runs the real program as a person or a script does, and keeps what it said.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace signalbox {

struct Outcome {
  int exit_code = -1;  // 128 + signal when one ended it
  std::string out;
  std::string err;
  long max_rss_kb = 0;
};

struct Conditions {
  std::string input = {};                               // standard input
  std::map<std::string, std::string> environment = {};  // on top of a bare one
  std::string folder = {};                              // the working directory
  std::string input_file = {};                          // instead of `input`
  std::string output_file = {};                         // instead of `out`
  int terminal_columns = 0;  // above 0: standard output and error are a terminal this wide
};

// Starts build/…/signalbox with `arguments` and waits for its end.
Outcome run_program(const std::vector<std::string>& arguments, const Conditions& conditions = {});

// Whether this system lends a pseudo-terminal: a bare chroot does not.
bool has_terminal();

}  // namespace signalbox
