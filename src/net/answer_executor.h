// The event loop of the connection that waits for an answer: coroutines which produce the answer run
// there, so that a piece needs no other thread on its way to the client.
#pragma once

#include <boost/asio/any_io_executor.hpp>

#include "net/http_server.h"

namespace signalbox {

boost::asio::any_io_executor executor_of(const ServerAnswer& answer);

}  // namespace signalbox
