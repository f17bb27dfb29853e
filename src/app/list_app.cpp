#include "app/list_app.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/items.h"
#include "app/words_in.h"
#include "normalize/fold.h"

namespace signalbox {
namespace {

namespace json = boost::json;

const json::array& items_of(const json::object& state) {
  static const json::array kNone;
  const json::value* items = state.if_contains("items");
  return items && items->is_array() ? items->get_array() : kNone;
}

std::int64_t number_in(const json::object& object, std::string_view key, std::int64_t otherwise = 0) {
  const json::value* value = object.if_contains(key);
  return value && value->is_int64() ? value->get_int64() : otherwise;
}

std::string text_in(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_string() ? std::string(value->get_string()) : "";
}

// ---- the fold --------------------------------------------------------------------------------

void apply_added(const json::object& data, json::object& state) {
  json::array& items =
      state["items"].is_array() ? state["items"].get_array() : state["items"].emplace_array();
  json::object item = data;
  const std::int64_t id = number_in(state, "next", 1);
  item["id"] = id;
  items.push_back(std::move(item));
  state["next"] = id + 1;
  state["last"] = id;
}

void apply_event(const AppEvent& event, json::object& state) {
  if (event.type == "started") {
    if (const json::value* title = event.data.if_contains("title")) state["title"] = *title;
    return;
  }
  if (event.type == "added") return apply_added(event.data, state);
  const std::int64_t id = number_in(event.data, "id");
  json::value* items = state.if_contains("items");
  if (!items || !items->is_array()) return;
  json::array& list = items->get_array();
  const auto item = std::find_if(list.begin(), list.end(), [&](const json::value& one) {
    return one.is_object() && number_in(one.get_object(), "id") == id;
  });
  if (item == list.end()) return;
  if (event.type == "removed") {
    list.erase(item);
    return;
  }
  if (event.type == "counted") {
    const std::string field = text_in(event.data, "field");
    json::object& counted = item->get_object();
    counted[field] = number_in(counted, field) + 1;
    state["last"] = id;
    return;
  }
  if (event.type != "set") return;
  for (const auto& field : event.data) {
    if (field.key() != "id") item->get_object()[field.key()] = field.value();
  }
  state["last"] = id;
}

// ---- what is said ----------------------------------------------------------------------------

std::string shown(const AppManifest& app, const std::string& language, const json::object& item) {
  std::string out = text_in(item, "name");
  std::string details;
  const auto add = [&](const std::string& text) { details += (details.empty() ? "" : ", ") + text; };
  for (const auto& field : item) {
    if (field.key() == "id" || field.key() == "name") continue;
    const std::string own = "field_" + std::string(field.key());
    if (field.value().is_number() && app.texts.contains(own)) {
      add(app.text(own, language, {{"count", fmt::format("{:g}", field.value().to_number<double>())}}));
    } else if (field.value().is_string()) {
      const std::string value(field.value().get_string());
      const std::string key = "value_" + value;
      add(app.texts.contains(key) ? app.text(key, language) : value);
    }
  }
  return details.empty() ? out : out + " (" + details + ")";
}

std::string names_of(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

// ---- actions ---------------------------------------------------------------------------------

class ListCall {
 public:
  ListCall(const AppManifest& app, const AppCall& call, const json::object& state)
      : app_(app), call_(call), state_(state), items_(items_of(state)) {}

  AppReply run() {
    if (call_.action == "start") return start();
    if (call_.action == "add") return add();
    const bool is_view = std::any_of(app_.views.begin(), app_.views.end(),
                                     [&](const AppAction& view) { return view.name == call_.action; });
    return is_view ? view() : change();
  }

 private:
  std::string say(const std::string& key, std::map<std::string, std::string> values = {}) const {
    return app_.text(key, call_.language, values);
  }
  std::string say_count(const std::string& key, const std::vector<std::string>& names,
                        std::size_t count) const {
    return say(key, {{"names", names_of(names)}, {"count", std::to_string(count)}});
  }

  AppReply start() const {
    AppReply reply;
    AppEvent event{0, "", "started", {}};
    const std::string title = text_in(call_.slots, "title");
    if (!title.empty()) event.data["title"] = title;
    reply.text = say(title.empty() ? "started" : "started_title", {{"title", title}});
    reply.events.push_back(std::move(event));
    if (!call_.slots.contains("items")) return reply;
    AppReply first = add();
    std::move(first.events.begin(), first.events.end(), std::back_inserter(reply.events));
    reply.text = say(title.empty() ? "started_items" : "started_title_items",
                     {{"title", title}, {"names", names_of(names_in(call_.slots))}});
    return reply;
  }

  static std::vector<std::string> names_in(const json::object& slots) {
    std::vector<std::string> names;
    for (const json::value& item : slots.at("items").get_array())
      names.push_back(text_in(item.get_object(), "name"));
    return names;
  }

  AppReply add() const {
    AppReply reply;
    std::vector<std::string> added;
    std::vector<std::string> known;
    for (const json::value& wanted : call_.slots.at("items").get_array()) {
      const std::string name = text_in(wanted.get_object(), "name");
      const bool is_there = std::any_of(items_.begin(), items_.end(), [&](const json::value& item) {
        return fold(text_in(item.get_object(), "name")) == fold(name);
      });
      if (is_there) {
        known.push_back(name);
        continue;
      }
      reply.events.push_back({0, "", "added", wanted.get_object()});
      added.push_back(name);
    }
    if (!added.empty()) reply.text = say_count("added", added, items_.size() + added.size());
    if (!known.empty())
      reply.text += (reply.text.empty() ? "" : " ") + say_count("already", known, items_.size());
    return reply;
  }

  AppReply change() const {
    AppReply reply;
    std::vector<std::string> names;
    std::vector<std::string> unknown;
    for (const json::value& wanted : call_.slots.at("items").get_array()) {
      const std::string name = text_in(wanted.get_object(), "name");
      const MeantItems meant = find_items(app_, call_, items_, number_in(state_, "last"), name);
      if (!meant.could_be.empty()) {
        AppReply question;
        question.text = say("which", {{"name", name}});
        question.ask = Ask{"choose", question.text, meant.could_be};
        return question;
      }
      if (meant.ids.empty()) unknown.push_back(name);
      for (const std::int64_t id : meant.ids) {
        reply.events.push_back(change_of(id));
        names.push_back(name_of(id));
      }
    }
    if (!names.empty()) {
      const std::size_t left = call_.action == "remove" ? items_.size() - names.size() : items_.size();
      const std::string own = "did_" + call_.action;
      reply.text =
          say(call_.action == "remove"   ? "removed"
              : app_.texts.contains(own) ? own
                                         : "changed",
              {{"names", names_of(names)}, {"count", std::to_string(left)}, {"what", what_changed()}});
    }
    if (!unknown.empty())
      reply.text += (reply.text.empty() ? "" : " ") + say_count("not_found", unknown, items_.size());
    return reply;
  }

  AppEvent change_of(std::int64_t id) const {
    AppEvent event{0, "", call_.action == "remove" ? "removed" : "set", {{"id", id}}};
    if (event.type == "removed") return event;
    const AppAction* action = app_.find_action(call_.action);
    if (action && !action->counts.empty())
      return {0, "", "counted", {{"id", id}, {"field", action->counts}}};
    for (const auto& slot : call_.slots) {
      if (slot.key() != "items") event.data[slot.key()] = slot.value();
    }
    return event;
  }

  std::string what_changed() const {
    json::object fields;
    for (const auto& slot : call_.slots) {
      if (slot.key() != "items") fields[slot.key()] = slot.value();
    }
    fields["name"] = "";
    std::string text = shown(app_, call_.language, fields);
    return text.size() > 3 ? text.substr(2, text.size() - 3) : "";
  }

  std::string name_of(std::int64_t id) const {
    for (const json::value& item : items_) {
      if (number_in(item.get_object(), "id") == id) return text_in(item.get_object(), "name");
    }
    return "";
  }

  // ---- views: what the message's own words leave -------------------------------------------------

  // Words of `values` that the message holds, by field; and places that items have.
  bool passes(const json::object& item, const std::string& message) const {
    for (const auto& [field, values] : app_.values) {
      if (field == "all") continue;
      for (const auto& [value, words] : values) {
        if (holds_word(message, words) && text_in(item, field) != value &&
            !is_default(item, field, value))
          return false;
      }
    }
    return true;
  }

  // An item that never got a status has the first one of `defaults`.
  bool is_default(const json::object& item, const std::string& field, const std::string& value) const {
    return !item.contains(field) && app_.texts.contains("default_" + field) &&
           app_.text("default_" + field, "en") == value;
  }

  std::string place_meant(const std::string& message) const {
    for (const json::value& item : items_) {
      const std::string place = text_in(item.get_object(), "place");
      if (!place.empty() && find_word(message, fold(place)) != std::string::npos) return place;
    }
    return text_in(call_.slots, "place");
  }

  json::array sorted() const {
    json::array out = items_;
    const AppAction* action = app_.find_action(call_.action);
    if (!action || action->sort.empty()) return out;
    std::stable_sort(out.begin(), out.end(), [&](const json::value& a, const json::value& b) {
      return number_in(a.get_object(), action->sort) > number_in(b.get_object(), action->sort);
    });
    return out;
  }

  AppReply view() const {
    AppReply reply;
    const std::string message = fold(call_.text);
    const std::string place = place_meant(message);
    for (const json::value& value : sorted()) {
      const json::object& item = value.get_object();
      if (!place.empty() && fold(text_in(item, "place")) != fold(place)) continue;
      if (!passes(item, message)) continue;
      reply.list.push_back(text_in(item, "name"));
      reply.text += fmt::format("{}. {}\n", reply.list.size(), shown(app_, call_.language, item));
    }
    if (reply.list.empty()) {
      reply.text = say(items_.empty() ? "empty" : "nothing_fits");
      return reply;
    }
    const std::string title = text_in(state_, "title");
    const bool is_filtered = reply.list.size() < items_.size();
    const std::string head = say(call_.action == "recap" ? "recap"
                                 : is_filtered           ? "filtered"
                                                         : "list",
                                 {{"title", title},
                                  {"count", std::to_string(reply.list.size())},
                                  {"all", std::to_string(items_.size())}});
    reply.text = head + "\n" + reply.text;
    reply.text.pop_back();
    return reply;
  }

  const AppManifest& app_;
  const AppCall& call_;
  const json::object& state_;
  const json::array& items_;
};

}  // namespace

Result<AppReply> ListApp::handle(const AppManifest& app, const AppCall& call,
                                 const json::object& state) {
  return ListCall(app, call, state).run();
}

ApplyEvent ListApp::apply() const {
  return apply_event;
}

}  // namespace signalbox
