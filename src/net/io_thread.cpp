#include "net/io_thread.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "net/client_loop.h"
#include "net/reply_text.h"

namespace signalbox {
namespace {

std::string date_now() {
  return http_date(std::chrono::duration_cast<std::chrono::seconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count());
}

}  // namespace

IoThread::IoThread(ServerShared& shared_state)
    : shared(shared_state),
      context(1),
      lane(shared.work.add_lane(context)),
      date(date_now()),
      work_(context.get_executor()),
      timer_(context) {
  const ServerLimits& limits = shared.limits;
  const Duration shortest = std::min({limits.idle, limits.header, limits.body, limits.write});
  tick_ =
      std::clamp<Duration>(shortest / 4, std::chrono::milliseconds(5), std::chrono::milliseconds(250));
}

void IoThread::run() {
  boost::asio::post(context, [this] { sweep(); });
  context.run();
}

void IoThread::sweep() {
  date = date_now();
  const TimePoint now = std::chrono::steady_clock::now();
  for (ConnectionBase* connection : connections) {
    if (connection->deadline > now || connection->is_late) continue;
    connection->is_late = true;
    ++shared.timed_out;
    connection->cancel();
  }
  if (shared.is_stopping && connections.empty()) return;
  timer_.expires_after(tick_);
  timer_.async_wait([this](const boost::system::error_code&) { sweep(); });
}

void IoThread::begin_stop() {
  boost::asio::post(context, [this] {
    work_.reset();
    ClientLoop::of(context).close();
    for (ConnectionBase* connection : connections) {
      if (connection->is_idle) connection->cancel();
    }
    timer_.cancel();
  });
}

void IoThread::cut_all() {
  boost::asio::post(context, [this] {
    for (ConnectionBase* connection : connections) connection->close();
    timer_.cancel();
  });
}

}  // namespace signalbox
