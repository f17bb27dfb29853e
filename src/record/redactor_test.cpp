#include "record/redactor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>

namespace signalbox {
namespace {

class RedactorTest : public testing::Test {
 protected:
  RedactorTest() {
    auto opened = Redactor::open(SIGNALBOX_SOURCE_DIR "/profiles/common/redaction.yaml");
    EXPECT_TRUE(opened) << opened.error().message;
    redactor = *opened;
  }
  std::string redacted(std::string_view text) const { return redactor->redact(text).text; }

  std::shared_ptr<const Redactor> redactor;
};

TEST_F(RedactorTest, EachKindOfPersonalDataLeaves) {
  EXPECT_EQ(redacted("write to ana.lima+x@mail.example.com.br, please"), "write to [EMAIL], please");
  EXPECT_EQ(redacted("card 4111 1111 1111 1111 expires"), "card [CARD] expires");
  EXPECT_EQ(redacted("IBAN GB82 WEST 1234 5698 7654 32."), "IBAN [IBAN].");
  EXPECT_EQ(redacted("from 192.168.0.17 and 2001:db8::ff00:42:8329"), "from [IP] and [IP]");
  EXPECT_EQ(redacted("SSN 078-05-1120, CPF 123.456.789-09"), "SSN [ID], CPF [ID]");
  EXPECT_EQ(redacted("call +49 30 901820 or (212) 555-0123"), "call [PHONE] or [PHONE]");
  EXPECT_EQ(redacted("my phone number is 785 8949, thanks"), "my phone number is [PHONE], thanks");
}

TEST_F(RedactorTest, NumbersThatOnlyLookPersonalStay) {
  for (const char* text :
       {"order 4111 1111 1111 1112 of today", "version 10.300.2.1", "in 2024 we sold 12,345 pieces",
        "error 0x80070057 at line 1200", "GB82 WEST 1234 5698 7654 33", "@mention and a@b"}) {
    EXPECT_EQ(redacted(text), text);
  }
}

TEST_F(RedactorTest, InJsonOnlyStringsAreTouched) {
  const auto done = redactor->redact_json(
      R"({"query":"mail a@b.org","elapsed_us":4111111111111111,"list":["a@b.org"]})");
  EXPECT_EQ(done.text, R"({"query":"mail [EMAIL]","elapsed_us":4111111111111111,"list":["[EMAIL]"]})");
  EXPECT_EQ(done.count, 2);
  EXPECT_EQ(redactor->redact_json(R"({"a": 1.50})").text,
            R"({"a": 1.50})");  // untouched text stays as it was
}

TEST_F(RedactorTest, AWrongPatternIsToldWithItsPlace) {
  const std::string path = testing::TempDir() + "/redaction-wrong.yaml";
  std::ofstream(path) << "redaction:\n  - {name: A, pattern: '('}\n";
  const auto wrong = Redactor::open(path);
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, testing::HasSubstr("redaction-wrong.yaml:2:5"));
}

// Generated sentences with marked personal data: how much of the kinds we name is found.
TEST_F(RedactorTest, GeneratedSentencesLoseWhatIsMarked) {
  std::ifstream file(SIGNALBOX_SOURCE_DIR "/../shared/data/safety/pii_generated_large.jsonl");
  if (!file) GTEST_SKIP() << "the generated sentences are not on this machine";
  std::map<std::string, std::pair<int, int>> found;  // kind → found, all
  int untouched = 0;
  int clean = 0;
  for (std::string line; std::getline(file, line);) {
    const boost::json::value row = boost::json::parse(line);
    const std::string text(row.at("text").as_string());
    const std::string left = redacted(text);
    bool has_kind = false;
    for (const boost::json::value& span : row.at("spans").as_array()) {
      const std::string kind(span.at(0).as_string());
      for (const char* ours :
           {"EMAIL_ADDRESS", "CREDIT_CARD", "IBAN_CODE", "IP_ADDRESS", "US_SSN", "PHONE_NUMBER"}) {
        if (kind != ours) continue;
        has_kind = true;
        ++found[kind].second;
        if (left.find(std::string(span.at(3).as_string())) == std::string::npos) ++found[kind].first;
      }
    }
    if (has_kind) continue;
    ++clean;
    if (left == text) ++untouched;
  }
  for (const auto& [kind, count] : found)
    RecordProperty(kind, std::to_string(count.first) + " of " + std::to_string(count.second));
  RecordProperty("untouched", std::to_string(untouched) + " of " + std::to_string(clean));
  for (const char* kind : {"EMAIL_ADDRESS", "CREDIT_CARD", "IBAN_CODE", "IP_ADDRESS", "US_SSN"}) {
    EXPECT_GE(found[kind].first, found[kind].second * 95 / 100)
        << kind << ": " << found[kind].first << " of " << found[kind].second;
  }
  EXPECT_GE(found["PHONE_NUMBER"].first, found["PHONE_NUMBER"].second * 70 / 100)
      << found["PHONE_NUMBER"].first << " of " << found["PHONE_NUMBER"].second;
  EXPECT_GE(untouched, clean * 95 / 100);
}

}  // namespace
}  // namespace signalbox
