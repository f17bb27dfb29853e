#include "signalbox/result.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

TEST(Result, CarriesTheCodeAndTheMessage) {
  Result<int> result = fail(ErrorCode::NotFound, "no such route");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::NotFound);
  EXPECT_STREQ(error_code_name(result.error().code), "not_found");
}

}  // namespace
}  // namespace signalbox
