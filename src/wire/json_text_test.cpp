#include "wire/json_text.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace signalbox {
namespace {

TEST(JsonText, WritesNumbersAsPeopleReadThem) {
  EXPECT_EQ(json_text({{"confidence", 0.95}, {"none", 0.0}, {"llm_calls", 2}}),
            R"({"confidence":0.95,"none":0,"llm_calls":2})");
}

TEST(JsonText, ReadsBackAsTheSameValue) {
  const boost::json::value value = boost::json::parse(
      R"({"a":[1,-2.5,1e-9,1e300,true,null,"line\n\"quote\" 你好 \u0001"],"empty":{},"list":[]})");
  EXPECT_EQ(boost::json::parse(json_text(value)), value);
}

}  // namespace
}  // namespace signalbox
