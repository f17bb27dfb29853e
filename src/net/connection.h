// Connections: each a coroutine on the I/O thread it was given to, from its first byte to its end.
#pragma once

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ssl/context.hpp>

#include "net/io_thread.h"

namespace signalbox {

using PlainSocket = boost::asio::generic::stream_protocol::socket;

// Serves `socket` on `thread`, on which this must be called. `tls` may be null.
void serve_connection(IoThread& thread, PlainSocket socket, bool is_local,
                      boost::asio::ssl::context* tls);

}  // namespace signalbox
