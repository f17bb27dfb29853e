#include "plan/decompose.h"

#include <gtest/gtest.h>

#include "test/fakes/plan_words.h"

namespace signalbox::planning {
namespace {

std::string parts(std::string_view query) {
  std::string out;
  for (const std::string& part : decompose(query, plan_lexicon())) {
    if (!out.empty()) out += " | ";
    out += part;
  }
  return out.empty() ? "whole" : out;
}

TEST(Decompose, ASimpleQuestionStaysWhole) {
  for (const char* query :
       {"What is VectorTool?", "VectorTool 是什么", "how does the indexing pipeline work?", "",
        "pros and cons of event sourcing", "how to search and filter tickets", "索引和查询怎么工作"}) {
    EXPECT_EQ(parts(query), "whole") << query;
  }
}

TEST(Decompose, AComparisonAsksForEachMember) {
  EXPECT_EQ(parts("compare Redis and Memcached"), "Redis | Memcached");
  EXPECT_EQ(parts("compare search and rescue with fire watch"), "search and rescue | fire watch");
  EXPECT_EQ(parts("What is the difference between RRF and weighted sum?"), "RRF | weighted sum");
  EXPECT_EQ(parts("gRPC vs. REST"), "gRPC | REST");
  EXPECT_EQ(parts("How do Kafka and Pulsar differ?"), "Kafka | Pulsar");
  EXPECT_EQ(parts("compare Kafka, Pulsar, and NATS"), "Kafka | Pulsar | NATS");
}

TEST(Decompose, ChineseComparesAlike) {
  EXPECT_EQ(parts("比较索引管线和查询引擎"), "索引管线 | 查询引擎");
  EXPECT_EQ(parts("向量检索与全文检索有什么区别？"), "向量检索 | 全文检索");
  EXPECT_EQ(parts("与 MySQL 相比，PostgreSQL 有什么差异"), "MySQL | PostgreSQL");
}

TEST(Decompose, WhatTheMembersShareIsSaidOfEach) {
  EXPECT_EQ(parts("compare the cost of S3 and local disk"), "the cost of S3 | the cost of local disk");
  EXPECT_EQ(parts("compare the speed and cost of S3 and GCS"),
            "the speed and cost of S3 | the speed and cost of GCS");
  EXPECT_EQ(parts("Is Kafka faster than NATS for small messages"),
            "Kafka for small messages | NATS for small messages");
  EXPECT_EQ(parts("compare how the indexer and the crawler handle errors"),
            "how the indexer handle errors | how the crawler handle errors");
  EXPECT_EQ(parts("比较索引管线和查询引擎的架构差异"), "索引管线的架构 | 查询引擎的架构");
  EXPECT_EQ(parts("旧版的接口和新版的接口的区别"), "旧版的接口 | 新版的接口");
}

TEST(Decompose, WhatEachMemberHasOfItsOwnIsNotShared) {
  EXPECT_EQ(parts("compare the cost of Kafka and the speed of NATS"),
            "the cost of Kafka | the speed of NATS");
  EXPECT_EQ(parts("difference between the API for mobile and the API for web"),
            "the API for mobile | the API for web");
}

TEST(Decompose, AWordOfComparisonWithoutTwoMembersComparesNothing) {
  EXPECT_EQ(parts("compare the results"), "whole");
  EXPECT_EQ(parts("what does the compare function and its test do"), "whole");
  EXPECT_EQ(parts("compare this and these"), "whole");
  EXPECT_EQ(parts("compare \"A and B\""), "whole");
  EXPECT_EQ(parts("run compare-and-swap"), "whole");
}

TEST(Decompose, SeveralQuestionsAreToldApart) {
  EXPECT_EQ(parts("What is the retention policy? Who approves exceptions?"),
            "What is the retention policy | Who approves exceptions");
  EXPECT_EQ(parts("explain how login works and why tokens expire"),
            "explain how login works | why tokens expire");
  EXPECT_EQ(parts("先解释缓存策略，然后列出服务"), "先解释缓存策略 | 列出服务");
  EXPECT_EQ(parts("I have trouble with login. How do I reset my password?"), "whole");
  EXPECT_EQ(parts("who approved the change, which broke login?"), "whole");
}

TEST(Decompose, APronounIsReplacedByWhatItStandsFor) {
  EXPECT_EQ(parts("how does the indexing pipeline work and who owns it?"),
            "how does the indexing pipeline work | who owns the indexing pipeline");
  EXPECT_EQ(parts("what happened to the old gateway and how does it fail"),
            "what happened to the old gateway | how does the old gateway fail");
  EXPECT_EQ(parts("索引管线怎么工作，它由谁负责？"), "索引管线怎么工作 | 索引管线由谁负责");
}

TEST(Decompose, WhatIsAskedOfBothNamesBoth) {
  EXPECT_EQ(parts("compare A and B, and list what both depend on"),
            "A | B | list what A and B depend on");
  EXPECT_EQ(parts("比较A和B，并列出两者的服务"), "A | B | 列出A和B的服务");
}

TEST(Decompose, AnEnumerationOfThreeOrOfNamesIsListed) {
  EXPECT_EQ(parts("explain sharding, replication, and leader election"),
            "explain sharding | explain replication | explain leader election");
  EXPECT_EQ(parts("解释分片、复制和选主"), "解释分片 | 解释复制 | 解释选主");
  EXPECT_EQ(parts("what are PROJ-12 and PROJ-13"), "PROJ-12 | PROJ-13");
  EXPECT_EQ(parts("explain the retry, timeout and backoff settings"), "whole");
  EXPECT_EQ(parts("how do I install, configure and start the agent"), "whole");
}

TEST(Decompose, AThingReachedThroughAnotherIsFoundFirst) {
  EXPECT_EQ(parts("who owns the service that checkout depends on?"),
            "the service that checkout depends on | who owns the service");
  EXPECT_EQ(parts("who fixed the bug that blocked PROJ-9?"),
            "the bug that blocked PROJ-9 | who fixed the bug");
  EXPECT_EQ(parts("how does the library that billing uses handle errors"),
            "the library that billing uses | how does the library handle errors");
  EXPECT_EQ(parts("支付模块依赖的服务由谁负责？"), "支付模块依赖的服务 | 服务由谁负责");
  EXPECT_EQ(parts("谁负责支付模块所依赖的服务"), "支付模块所依赖的服务 | 谁负责服务");
}

TEST(Decompose, ALinkThatIsAllThatIsAskedStaysWhole) {
  EXPECT_EQ(parts("list the services that checkout depends on"), "whole");
  EXPECT_EQ(parts("支付模块依赖的服务有哪些"), "whole");
  EXPECT_EQ(parts("how is the ledger used by billing"), "whole");
  EXPECT_EQ(parts("who said that checkout depends on billing"), "whole");
  EXPECT_EQ(parts("how to lock a folder so that nothing uses it"), "whole");
}

TEST(Decompose, APastedDocumentOrAnEndlessListStaysWhole) {
  std::string document = "compare A and B";
  for (int i = 0; i < 300; ++i) document += " word";
  EXPECT_EQ(parts(document), "whole");
  std::string list = "PROJ-1";
  for (int i = 2; i < 20; ++i) list += ", PROJ-" + std::to_string(i);
  EXPECT_EQ(parts(list + " and PROJ-20"), "whole");
}

TEST(Decompose, BadBytesAreNoReasonToStop) {
  EXPECT_EQ(parts("compare \xff\xfe and \xc3"), "whole");
  EXPECT_EQ(parts("compare caf\xe9 and Tee"), "caf | Tee");
}

}  // namespace
}  // namespace signalbox::planning
