#include "test/live/server_process.h"

#include "test/fakes/real_model.h"
#include "test/fakes/scripted_server.h"

namespace signalbox {

ServerProcess::ServerProcess(const std::vector<std::string>& arguments) {
  const std::string port = std::to_string(closed_port());
  url_ = "http://127.0.0.1:" + port;
  StartedServerOptions options;
  options.arguments = {llama_server_path(),
                       "-m",
                       real_model_path(),
                       "--host",
                       "127.0.0.1",
                       "--port",
                       port,
                       "-c",
                       "2048",
                       "-t",
                       "1",
                       "-np",
                       "2",
                       "--jinja"};
  options.arguments.insert(options.arguments.end(), arguments.begin(), arguments.end());
  options.ready_url = url_ + "/health";
  process_.emplace(options);
}

}  // namespace signalbox
