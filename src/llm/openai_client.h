// The answers of OpenAI's chat interface, whole or as a stream of server-sent events.
#pragma once

#include <memory>

#include "llm/chat_dialect.h"

namespace signalbox {

// Tool calls are put together by their index; an `error` inside the stream is Upstream, as is a stream
// that ends without saying why it finished.
std::unique_ptr<ChatReader> openai_stream_reader();
std::unique_ptr<ChatReader> openai_whole_reader();

}  // namespace signalbox
