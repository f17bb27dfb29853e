// One function that stage 2 may call: what it does, what it takes, how much harm it can do, who runs
// it.
#pragma once

#include <re2/re2.h>

#include <boost/json.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace signalbox {

enum class Risk { Read, Write, Delete };

enum class HandlerKind { None, BuiltIn, Http, Mcp };

struct FunctionHandler {
  HandlerKind kind = HandlerKind::None;
  std::string name;                // of the built-in, or the MCP server's own name for the tool
  std::string server;              // Mcp: the server's name in the file
  std::string method;              // Http
  std::string url;                 // Http: `{parameter}` is filled in
  std::vector<std::string> query;  // Http: parameters that go into the query; the rest is the body
};

struct Function {
  std::string name;
  std::string description;
  boost::json::object parameters;  // JSON Schema of type object
  Risk risk = Risk::Read;
  std::vector<std::string> intents;                  // routes that may call it; empty: every route
  std::vector<std::string> examples;                 // what people say
  std::vector<std::shared_ptr<const RE2>> patterns;  // named groups fill parameters
  FunctionHandler handler;

  const boost::json::object* parameter(std::string_view name) const;
  std::vector<std::string> required() const;
};

const char* risk_name(Risk risk);
std::optional<Risk> risk_from_name(std::string_view name);

}  // namespace signalbox
