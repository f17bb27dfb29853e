// A real Redis cluster in temporary folders: three masters, and a replica for each where asked for.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "test/fakes/redis_server.h"

namespace signalbox {

class RedisClusterServers {
 public:
  explicit RedisClusterServers(int replicas) {
    const int count = 3 * (1 + replicas);
    for (int i = 0; i < count; ++i) {
      servers.push_back(std::make_unique<RedisServer>(
          std::vector<std::string>{"--cluster-enabled", "yes", "--cluster-node-timeout", "2000",
                                   "--repl-diskless-sync-delay", "0", "--appendonly", "no"}));
    }
    std::string command = "redis-cli --cluster create";
    for (const auto& server : servers) command += fmt::format(" 127.0.0.1:{}", server->port());
    command += fmt::format(" --cluster-replicas {} --cluster-yes >/dev/null 2>&1", replicas);
    is_made = std::system(command.c_str()) == 0 && wait_until_whole(replicas);
  }

  // redis-cluster://… of all servers.
  std::string address() const {
    std::string out = "redis-cluster://";
    for (const auto& server : servers)
      out += fmt::format("{}127.0.0.1:{}", out.ends_with('/') ? "" : ",", server->port());
    return out;
  }

  std::vector<std::unique_ptr<RedisServer>> servers;
  bool is_made = false;

 private:
  // Every server knows all slots, and every master its replica.
  bool wait_until_whole(int replicas) const {
    for (int i = 0; i < 600; ++i) {
      bool is_whole = true;
      for (const auto& server : servers) {
        RedisNode node(server->address());
        auto info = node.run({"CLUSTER", "INFO"}, std::chrono::seconds(1));
        auto slots = node.run({"CLUSTER", "SLOTS"}, std::chrono::seconds(1));
        is_whole = is_whole && info && slots &&
                   info->text.find("cluster_state:ok") != std::string::npos && slots->items.size() == 3;
        for (std::size_t at = 0; is_whole && at < slots->items.size(); ++at)
          is_whole = slots->items[at].items.size() == 3U + static_cast<std::size_t>(replicas);
        auto role = node.run({"ROLE"}, std::chrono::seconds(1));
        if (is_whole && role && role->items.at(0).text == "slave")
          is_whole = role->items.at(3).text == "connected";
      }
      if (is_whole) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }
};

}  // namespace signalbox
