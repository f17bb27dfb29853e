// Carries out calls: checked once more, previewed and confirmed where they change something, then given
// to their handler.
//
// Nothing that writes or deletes runs without a confirmation, whoever asks: such a call is refused and
// counted. Thread-safe.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>

#include "call/built_in.h"
#include "call/caller.h"
#include "call/mcp_client.h"
#include "net/http_client.h"

namespace signalbox {

class FunctionRunner {
 public:
  struct Parts {
    std::shared_ptr<const FunctionCaller> caller;
    std::shared_ptr<McpServers> servers{};
    std::shared_ptr<HttpClient> http{};
    std::map<std::string, std::shared_ptr<BuiltInHandler>> built_in{};  // by the handler's name
  };
  explicit FunctionRunner(Parts parts) : parts_(std::move(parts)) {}

  bool can_run(const std::string& function) const;

  // What a call that writes or deletes would do. InvalidInput: it cannot be done.
  Result<CallPreview> preview(const FunctionCall& call, const CallPlace& place) const;

  // `previewed` is what the user confirmed; null: nothing was. InvalidInput: the arguments, or a write
  // that was not confirmed. NotFound: no such function, or nothing here runs it.
  Result<CallResult> run(const FunctionCall& call, const CallPreview* previewed,
                         const CallPlace& place) const;

  std::uint64_t unconfirmed_writes() const { return unconfirmed_; }  // refused ones
  std::uint64_t unvalidated_sql() const { return unvalidated_; }     // withheld results of such

 private:
  Result<const Function*> checked(const FunctionCall& call) const;
  BuiltInHandler* built_in(const Function& function) const;
  Result<CallResult> run_http(const Function& function, const boost::json::object& arguments,
                              const CallPlace& place) const;

  Parts parts_;
  mutable std::atomic<std::uint64_t> unconfirmed_{0};
  mutable std::atomic<std::uint64_t> unvalidated_{0};
};

}  // namespace signalbox
