// A private PostgreSQL server in a folder of its own, where one can be started.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace signalbox {

namespace fs = std::filesystem;

class TempFolder {
 public:
  TempFolder() {
    std::string name = (fs::temp_directory_path() / "sbXXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TempFolder() {
    std::error_code ec;
    fs::remove_all(path_, ec);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// A private server on a socket of its own, run by a user that may run one.
class PostgresServer {
 public:
  explicit PostgresServer(const fs::path& folder) : folder_(folder) {
    const bool is_root = ::geteuid() == 0;
    if (is_root) as_ = "setpriv --reuid=postgres --regid=postgres --clear-groups ";
    fs::permissions(folder_, fs::perms::all);
    if (!run("initdb -D {0}/data -A trust -U postgres --no-sync")) return;
    is_up_ =
        run("pg_ctl -D {0}/data -w -t 30 -l {0}/log -o \"-k {0} -c listen_addresses='' -c fsync=off\" "
            "start");
  }
  ~PostgresServer() {
    if (is_up_) run("pg_ctl -D {0}/data -m immediate stop");
    run("rm -rf {0}/data");
  }
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  bool is_up() const { return is_up_; }
  bool sql(const std::string& text) {
    std::ofstream(folder_ / "in.sql") << text;
    return run("psql -q -h {0} -U postgres -v ON_ERROR_STOP=1 -f {0}/in.sql postgres");
  }
  std::string address() const {
    return fmt::format("postgres:///postgres?host={}&user=postgres", folder_.string());
  }

 private:
  bool run(const std::string& command) const {
    const std::string line = fmt::format(
        "cd / && PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1) {}{} >/dev/null "
        "2>&1",
        as_, fmt::format(fmt::runtime(command), folder_.string()));
    return std::system(line.c_str()) == 0;
  }

  fs::path folder_;
  std::string as_;
  bool is_up_ = false;
};

}  // namespace signalbox
