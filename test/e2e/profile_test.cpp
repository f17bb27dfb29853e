// signalbox new, check and profiles.

#include <gmock/gmock.h>

#include "test/e2e/json_schema.h"
#include "test/e2e/workplace.h"

namespace signalbox {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class ProfileCommands : public Workplace {
 protected:
  // The starter with one piece of text replaced.
  std::string changed(const std::string& from, const std::string& to) const {
    std::string text = read(starter());
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return write("changed.yaml", text.replace(at, from.size(), to));
  }
};

TEST_F(ProfileCommands, NewThenCheckThenRoute) {
  const Outcome made = run({"new", "desk", "--dir", "a folder"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("signalbox check 'a folder/desk.yaml'"));
  const Outcome checked = run({"check", "a folder/desk.yaml"});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_EQ(checked.out, "ok   a folder/desk.yaml\n");
  const Outcome routed =
      run({"route", "--profile", "a folder/desk.yaml", "--json", "where is my package?"});
  EXPECT_EQ(json(routed.out).at("route"), "ORDERS");
}

TEST_F(ProfileCommands, NewOverwritesNothing) {
  const std::string path = starter();
  const std::string before = read(path);
  const Outcome again = run({"new", "shop"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, HasSubstr("already there"));
  EXPECT_EQ(read(path), before);
  EXPECT_EQ(run({"new", "../Shop"}).exit_code, 2);
}

TEST_F(ProfileCommands, CheckNamesFileLineAndColumnOfEveryMistake) {
  const std::string path =
      changed("when: only.greeting\n    route: GENERAL", "when: only.greting\n    route: GENERALL");
  const Outcome outcome = run({"check", path});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(
      outcome.err,
      HasSubstr(path +
                ":47:11: rules.greeting.when: unknown word list 'greting'; did you mean 'greeting'?"));
  EXPECT_THAT(outcome.err, HasSubstr("unknown route 'GENERALL'; did you mean 'GENERAL'?"));
  EXPECT_THAT(outcome.out, HasSubstr("bad  " + path));
  const auto report = json(run({"check", "--json", path}).out);
  EXPECT_EQ(report.at(0).at("ok"), false);
  EXPECT_EQ(report.at(0).at("problems").get_array().size(), 2U);
}

TEST_F(ProfileCommands, CheckFindsWhatLoadsButCannotBeMeant) {
  const Outcome never = run(
      {"check", changed("  - id: order_number",
                        "  - {id: shadow, when: only.greeting, route: ORDERS}\n  - id: order_number")});
  EXPECT_EQ(never.exit_code, 2);
  EXPECT_THAT(never.err, HasSubstr("rules.shadow: never fires"));
}

TEST_F(ProfileCommands, CheckSurvivesWhatIsNoProfile) {
  for (const char* text :
       {"", "a: [", "- 1\n- 2\n", "profile: 7\nroutes: none\n", "\xFF\xFE", "a: &a [*a]\n", "\t\tx"}) {
    const std::string path = write("odd.yaml", text);
    const Outcome outcome = run({"check", path});
    EXPECT_EQ(outcome.exit_code, 2) << text;
    EXPECT_THAT(outcome.err, HasSubstr("odd.yaml:")) << text;
  }
  EXPECT_EQ(run({"check", folder.string()}).exit_code, 2);
}

TEST_F(ProfileCommands, TheShippedProfilesAreGood) {
  const Outcome outcome = run({"check", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_EQ(json(outcome.out).get_array().size(), 5U);
}

TEST_F(ProfileCommands, ProfilesListsThemAll) {
  const Outcome text = run({"profiles"});
  EXPECT_EQ(text.exit_code, 0);
  const auto listed = json(run({"profiles", "--json"}).out);
  ASSERT_EQ(listed.get_array().size(), 5U);
  for (const auto& profile : listed.get_array()) {
    EXPECT_THAT(text.out, HasSubstr(std::string(profile.at("profile").get_string())));
    EXPECT_GE(profile.at("routes").get_array().size(), 4U);
  }
}

TEST_F(ProfileCommands, ThePrintedSchemaHoldsForEveryProfile) {
  const auto schema = json(run({"check", "--schema"}).out);
  std::vector<std::string> paths{starter()};
  const auto listed = json(run({"profiles", "--json"}).out);
  for (const auto& profile : listed.get_array()) paths.emplace_back(profile.at("path").get_string());
  ASSERT_EQ(paths.size(), 6U);
  for (const std::string& path : paths)
    EXPECT_THAT(schema_mistakes(schema, yaml_as_json(path)), IsEmpty()) << path;
}

TEST_F(ProfileCommands, ThePrintedSchemaFindsMistakes) {
  const auto schema = json(run({"check", "--schema"}).out);
  const auto good = yaml_as_json(starter());
  const auto mistakes_after = [&](const std::function<void(boost::json::object&)>& change) {
    auto document = good;
    change(document.get_object());
    return schema_mistakes(schema, document).size();
  };
  EXPECT_EQ(mistakes_after([](auto&) {}), 0U);
  EXPECT_GT(mistakes_after([](auto& d) { d["langages"] = boost::json::array{"en"}; }), 0U);
  EXPECT_GT(mistakes_after([](auto& d) { d["mode"] = "casade"; }), 0U);
  EXPECT_GT(mistakes_after([](auto& d) { d["rules"].at(0).get_object().erase("id"); }), 0U);
  EXPECT_GT(mistakes_after([](auto& d) { d["rules"].at(0).at("when") = 7; }), 0U);
  EXPECT_GT(mistakes_after([](auto& d) { d["rules"].at(1).at("confidence") = 1.5; }), 0U);
  EXPECT_GT(mistakes_after([](auto& d) { d["words"].at("greeting") = "hello"; }), 0U);
}

}  // namespace
}  // namespace signalbox
