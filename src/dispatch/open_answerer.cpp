#include "dispatch/open_answerer.h"

#include <algorithm>

#include "net/asio_http_client.h"
#include "sql/sql_desk.h"

namespace signalbox {

Result<std::unique_ptr<Answerer>> open_answerer(const Router& router) {
  AnswererOptions options;
  options.retriever = router.options().retriever;
  if (!router.profile().manifests.empty()) {
    auto apps = AppHost::open(router.profile().manifests, std::make_shared<AsioHttpClient>(),
                              router.options().clock);
    if (!apps) return tl::unexpected(apps.error());
    options.apps = *std::move(apps);
  }
  const auto& databases = router.profile().databases;
  if (std::any_of(databases.begin(), databases.end(),
                  [](const DatabaseSettings& each) { return !each.address.empty(); }))
    options.databases =
        std::make_shared<SqlDesk>(std::make_shared<AsioHttpClient>(), router.options().clock);
  return std::make_unique<Answerer>(router, std::move(options));
}

}  // namespace signalbox
