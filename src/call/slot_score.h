// How well a value of a message suits a parameter: by its kind (a date for a date), by the words beside
// it ("with ID 61", "85 minutes") and by what the parameter's description says.
//
// Looks at one message; what it is given must outlive it. Pure.
#pragma once

#include <string>
#include <vector>

#include "call/slot_parameter.h"
#include "call/slot_values.h"

namespace signalbox {

class SlotScore {
 public:
  SlotScore(const std::vector<SlotWord>& said, const std::vector<SlotValue>& values,
            const SlotWords& words)
      : said_(said), values_(values), words_(words) {}

  double score(const SlotParameter& parameter, const SlotValue& value) const;
  // By its kind alone; below 0 it does not suit.
  static double kind_score(const SlotParameter& parameter, const SlotValue& value);
  // How much of the parameter's name is said just before that place: 0 to 1.
  double cue_before(const SlotParameter& parameter, std::size_t place) const;

 private:
  double described_before(const SlotParameter& parameter, std::size_t place) const;
  bool is_named_after(const SlotParameter& parameter, std::size_t place) const;
  bool follows(const SlotWordSet& set, std::size_t place) const;

  const std::vector<SlotWord>& said_;
  const std::vector<SlotValue>& values_;
  const SlotWords& words_;
};

bool has_term(const std::vector<Term>& terms, Term wanted);

}  // namespace signalbox
