// The server's API: a table of endpoints, and what every one of them goes through first.
//
// handle() runs on I/O threads: it finds the endpoint, asks the guard for the caller's right, and calls
// the endpoint's function, which answers at once or hands its work to the pool. Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/worker_pool.h"
#include "context/session_store.h"
#include "net/http_server.h"
#include "server/guard.h"
#include "server/recorder.h"
#include "server/served_fleet.h"

namespace signalbox {

class AsioHttpClient;
class KeyRing;
class SqlDesk;
struct Upstream;

struct ApiParts {
  FleetHolder& fleet;
  Metrics& metrics;
  Guard& guard;
  WorkerPool& pool;
  AsioHttpClient& http;  // to the model servers
  Recorder& recorder;
  DecisionLog* log;  // null: decisions are not kept
  SessionStore* sessions;
  bool has_quick_sessions;  // in memory: no reason to leave an I/O thread
  KeyRing* keys;            // null: no keys are configured
  std::string reports;      // folder of evaluation reports; empty: none
};

// One request on its way through the API.
struct Call {
  const ServerRequest& request;
  ServerReply& reply;
  AnswerLater& later;
  std::string_view id;           // what stands for {id} in the path, not decoded
  const Caller* caller;          // whose key it is; null: no keys are configured
  std::shared_ptr<void> ticket;  // holds a place within the caller's concurrency
};

class Api {
 public:
  explicit Api(ApiParts parts);
  ~Api();

  void handle(const ServerRequest& request, ServerReply& reply, AnswerLater& later);

  // "POST /v1/route", …: what openapi.yaml must describe.
  std::vector<std::string> endpoints() const;

 private:
  struct Endpoint;
  void route(Call& call);
  void route_batch(Call& call);
  void chat(Call& call);
  struct Chat;
  void serve_chat(const std::shared_ptr<Chat>& chat);
  void pass_on(const std::shared_ptr<Chat>& chat, const Upstream& upstream, std::string json,
               std::string fields);
  void count_upstream(const std::string& slot, int status, TimePoint start);
  void decisions(Call& call);
  void replay_decision(Call& call);
  void drift(Call& call);
  void feedback(Call& call);
  void sessions(Call& call);
  void session(Call& call);
  void forget_session(Call& call);
  void session_message(Call& call);
  void search(Call& call);
  void tools(Call& call);
  void call_tool(Call& call);
  // Runs `work` in the pool and answers with what it leaves in the reply.
  void in_pool(Call& call, std::function<void(ServerReply&)> work);
  void sql(Call& call);
  void models(Call& call);
  void profiles(Call& call);
  void healthz(Call& call);
  void readyz(Call& call);
  void metrics(Call& call);
  void openapi_yaml(Call& call);
  void openapi_json(Call& call);
  void reports(Call& call);
  void report(Call& call);
  void keys(Call& call);
  void add_key(Call& call);
  void revoke_key(Call& call);
  void page(Call& call);
  void page_asset(Call& call);
  void count(const Endpoint& endpoint, int status, TimePoint start);

  std::unique_ptr<SqlDesk> desk_;
  ApiParts parts_;
  std::vector<Endpoint> endpoints_;
};

int http_status(ErrorCode code);

// Answers with the error, OpenAI-shaped.
void refuse(ServerReply& reply, const Error& error);
// The same with another status and code where none of ours fits: 401, 403, 405, 429.
void refuse(ServerReply& reply, int status, std::string_view code, std::string_view message);

}  // namespace signalbox
