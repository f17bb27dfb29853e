// Answers requests from a list, one a call, in pieces of a chosen size; remembers what it was asked.
#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "net/http_client.h"

namespace signalbox {

class FakeHttpClient : public HttpClient {
 public:
  // The last answer serves all further calls.
  explicit FakeHttpClient(std::vector<HttpResult<HttpResponse>> answers, std::size_t piece = 7)
      : answers_(std::move(answers)), piece_(piece) {}

  HttpResult<HttpHead> fetch(const HttpRequest& request, const HttpSink& sink) override {
    HttpResult<HttpResponse> answer;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
      answer = answers_[std::min(requests_.size(), answers_.size()) - 1];
    }
    if (!answer) return tl::unexpected(answer.error());
    if (sink.on_head && !sink.on_head(answer->head)) return answer->head;
    const std::string_view body = answer->body;
    for (std::size_t at = 0; at < body.size(); at += piece_) {
      if (sink.on_chunk && !sink.on_chunk(body.substr(at, piece_))) break;
    }
    return answer->head;
  }

  std::vector<HttpRequest> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<HttpResult<HttpResponse>> answers_;
  std::size_t piece_;
  std::vector<HttpRequest> requests_;  // guarded by mutex_
};

}  // namespace signalbox
