// Small word lists for tests of the plan step; the shipped ones are in profiles/common.
#pragma once

#include "plan/lexicon.h"
#include "plan/plan.h"

namespace signalbox::planning {

inline const PlanLists& plan_words() {
  static const PlanLists lists = {
      {"compare", {"compare", "比较"}},
      {"between", {"difference between", "choose between"}},
      {"versus", {"vs", "compared (to|with)", "differ from", "faster than", "相比"}},
      {"against", {"with", "to"}},
      {"join", {"and", "or", "和", "与"}},
      {"differ", {"differ", "(有什么|)(区别|差异)"}},
      {"aspect", {"in terms of", "for", "focusing on", "在...方面"}},
      {"of", {"of"}},
      {"possessive", {"的"}},
      {"act", {"handle", "work"}},
      {"question",
       {"what", "what is", "how", "how to", "how does", "why", "who", "which", "什么", "怎么", "谁",
        "由谁", "谁负责", "为什么"}},
      {"command", {"list", "explain", "show", "列出", "解释"}},
      {"also", {"and also", "then", "并", "然后"}},
      {"define", {"what are", "explain", "什么是", "解释", "是什么"}},
      {"listing", {"list", "what are", "show", "有哪些", "列出"}},
      {"both", {"both", "them", "两者"}},
      {"pronoun", {"it", "its", "它"}},
      {"determiner", {"the", "a", "all"}},
      {"relative", {"that", "which"}},
      {"link", {"depends on", "uses", "blocked"}},
      {"linked", {"used by"}},
      {"linked_of", {"(所|)依赖的"}},
      {"filler", {"please", "请"}},
      {"stop",
       {"a",    "an",    "the",   "is",   "are",  "does",  "do",      "what",    "how",    "why",
        "who",  "which", "where", "i",    "it",   "its",   "of",      "in",      "to",     "and",
        "or",   "that",  "so",    "both", "them", "list",  "explain", "compare", "please", "这个",
        "的",   "是",    "什么",  "和",   "work", "works", "打开",    "文件",    "怎么",   "这些",
        "this", "these", "谁",    "有",   "哪些", "关于",  "查找"}},
  };
  return lists;
}

inline const Lexicon& plan_lexicon() {
  static const Lexicon lexicon = Lexicon::create(plan_words()).value();
  return lexicon;
}

}  // namespace signalbox::planning
