// Takes personal data out of texts before they are stored.
//
// What a pattern finds (its first group, where it has one) becomes [NAME]. The patterns are data
// (profiles/common/redaction.yaml); checks sort out numbers that only look like a card or an account.
// Linear in the text. Thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "signalbox/result.h"

namespace signalbox {

struct Redaction {
  std::string text;
  int count = 0;  // places replaced
};

class Redactor {
 public:
  // Reads a YAML file with a list `redaction`. InvalidInput with file and line: a pattern that is none.
  static Result<std::shared_ptr<const Redactor>> open(const std::string& path);
  ~Redactor();

  Redaction redact(std::string_view text) const;
  // Every string inside a JSON text, names of members left alone. Text that is no JSON is redacted
  // whole.
  Redaction redact_json(std::string_view text) const;

 private:
  struct Rule;
  Redactor() = default;
  std::vector<std::unique_ptr<Rule>> rules_;
};

bool passes_luhn(std::string_view digits);  // blanks and hyphens are passed over
bool passes_iban(std::string_view text);

}  // namespace signalbox
