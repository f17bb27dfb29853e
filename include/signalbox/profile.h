// What one profile file says, after loading: routes, word lists, rules, thresholds, contract.
//
// A value type without behaviour; docs/profiles.md explains every field. Loaded once and shared as
// `std::shared_ptr<const Profile>`.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "signalbox/decision.h"
#include "signalbox/result.h"

namespace signalbox {

// Where something stands in its file, both counted from 1; 0 means nowhere.
struct SourceMark {
  int line = 0;
  int column = 0;
};

// A condition as it was written: a tree of all/any/none over atoms such as `words.greeting`.
struct Condition {
  enum class Kind { Always, Atom, All, Any, None };
  Kind kind = Kind::Always;
  std::string atom;
  std::vector<Condition> parts;
  SourceMark mark;
};

enum class Mode { Cascade, LlmFirst, Local };
enum class RuleStage { Always, Fast };

struct SlotBinding {
  std::string model;
  std::string url;
  std::string fallback;
  SourceMark mark;
};

struct RouteExample {
  std::string text;
  std::string route;  // "oos" means out of scope; "a#b" several routes
  SourceMark mark;

  // The same text and label, wherever they stand.
  bool operator==(const RouteExample& other) const {
    return text == other.text && route == other.route;
  }
};

struct Route {
  std::string name;
  std::string description;
  std::string parent;
  bool retrieval = false;
  std::string slot;
  Target target;
  std::optional<Target> idle_target;
  std::string prompt;  // the prompt's text
  std::vector<std::string> tools;
  bool writes = false;
  bool is_view = false;                       // an app only shows, it changes nothing
  std::map<std::string, std::string> labels;  // language → what people call it
  SourceMark mark;
};

struct Rule {
  std::string id;
  RuleStage stage = RuleStage::Fast;
  int priority = 0;
  Condition when;
  std::string route;  // empty: the rule only records its signals
  double confidence = 1;
  std::vector<std::string> signals;
  std::string reason;
  std::optional<Target> target;
  std::optional<Tier> tier;          // asks back instead of deciding
  std::vector<std::string> intents;  // with tier multi_intent: their routes, in order
  SourceMark mark;
};

// What a trigger starts. Its triggers come from its manifest, or from the profile itself.
struct App {
  std::string name;
  std::string description;
  std::vector<std::string> phrases;
  std::vector<std::string> patterns;
  std::vector<std::string> keywords;
  std::vector<std::string> attachments;  // "image/*", "application/pdf", "*.gpx"
  std::vector<std::string> urls;         // "maps.example.com", "example.com/trips"
  int lifetime_hours = 24 * 30;          // unused this long it is no longer active
  bool mention_wins = true;  // a mention of the assistant goes to it while the app is active
  std::string file;          // of the manifest; empty: the profile's own
  SourceMark mark;
};

struct TextProbe {
  std::string name;
  bool in_attachments = false;  // looks at the attachments' names and text instead of the message
  Condition when;
  std::vector<std::string> signals;
  SourceMark mark;
};

struct Probes {
  bool attachment = false;
  bool allowlist = false;
  int deadline_ms = 100;  // of each probe but retrieval, which has its own
  bool retrieval = false;
  int retrieval_top = 5;
  double retrieval_min_score = 0.65;
  int retrieval_deadline_ms = 300;  // later than this its result is unknown
  std::vector<TextProbe> text;
};

struct Thresholds {
  double clear = 0.85;
  double confirm = 0.65;
  double guess = 0.40;
  double multi_intent = 0.30;
};

struct AskPolicy {
  bool confirm = false;
  bool clarify = false;
  bool multi_intent = false;
  std::map<std::string, std::map<std::string, std::string>> texts;  // kind → language → text
};

struct GatekeeperOptions {
  bool enabled = true;
  std::string model;       // a trained file; empty: trained from the profile's examples
  std::string encoder;     // empty: the shipped one; see model/encoder_choice.h
  std::string second;      // an encoder for the grey zone alone
  std::string challenger;  // another trained file, on trial; empty: none
  double share = 0;        // of the sessions it decides for; 0: it is only asked, in the shadow
  double accept = 0.85;
  std::string oos_signal;
  std::string oos_route;
};

// A model's confidence below breaks[i] (and not below the break before) is multiplied by scales[i].
struct ConfidenceScale {
  std::vector<double> breaks;
  std::vector<double> scales;  // one more than breaks; empty: nothing changes

  double apply(double confidence) const;  // at most 1
};

// One voice of the ensemble: the same prompt with other examples.
struct PromptVariant {
  std::string name;
  std::vector<RouteExample> few_shots;
  SourceMark mark;
};

struct ClassifierOptions {
  std::string prompt;  // the prompt's text; empty: no classifier
  std::vector<RouteExample> few_shots;
  std::string few_shots_app;  // which is active in them; empty in a profile without apps
  int history = 6;
  int topic = 60;
  int messages = 0;   // earlier messages it may see, of those that matter
  int max_calls = 3;  // one answer may cost: what a backend refuses is asked in another way
  int max_tokens = 512;
  int samples = 1;           // above 1: self-consistency
  double temperature = 0.7;  // of samples; a single answer has none
  std::vector<PromptVariant> variants;
  bool has_ensemble = true;  // false: the variants stay silent
  std::string scorer;        // the prompt's text, for ties; empty: none
  bool has_scorer = true;
  bool secondary_hints = true;  // routes that were outvoted become `secondary:ROUTE`
  ConfidenceScale calibration;
  SourceMark mark;
};

struct HeuristicScore {
  std::string route;
  double weight = 0;
  std::string per;  // "", "tables" or "columns"
  Condition when;
  std::vector<std::string> signals;
  SourceMark mark;
};

struct Heuristic {
  double floor = 0.35;
  std::string below;
  std::vector<HeuristicScore> scores;
};

struct Supervisor {
  double confidence = 0.8;
  std::string signal;
  std::vector<Rule> rules;
};

// How decisions are remembered; docs/caching.md.
struct CacheSettings {
  bool enabled = true;
  int ttl_s = 600;
  int size = 4096;
  double semantic =
      0.72;           // least similarity of two messages that mean the same; 0: only the same words
  std::string words;  // file of the words it compares by; empty: the shipped one
  std::string redis;  // redis://HOST:PORT/DATABASE shared by several processes; empty: memory alone
};

// How a conversation is remembered and continued; docs/sessions.md.
struct SessionSettings {
  bool always_history = false;   // the classifier sees the intent history of every message, not only
                                 // of one that refers to something earlier
  bool cancel_on_other = false;  // a message that is no answer closes what is awaited
  int awaiting_turns = 3;        // else: how many such messages leave it open
  std::optional<Condition> app_ends;  // of a decision after which no app is active any more
};

struct PlanSettings {
  bool tools = false;
  std::map<std::string, std::string> decompose;  // role → word list
  std::string prompt;       // of the LLM that splits questions; empty: none is asked
  int ask_from_words = 12;  // … for shorter ones only where the cheap way splits them
};

// How messages that lean on earlier ones are seen and resolved; docs/references.md.
struct References {
  bool enabled = false;
  std::string cues;            // weights of the cues: the file's text
  double accept = 0.5;         // a message refers from here up
  double min_relevance = 0.5;  // a weak follow-up less close than this begins a new topic
  int messages = 20;           // of the history that are looked at
  std::string prompt;          // of the LLM that rewrites; empty: none is asked
  double ask_below = 0.5;      // … when the cheap way is less sure than this
  SourceMark mark;
};

// A database that questions may be asked of; docs/sql.md.
struct DatabaseSettings {
  std::string name;
  std::string address;  // a SQLite file, postgres://… or libsql://…; empty: not connected
  std::string role;     // of PostgreSQL, taken before anything is asked
  std::map<std::string, std::vector<std::string>> allowlist;  // table → columns; empty: all of them
  int rows = 200;                                             // of one answer
  int bytes = 1 << 20;
  int time_ms = 3000;
  bool calendar_weeks = true;  // "last week" is Monday to Sunday; else the last seven days
  double similarity = 0.7;     // of hybrid search: what is found lies above it
  SourceMark mark;
};

struct ContractThen {
  std::string route;
  std::string not_route;
  std::optional<bool> retrieval;
  std::string slot;
  std::map<std::string, std::string> slots;
  std::string target_kind;
  std::optional<int> max_llm_calls;
  std::optional<int> max_history;
  bool no_tool_calls = false;
  std::string ask;
  bool tables_in_allowlist = false;
  bool stateless = false;  // the classifier's answer without history must not differ
};

struct ContractRule {
  std::string id;
  std::string text;
  Condition when;
  ContractThen then;
  std::string prefixes;
  SourceMark mark;
};

struct Profile {
  std::string name;
  std::string path;
  std::string description;
  std::vector<std::string> languages;
  Mode mode = Mode::Cascade;
  std::string fallback;
  int deadline_ms = 2000;
  std::string awaiting_route;
  Thresholds thresholds;
  AskPolicy ask;
  std::vector<std::string> disabled_steps;
  std::map<std::string, SlotBinding> slots;
  std::vector<Route> routes;  // in the order of the file
  std::vector<RouteExample> examples;
  std::map<std::string, std::vector<std::string>> words;
  std::map<std::string, std::string> patterns;
  std::map<std::string, SourceMark> word_marks;
  std::map<std::string, SourceMark> pattern_marks;
  std::vector<Rule> rules;
  std::vector<App> apps;
  std::string manifests;  // folder of the apps' own files; empty: none
  std::string index;  // what is searched: a folder of `signalbox index` or opensearch:URL; empty: none
  std::string functions;  // file of the functions a decision may call; empty: none
  Probes probes;
  GatekeeperOptions gatekeeper;
  ClassifierOptions classifier;
  std::vector<Rule> overrides;
  Heuristic heuristic;
  Supervisor supervisor;
  PlanSettings plan;
  References references;
  SessionSettings session;
  CacheSettings cache;
  std::map<std::string, std::vector<std::string>> allowlist;  // for requests that bring none
  std::string allowlist_version;                              // of the file it came from
  std::vector<DatabaseSettings> databases;                    // in the order of the file
  std::vector<ContractRule> contract;
  std::uint64_t hash = 0;  // of everything that can change a decision

  const Route* find_route(const std::string& name) const;
  // Whether `name` is `ancestor` or inherits from it.
  bool is_a(const std::string& name, const std::string& ancestor) const;
};

// One mistake in a profile, with its place and, for a misspelt name, what may have been meant.
struct Diagnostic {
  std::string file;
  SourceMark mark;
  std::string key;
  std::string message;
  bool is_error = true;

  std::string text() const;  // file:line:column: key: message
};

// Reads and validates a profile. InvalidInput: the message holds one line a mistake.
// NotFound: no such file.
Result<std::shared_ptr<const Profile>> load_profile(const std::string& path);

// The JSON Schema of profile files, for editors.
std::string profile_json_schema();

}  // namespace signalbox
