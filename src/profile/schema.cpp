#include "profile/schema.h"

#include <boost/json.hpp>

#include "signalbox/profile.h"

namespace signalbox {
namespace {

using Kind = SchemaNode::Kind;
using NodePtr = std::shared_ptr<const SchemaNode>;
using Field = SchemaNode::Field;

NodePtr text(std::string doc, std::vector<std::string> values = {}) {
  SchemaNode node;
  node.kind = Kind::Text, node.doc = std::move(doc), node.values = std::move(values);
  return std::make_shared<SchemaNode>(std::move(node));
}

NodePtr number(std::string doc, double least = 0, double most = 1) {
  SchemaNode node;
  node.kind = Kind::Number, node.doc = std::move(doc), node.least = least, node.most = most;
  return std::make_shared<SchemaNode>(std::move(node));
}

NodePtr integer(std::string doc, double least, double most) {
  SchemaNode node;
  node.kind = Kind::Integer, node.doc = std::move(doc), node.least = least, node.most = most;
  return std::make_shared<SchemaNode>(std::move(node));
}

NodePtr simple(Kind kind, std::string doc) {
  SchemaNode node;
  node.kind = kind, node.doc = std::move(doc);
  return std::make_shared<SchemaNode>(std::move(node));
}

NodePtr of(Kind kind, NodePtr element, std::string doc) {
  SchemaNode node;
  node.kind = kind, node.doc = std::move(doc), node.element = std::move(element);
  return std::make_shared<SchemaNode>(std::move(node));
}

NodePtr object(std::string doc, std::vector<Field> fields) {
  SchemaNode node;
  node.kind = Kind::Object, node.doc = std::move(doc), node.fields = std::move(fields);
  return std::make_shared<SchemaNode>(std::move(node));
}

NodePtr flag(std::string doc) {
  return simple(Kind::Flag, std::move(doc));
}

NodePtr texts(std::string doc) {
  return of(Kind::List, text(""), std::move(doc));
}

NodePtr condition() {
  return simple(Kind::Condition, "an atom, or a map of all, any and none");
}

NodePtr target() {
  return object("where it leads",
                {{"kind", text("", {"assistant", "app", "agent", "tool", "model"}), true},
                 {"name", text("active and triggered name an app by context")}});
}

NodePtr rule(std::string doc, bool with_stage) {
  std::vector<Field> fields{{"id", text("the rule's name in decisions"), true},
                            {"when", condition(), true},
                            {"route", text("the route it decides")},
                            {"confidence", number("of its decision")},
                            {"signals", texts("recorded when it holds")},
                            {"reason", text("for people")},
                            {"target", target()}};
  if (with_stage) {
    fields.push_back(
        {"stage", text("always: before declared routes and awaited answers", {"always", "fast"})});
    fields.push_back({"priority", integer("higher wins", -1000000, 1000000)});
    fields.push_back({"tier", text("asks back instead of deciding", {"clarify", "multi_intent"})});
    fields.push_back(
        {"intents", texts("with tier multi_intent: the routes, in order; with clarify: the options")});
  }
  return object(std::move(doc), std::move(fields));
}

NodePtr route() {
  return object("a named destination",
                {{"description", text("what belongs here"), true},
                 {"parent", text("the route it inherits from")},
                 {"retrieval", flag("whether retrieval runs for it")},
                 {"slot", text("the model role that answers")},
                 {"target", target()},
                 {"idle_target", target()},
                 {"prompt", text("file of the answer's prompt")},
                 {"tools", texts("suggested tools, for the plan")},
                 {"writes", flag("what it leads to changes data")},
                 {"view", flag("an app only shows for it, it changes nothing")},
                 {"label", of(Kind::Map, text(""), "what people call it, by language")},
                 {"examples", simple(Kind::Phrases, "what people say")}});
}

NodePtr contract() {
  return object(
      "a rule every decision keeps",
      {{"id", text("its number"), true},
       {"text", text("the rule in words"), true},
       {"when", condition()},
       {"prefixes", text("a word list that the rule of the same id must use")},
       {"then",
        object("what must hold", {{"route", text("")},
                                  {"not_route", text("")},
                                  {"retrieval", flag("")},
                                  {"slot", text("")},
                                  {"slots", of(Kind::Map, text(""), "route: slot")},
                                  {"target_kind", text("")},
                                  {"max_llm_calls", integer("", 0, 1000)},
                                  {"max_history", integer("entries a classifier saw", 0, 1000)},
                                  {"no_tool_calls", flag("")},
                                  {"ask", text("", {"confirm", "clarify", "choose", "fill"})},
                                  {"tables_in_allowlist", flag("")},
                                  {"stateless", flag("history must not change the class")}}),
        true}});
}

NodePtr classifier() {
  return object(
      "the LLM",
      {{"prompt", text("file"), true},
       {"few_shots", text("file: text, tab, route")},
       {"few_shots_app", text("the app that is active in them; else the first by name")},
       {"history", integer("entries it may see", 0, 100)},
       {"topic", integer("characters of each", 1, 1000)},
       {"messages", integer("earlier messages it may see, of those that matter", 0, 20)},
       {"max_calls", integer("one answer may cost", 1, 10)},
       {"max_tokens", integer("of an answer", 16, 8192)},
       {"samples", integer("above 1: asked so often, agreement is the confidence", 1, 16)},
       {"temperature", number("of samples", 0, 2)},
       {"ensemble", flag("whether the variants vote")},
       {"variants", of(Kind::List,
                       object("one voice", {{"name", text("in the trace"), true},
                                            {"few_shots", text("file: text, tab, route"), true}}),
                       "the same prompt with other few-shots, side by side")},
       {"scorer", text("file of the prompt that breaks a tie")},
       {"scorer_enabled", flag("whether a tie is put to the scorer")},
       {"secondary_hints", flag("outvoted routes become signals secondary:ROUTE")},
       {"calibration", text("breaks and one scale more: 0.3/0.6/0.85 0.95/1/1.03/1, or off")}});
}

NodePtr build() {
  return object(
      "A Signalbox profile",
      {{"profile", text("the name callers use"), true},
       {"description", text("one sentence")},
       {"languages", texts("preferred when a message is too short to tell")},
       {"mode", text("order of trust", {"cascade", "llm_first", "local"})},
       {"fallback", text("the route when nothing decides")},
       {"deadline_ms", integer("for a request that brings none", 1, 600000)},
       {"awaiting_route", text("the route of an awaited answer whose options are no routes")},
       {"include", texts("files that share words and patterns")},
       {"thresholds",
        object("",
               {{"clear", number("above it: tier clear")},
                {"confirm", number("from here to clear: tier confirm")},
                {"guess", number("a gatekeeper's answer from here up beats the fallback")},
                {"multi_intent", number("independent intents above it make a message multi_intent")}})},
       {"ask", object("which tiers ask back",
                      {{"confirm", flag("")},
                       {"clarify", flag("")},
                       {"multi_intent", flag("")},
                       {"texts", of(Kind::Map, of(Kind::Map, text(""), "by language"), "by kind")}})},
       {"steps", object("", {{"disable", texts("names of steps to switch off")}})},
       {"slots",
        of(Kind::Map,
           object("", {{"model", text("")}, {"url", text("")}, {"fallback", text("another slot")}}),
           "model roles")},
       {"routes", of(Kind::Map, route(), "where a message can go"), true},
       {"examples", text("file of more examples: text, tab, route")},
       {"words", of(Kind::Map, simple(Kind::Phrases, "phrases"), "named word lists")},
       {"patterns", of(Kind::Map, text("RE2, on the message as written"), "named regular expressions")},
       {"rules", of(Kind::List, rule("a fast-path rule", true), "the fast path")},
       {"manifests", text("folder of the apps' own files")},
       {"functions", text("file of the functions a decision may call")},
       {"index", text("what is searched: a folder of `signalbox index`, or opensearch:URL/NAME")},
       {"apps", of(Kind::Map, object("", {{"description", text("")}, {"triggers", triggers_schema()}}),
                   "what a trigger starts")},
       {"probes",
        object("evidence before the classifier",
               {{"attachment", flag("")},
                {"allowlist", flag("")},
                {"deadline_ms", integer("of each probe but retrieval", 1, 60000)},
                {"retrieval", object("", {{"top", integer("", 1, 1000)},
                                          {"min_score", number("")},
                                          {"deadline_ms", integer("", 1, 60000)},
                                          {"index", text("folder of `signalbox index`")}})},
                {"text", of(Kind::List,
                            object("", {{"name", text(""), true},
                                        {"in", text("what is looked at", {"message", "attachments"})},
                                        {"when", condition(), true},
                                        {"signals", texts("")}}),
                            "conditions that record signals")}})},
       {"gatekeeper",
        object("the local classifier", {{"enabled", flag("")},
                                        {"model", text("a trained model file")},
                                        {"encoder", text("onnx:PATH for one of your own")},
                                        {"second", text("onnx:PATH for the grey zone alone")},
                                        {"challenger", text("another trained model, on trial")},
                                        {"share", number("of the sessions the challenger decides for")},
                                        {"accept", number("it decides above this")},
                                        {"oos_signal", text("")},
                                        {"oos_route", text("")}})},
       {"classifier", classifier()},
       {"overrides", of(Kind::List, rule("", false), "rules after the classifier's answer")},
       {"heuristic", object("used when no model decides",
                            {{"floor", number("")},
                             {"below", text("the route under the floor")},
                             {"scores", of(Kind::List,
                                           object("", {{"route", text(""), true},
                                                       {"weight", number("", -1, 1), true},
                                                       {"per", text("", {"tables", "columns"})},
                                                       {"when", condition()},
                                                       {"signals", texts("")}}),
                                           "")}})},
       {"supervisor",
        object("one correction at most", {{"confidence", number("of a corrected decision")},
                                          {"signal", text("recorded on every correction")},
                                          {"rules", of(Kind::List, rule("", false), "")}})},
       {"references",
        object("messages that lean on earlier ones",
               {{"enabled", flag("")},
                {"cues", text("file: cue, tab, weight"), true},
                {"accept", number("a message refers from here up")},
                {"min_relevance", number("a weak follow-up below it begins a new topic")},
                {"messages", integer("of the history that are looked at", 1, 1000)},
                {"prompt", text("file of the prompt of an LLM that rewrites")},
                {"ask_below", number("the LLM is asked when the cheap way is less sure")}})},
       {"plan",
        object("", {{"tools", flag("fill the plan from the routes' tools")},
                    {"decompose", of(Kind::Map, text(""), "role: word list")},
                    {"prompt", text("file of the prompt of an LLM that splits questions")},
                    {"ask_from_words", integer("words a question must have for it", 0, 1000)}})},
       {"allowlist", text("file of tables and columns, as `signalbox allowlist` writes it")},
       {"databases",
        of(Kind::Map,
           object(
               "a database that questions may be asked of",
               {{"address", text("a SQLite file, postgres://… or libsql://…"), true},
                {"allowlist", text("file of tables and columns, as `signalbox allowlist` writes it")},
                {"role", text("PostgreSQL: the role that asks")},
                {"rows", integer("of one answer", 1, 100000)},
                {"bytes", integer("of one answer", 1024, 1 << 28)},
                {"time_ms", integer("of one statement", 1, 600000)},
                {"week", text("what 'last week' means", {"calendar", "seven_days"})},
                {"similarity", number("hybrid search: what is found lies above it", -1, 1)}}),
           "databases by name")},
       {"cache",
        object("how decisions are remembered",
               {{"enabled", flag("")},
                {"ttl_s", integer("seconds a decision lives", 1, 31536000)},
                {"size", integer("decisions kept", 1, 1000000)},
                {"semantic", number("least similarity of messages that mean the same; 0: exact alone")},
                {"words", text("file of the words it compares by")},
                {"redis", text("redis://HOST:PORT/DATABASE, shared by several processes")}})},
       {"session",
        object("how a conversation is remembered and continued",
               {{"history", text("when the classifier sees it", {"refers", "always"})},
                {"other_message", text("what it does to what is awaited", {"keep", "cancel"})},
                {"awaiting_turns", integer("messages that leave it open", 0, 100)},
                {"app_ends", condition()}})},
       {"contract", of(Kind::List, contract(), "what every decision keeps")}});
}

boost::json::value json_schema(const SchemaNode& node) {
  boost::json::object out;
  if (!node.doc.empty()) out["description"] = node.doc;
  switch (node.kind) {
    case Kind::Text:
      out["type"] = "string";
      if (!node.values.empty()) out["enum"] = boost::json::value_from(node.values);
      break;
    case Kind::Number:
    case Kind::Integer:
      out["type"] = node.kind == Kind::Number ? "number" : "integer";
      out["minimum"] = node.least;
      out["maximum"] = node.most;
      break;
    case Kind::Flag:
      out["type"] = {"boolean", "string"};  // a text such as "${NAME:-true}"
      break;
    case Kind::List:
      out["type"] = "array";
      out["items"] = json_schema(*node.element);
      break;
    case Kind::Map:
      out["type"] = "object";
      out["additionalProperties"] = json_schema(*node.element);
      break;
    case Kind::Condition:
      out["$ref"] = "#/$defs/condition";
      break;
    case Kind::Phrases:
      out["$ref"] = "#/$defs/phrases";
      break;
    case Kind::Object: {
      out["type"] = "object";
      out["additionalProperties"] = false;
      boost::json::object properties;
      boost::json::array required;
      for (const Field& field : node.fields) {
        properties[field.name] = json_schema(*field.node);
        if (field.is_required) required.push_back(boost::json::string(field.name));
      }
      out["properties"] = std::move(properties);
      if (!required.empty()) out["required"] = std::move(required);
      break;
    }
  }
  return out;
}

}  // namespace

std::shared_ptr<const SchemaNode> triggers_schema() {
  static const NodePtr phrases = simple(Kind::Phrases, "a list, or lists by language");
  static const NodePtr node =
      object("what starts the app", {{"phrases", phrases},
                                     {"patterns", phrases},
                                     {"keywords", phrases},
                                     {"attachments", texts("image/*, application/pdf or *.gpx")},
                                     {"urls", texts("example.com or example.com/trips")}});
  return node;
}

const SchemaNode& profile_schema() {
  static const NodePtr root = build();
  return *root;
}

std::string profile_json_schema() {
  boost::json::object schema = json_schema(profile_schema()).as_object();
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["$defs"] = boost::json::parse(R"({
    "condition": {"oneOf": [{"type": "string"}, {"type": "object", "additionalProperties": false,
      "properties": {"all": {"type": "array", "items": {"$ref": "#/$defs/condition"}},
                     "any": {"type": "array", "items": {"$ref": "#/$defs/condition"}},
                     "none": {"type": "array", "items": {"$ref": "#/$defs/condition"}}}}]},
    "phrases": {"oneOf": [{"type": "array", "items": {"type": "string"}},
      {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}]}
  })");
  return boost::json::serialize(schema);
}

}  // namespace signalbox
