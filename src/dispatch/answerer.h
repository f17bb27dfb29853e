// Answers a message in two phases: prepare() routes, reformulates, runs what needs no model and
// retrieves; generate() asks the route's model and streams what it says. Whoever wants only one of them
// calls only that: a gateway prepares here and streams from a server behind it.
//
// The decision is Router::route()'s own, so everything it promises holds here too: the model is the one
// of the route, and a route that does not retrieve never does. Thread-safe.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/app_host.h"
#include "context/session.h"
#include "llm/llm_client.h"
#include "probe/retriever.h"
#include "signalbox/router.h"

namespace signalbox {

class SqlDesk;

struct PreparedAnswer {
  Decision decision;
  std::string text;               // the whole answer, where no model is needed or there is none
  std::vector<std::string> list;  // what the text shows, for "the second one"
  bool is_notice = false;         // `text` only says why nothing answers
  bool lacks_model = false;       // … because no slot is bound
  std::string system;             // the route's prompt, filled in; empty: there is none
  std::vector<Message> lent;      // earlier messages of the session, where the request brought none
  std::vector<Passage> passages;
  std::string extract;         // what the passages say by themselves, with citations
  std::string retrieval_note;  // why there are none though the route retrieves
};

struct GeneratedAnswer {
  std::string text;
  std::vector<LlmToolCall> tool_calls;
  std::string finish = "stop";
  LlmUsage usage;
  std::string model;
  bool is_recorded = false;  // the session has it
};

struct AnswererOptions {
  std::shared_ptr<const AppHost> apps;   // empty: what goes to an app is left to the caller
  std::shared_ptr<Retriever> retriever;  // empty: nothing is looked up
  std::shared_ptr<SqlDesk> databases{};  // empty: no route asks one
  std::size_t passages = 5;
  int max_tokens = 1024;
  Duration budget = std::chrono::minutes(2);  // of generate()
};

class Answerer {
 public:
  // Model, sessions and clock are the router's; it must outlive this.
  explicit Answerer(const Router& router, AnswererOptions options = {});

  // Fails as Router::route() does. What retrieval could not do is a note, never an error. The parts of
  // a message with several wishes follow one another until one asks something.
  Result<PreparedAnswer> prepare(const Request& request) const;

  // What the route's model is asked; whoever wants other limits or tools changes it.
  LlmRequest question(const Request& request, const PreparedAnswer& prepared) const;

  // Streams to `sink` where one is given; the text is the same either way. The answer joins the
  // session. Timeout, Overloaded or Upstream: no answer came.
  Result<GeneratedAnswer> generate(const PreparedAnswer& prepared, const LlmRequest& question,
                                   const TextSink& sink = {}) const;

  // What a model behind a gateway answered joins the session. False: there is none, or it is down.
  bool remember(const PreparedAnswer& prepared, const std::string& text) const;

 private:
  Result<PreparedAnswer> prepare_one(const Request& request) const;
  // The next part of a message with several wishes, after what was answered. False: there is none.
  Result<bool> add_next_part(const Request& request, PreparedAnswer& out) const;
  void look_up(PreparedAnswer& prepared) const;
  // Keeps what was asked in the session, so that the next message answers it.
  void await(const Request& request, const Awaiting& awaiting, PreparedAnswer& out) const;
  // The session as it was before the turn; empty without one.
  Session session_before(const Request& request) const;
  // Routes with the tool `sql_query` are answered by the profile's database. False: there is none.
  bool ask_database(const Request& request, const Session& before, PreparedAnswer& out) const;
  // False: no function of the profile is meant.
  bool run_functions(const Request& request, const Session& before, PreparedAnswer& out) const;
  // False: no app of ours is meant.
  bool run_app(const Request& request, const Session& before, PreparedAnswer& out) const;

  const Router& router_;
  AnswererOptions options_;
};

}  // namespace signalbox
