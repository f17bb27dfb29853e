// Reads rows of other systems as cases of ours, by the table test/cases/shared.map.yaml.
//
// The table names every field a row may hold: what it becomes in our request, what it lets us expect,
// or why it is left aside. A field it does not name is an error, so that no label is lost in silence.
// Immutable after read().
#pragma once

#include <boost/json.hpp>
#include <string>

#include "signalbox/result.h"
#include "test/conformance/case_file.h"
#include "test/conformance/case_router.h"

namespace signalbox {

struct SharedCase {
  Case one;                 // `place` is the row's id; nothing expected: nothing in it can be judged
  Environment environment;  // variables set while the profile loads
};

class SharedMap {
 public:
  // InvalidInput names the profile, the field and the key that is wrong.
  static Result<SharedMap> read(const std::string& path);
  static Result<SharedMap> parse(const std::string& yaml);

  // InvalidInput when the row holds a field the table does not name, or a request we would refuse.
  Result<SharedCase> apply(const std::string& profile, const boost::json::object& row) const;

 private:
  boost::json::object profiles_;  // name → {context, expected, kinds}
};

}  // namespace signalbox
