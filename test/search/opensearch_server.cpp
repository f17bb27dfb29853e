#include "test/search/opensearch_server.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "test/fakes/scripted_server.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kLongestStart = 100s;
constexpr uid_t kNobody = 65534;  // the server refuses to run as root

fs::path cached_home() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const fs::path base = cache && *cache ? fs::path(cache) : fs::path(home ? home : "/") / ".cache";
  return base / "signalbox" / "opensearch-2.19.1";
}

fs::path java() {
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator("/usr/lib/jvm", ec)) {
    const fs::path program = entry.path() / "bin/java";
    if (entry.path().filename().string().starts_with("java-17-openjdk-") && fs::exists(program, ec))
      return program;
  }
  return {};
}

// The cache may lie where only its owner can look.
void give_to_nobody(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (::lchown(entry.path().c_str(), kNobody, kNobody) != 0) return;
  if (::lchown(folder.c_str(), kNobody, kNobody) != 0) return;
}

}  // namespace

std::string OpenSearchServer::missing() {
  if (!fs::exists(cached_home())) return "no OpenSearch here: scripts/fetch-opensearch.sh fetches it";
  return java().empty() ? "no Java 17 here" : "";
}

OpenSearchServer::OpenSearchServer() {
  std::string pattern = (fs::temp_directory_path() / "signalbox-opensearch-XXXXXX").string();
  folder_ = ::mkdtemp(pattern.data());
  const fs::path home = fs::path(folder_) / "home";
  fs::copy(cached_home(), home, fs::copy_options::recursive);
  fs::create_directories(home / "tmp");
  if (::getuid() == 0) give_to_nobody(folder_);
  const std::string port = std::to_string(closed_port());
  const std::string transport = std::to_string(closed_port());
  StartedServerOptions options;
  std::vector<std::string>& arguments = options.arguments;
  arguments = {java(),
               "-Xms384m",
               "-Xmx384m",
               "-XX:+UseSerialGC",
               "-XX:TieredStopAtLevel=1",
               "-Xshare:auto",
               "-Djava.io.tmpdir=" + (home / "tmp").string(),
               "-Dlog4j2.disable.jmx=true",
               "-Dopensearch.path.home=" + home.string(),
               "-Dopensearch.path.conf=" + (home / "config").string(),
               "-Dopensearch.distribution.type=zip",
               "-Dopensearch.bundled_jdk=false",
               "-cp",
               (home / "lib").string() + "/*",
               "org.opensearch.bootstrap.OpenSearch"};
  for (const std::string& setting :
       {std::string("discovery.type=single-node"), std::string("network.host=127.0.0.1"),
        "http.port=" + port, "transport.port=" + transport, "path.data=" + folder_ + "/home/data",
        "path.logs=" + folder_ + "/home/logs"})
    arguments.push_back("-E" + setting);
  url_ = "http://127.0.0.1:" + port;
  options.ready_url = url_ + "/_cluster/health?wait_for_status=yellow&timeout=1s";
  options.longest_start = kLongestStart;
  options.log = folder_ + "/log.txt";
  options.user = kNobody;
  process_.emplace(options);
}

OpenSearchServer::~OpenSearchServer() {
  process_.reset();
  std::error_code ec;
  fs::remove_all(folder_, ec);
}

}  // namespace signalbox
