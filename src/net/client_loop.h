// What HTTP exchanges leave in the event loop they ran on: connections kept for the next ones.
//
// One a loop, made on first use and ended with it, so that a server's thread can call another server
// without a second thread. All of it belongs to the loop's thread, except a Door.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "net/client_connection.h"

namespace signalbox {

class ClientLoop : public boost::asio::execution_context::service {
 public:
  // The way in from a thread that may outlive the loop: nothing is posted once it is over.
  class Door {
   public:
    explicit Door(boost::asio::io_context& io) : io_(&io) {}
    template <typename Work>
    void post(Work work) {
      const std::lock_guard lock(mutex_);
      if (io_) boost::asio::post(*io_, std::move(work));
    }
    void shut() {
      const std::lock_guard lock(mutex_);
      io_ = nullptr;
    }

   private:
    std::mutex mutex_;
    boost::asio::io_context* io_;
  };
  // How long one is kept, how many beside it, and who counts it.
  struct Keeping {
    Duration lifetime;
    std::size_t most_a_host;
    std::shared_ptr<std::atomic<std::uint64_t>> count;
  };

  static boost::asio::execution_context::id id;
  static ClientLoop& of(boost::asio::io_context& io);
  explicit ClientLoop(boost::asio::execution_context& context);

  boost::asio::io_context& io() { return io_; }
  const std::shared_ptr<Door>& door() const { return door_; }

  // A kept connection that is still good; empty when there is none.
  std::unique_ptr<ClientConnection> take(const std::string& place);
  void keep(const std::string& place, std::unique_ptr<ClientConnection> connection,
            const Keeping& keeping);
  // Lets all of them go and keeps no more: their timer would hold a loop which is to end.
  void close();

 private:
  struct Kept {
    std::unique_ptr<ClientConnection> connection;
    TimePoint until;
    std::shared_ptr<std::atomic<std::uint64_t>> count;
  };

  void shutdown() noexcept override;
  void drop_old();
  void watch_old();

  boost::asio::io_context& io_;
  std::shared_ptr<Door> door_;
  boost::asio::steady_timer sweep_;
  bool is_sweeping_ = false;
  bool is_closed_ = false;
  std::map<std::string, std::deque<Kept>> kept_;  // newest last
};

}  // namespace signalbox
