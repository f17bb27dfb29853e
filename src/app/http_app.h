// An app that lives in another program: it is asked over HTTP and answers with events.
//
// The body {id, app, action, slots, state, text, language} is signed: X-Signalbox-Signature is
// "sha256=" and the HMAC of "<timestamp>.<body>" under the manifest's key, X-Signalbox-Timestamp the
// seconds. Asked once more, with the same id, when it could not be reached or failed, as long as the
// deadline allows; it must answer the same id the same way. Its answer {text, events: [{type, set}],
// ask?, list?, finished?} is checked whole before anything counts: an event's `set` is merged into the
// state (null removes a key), bounded in number and size.
#pragma once

#include <memory>

#include "app/app_call.h"
#include "net/http_client.h"

namespace signalbox {

class HttpApp : public AppHandler {
 public:
  HttpApp(std::shared_ptr<HttpClient> http, std::shared_ptr<const Clock> clock)
      : http_(std::move(http)), clock_(std::move(clock)) {}

  Result<AppReply> handle(const AppManifest& app, const AppCall& call,
                          const boost::json::object& state) override;
  ApplyEvent apply() const override;

 private:
  std::shared_ptr<HttpClient> http_;
  std::shared_ptr<const Clock> clock_;
};

// For the other side, and for tests: what the signature header must say.
std::string app_signature(const std::string& key, const std::string& timestamp,
                          const std::string& body);

// Upstream: not what the protocol says; the text tells which field.
Result<AppReply> read_app_reply(std::string_view body);

}  // namespace signalbox
