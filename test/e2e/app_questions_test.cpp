// A question never changes an app's state, whatever it is about.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "app/app_host.h"
#include "pipeline/fleet.h"

namespace signalbox {
namespace {

// Every hundredth question or so, so that all sources have their share.
std::vector<std::string> questions(std::size_t wanted) {
  std::ifstream in(std::string(SIGNALBOX_SOURCE_DIR) + "/../shared/data/text/queries.tsv");
  std::vector<std::string> all;
  for (std::string line; std::getline(in, line);) {
    line = line.substr(0, line.find('\t'));
    if (line.ends_with('?') || line.ends_with("？")) all.push_back(std::move(line));
  }
  std::vector<std::string> out;
  const std::size_t step = std::max<std::size_t>(1, all.size() / wanted);
  for (std::size_t i = 0; i < all.size() && out.size() < wanted; i += step) out.push_back(all[i]);
  return out;
}

TEST(AppQuestionsTest, FiveThousandQuestionsLeaveTheTripAsItIs) {
  const auto asked = questions(5000);
  if (asked.size() < 5000) GTEST_SKIP() << "needs ../shared/data/text/queries.tsv";
  auto router = open_router(*find_profile("miniapps"));
  ASSERT_TRUE(router) << router.error().message;
  auto host = AppHost::open((*router)->profile().manifests, nullptr, std::make_shared<SteadyClock>());
  ASSERT_TRUE(host) << host.error().message;
  Request session;
  Decision start;
  start.resolved_query = "plan a trip to Tokyo";
  start.language = "en";
  start.target = {"app", "trip_planner"};
  session.app_state = (*host)->run(start, session, "c0", false)->app_state;
  session.active_app = "trip_planner";
  start.resolved_query = "add Senso-ji in Asakusa, Tokyo Tower and Ueno Park";
  session.app_state = (*host)->run(start, session, "c1", false)->app_state;
  const auto before = (*host)->state("trip_planner", session.app_state);

  std::vector<std::string> changed;
  for (const std::string& question : asked) {
    Request request = session;
    request.query = question;
    const auto decision = (*router)->route(request);
    ASSERT_TRUE(decision);
    if (decision->target.kind != "app" || !decision->route || !(*host)->has(decision->target.name))
      continue;
    const bool wants_view = (*router)->profile().find_route(*decision->route)->is_view;
    const auto turn = (*host)->run(*decision, request, "q", wants_view);
    if (turn && (*host)->state("trip_planner", turn->app_state) != before) changed.push_back(question);
  }
  EXPECT_TRUE(changed.empty()) << changed.size() << " of " << asked.size()
                               << ", for example: " << (changed.empty() ? "" : changed.front());
}

}  // namespace
}  // namespace signalbox
