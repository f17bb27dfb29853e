// Passes a chat on to the model server behind its route, and the answer back as it comes.
//
// A coroutine on the client's own event loop: no thread a stream. Reads no more than the client takes;
// a client that leaves ends the call. Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "net/http_client.h"
#include "net/http_server.h"

namespace signalbox {

class AsioHttpClient;

struct ForwardJob {
  HttpRequest request;
  std::shared_ptr<ServerAnswer> answer;
  bool is_stream = false;
  std::string fields;              // header lines of the answer: the decision
  std::string decision;            // its JSON, where the caller wants it in the answer; else empty
  bool is_decision_first = false;  // of a stream: before the answer instead of behind it
  std::string model;               // the name the answer of ours carries
  // Where given: hears the text of a whole answer before the client has its end, from any thread calls
  // back once it is kept, and only then the answer ends. A client that asks on at once finds it.
  std::function<void(std::string text, std::function<void()> then)> keep;
  std::function<void(int status)> done;  // once, with the status the client got; 0: the client left
};

void forward_chat(AsioHttpClient& client, ForwardJob job);

// The error a client sees for what a model server answered. Its 401 and 403 are our configuration's
// fault, not the client's; what it says about a request passes through.
ServerReply map_upstream_error(int status, std::string_view body, std::string_view retry_after);

// Puts `,"signalbox":DECISION` before the last brace of a JSON object.
std::string with_decision(std::string body, std::string_view decision);

// The last chunk of a stream, before [DONE], with the decision and no choices.
std::string decision_event(std::string_view decision, std::string_view model, std::int64_t created);

}  // namespace signalbox
