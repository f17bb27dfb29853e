// A small server that speaks Hrana over HTTP (POST /v2/pipeline) on top of a SQLite file, as libSQL
// does. It guards nothing: what it is sent, it runs. Remembers the statements and the token.
#pragma once

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <mutex>
#include <string>
#include <vector>

#include "net/http_server.h"
#include "store/sqlite.h"

namespace signalbox {

class LibsqlServer {
 public:
  LibsqlServer(const std::string& path, std::string token) : token_(std::move(token)) {
    auto database = SqliteDatabase::open(path, SqliteMode::ReadWrite);
    EXPECT_TRUE(database);
    database_ = std::make_unique<SqliteDatabase>(*std::move(database));
    HttpServerOptions options;
    options.listen = {"127.0.0.1:0"};
    options.threads = 1;
    auto server = HttpServer::start(options, [this](const ServerRequest& request, ServerReply& reply,
                                                    AnswerLater&) { answer(request, reply); });
    EXPECT_TRUE(server);
    server_ = *std::move(server);
  }

  std::string address() const {
    return "libsql://" + server_->addresses().front() + "?tls=0&authToken=" + token_;
  }
  std::string address_with(const std::string& token) const {
    return "libsql://" + server_->addresses().front() + "?tls=0&authToken=" + token;
  }
  std::vector<std::string> statements() const {
    const std::lock_guard lock(mutex_);
    return statements_;
  }

 private:
  void answer(const ServerRequest& request, ServerReply& reply) {
    if (request.header("authorization") != "Bearer " + token_) {
      reply.status = 401;
      return;
    }
    const std::lock_guard lock(mutex_);
    boost::json::array results;
    const boost::json::value body = boost::json::parse(request.body);
    for (const auto& each : body.at("requests").as_array()) {
      if (each.at("type") == "close") {
        results.push_back(
            boost::json::object{{"type", "ok"}, {"response", boost::json::object{{"type", "close"}}}});
        continue;
      }
      statements_.emplace_back(each.at("stmt").at("sql").as_string());
      results.push_back(executed(statements_.back()));
    }
    reply.body = boost::json::serialize(
        boost::json::object{{"baton", nullptr}, {"base_url", nullptr}, {"results", results}});
  }

  boost::json::value executed(const std::string& sql) {
    auto statement = database_->prepare(sql);
    if (!statement)
      return boost::json::object{
          {"type", "error"},
          {"error", {{"message", statement.error().message}, {"code", "SQLITE_ERROR"}}}};
    boost::json::array columns;
    boost::json::array rows;
    for (int i = 0; i < statement->columns(); ++i)
      columns.push_back(
          boost::json::object{{"name", statement->column_name(i)}, {"decltype", nullptr}});
    while (statement->step().value_or(false)) {
      boost::json::array row;
      for (int i = 0; i < statement->columns(); ++i) row.push_back(cell(*statement, i));
      rows.push_back(row);
    }
    return boost::json::object{{"type", "ok"},
                               {"response",
                                {{"type", "execute"},
                                 {"result",
                                  {{"cols", columns},
                                   {"rows", rows},
                                   {"affected_row_count", 0},
                                   {"last_insert_rowid", nullptr}}}}}};
  }

  static boost::json::value cell(const SqliteStatement& statement, int i) {
    if (statement.is_null(i)) return boost::json::object{{"type", "null"}};
    const std::string text(statement.text(i));
    if (!text.empty() && text.find_first_not_of("-0123456789") == std::string::npos)
      return boost::json::object{{"type", "integer"}, {"value", text}};
    if (!text.empty() && text.find_first_not_of("-.0123456789") == std::string::npos)
      return boost::json::object{{"type", "float"}, {"value", statement.real(i)}};
    return boost::json::object{{"type", "text"}, {"value", text}};
  }

  std::string token_;
  mutable std::mutex mutex_;
  std::unique_ptr<SqliteDatabase> database_;  // guarded by mutex_
  std::vector<std::string> statements_;       // guarded by mutex_
  std::unique_ptr<HttpServer> server_;
};

}  // namespace signalbox
