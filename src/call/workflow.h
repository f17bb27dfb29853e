// create_workflow: a proposal as JSON - what starts it, its conditions, its steps - each step naming a
// function of the registry.
//
// The proposal is checked against its own schema and every step against its function's. Where it is
// kept is a table of the workspace's database; without one it is only shown. Thread-safe.
#pragma once

#include <memory>
#include <string>

#include "call/built_in.h"
#include "call/caller.h"

namespace signalbox {

// {name, trigger: {kind, text}, conditions: [{text}], steps: [{id, function, arguments, text}]}
const boost::json::object& workflow_schema();

// InvalidInput: a step that no function of the registry does, or a proposal that does not fit.
Result<boost::json::object> propose_workflow(const FunctionCaller& caller,
                                             const boost::json::object& arguments,
                                             const std::string& language);

// Faults of a proposal from elsewhere: its shape, and steps that name no function or wrong arguments.
std::string workflow_faults(const boost::json::object& proposal, const FunctionRegistry& registry);

class WorkflowFunction : public BuiltInHandler {
 public:
  // `database` empty: the proposal is only shown.
  WorkflowFunction(std::shared_ptr<const FunctionCaller> caller, std::string database);

  Result<CallPreview> preview(const Function& function, const boost::json::object& arguments,
                              const CallPlace& place) override;
  Result<CallResult> run(const Function& function, const boost::json::object& arguments,
                         const CallPreview& previewed, const CallPlace& place) override;

 private:
  std::shared_ptr<const FunctionCaller> caller_;
  std::string database_;
};

}  // namespace signalbox
