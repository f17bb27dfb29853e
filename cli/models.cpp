// signalbox models: what is there, what it is, whether it is whole; more from a hub or a file.

#include <fmt/format.h>

#include <boost/json.hpp>
#include <cstdlib>

#include "base/download_line.h"
#include "base/sha256.h"
#include "cli/command.h"
#include "cli/download_bar.h"
#include "cli/models_show.h"
#include "cli/models_uses.h"
#include "cli/terminal.h"
#include "hub/model_pull.h"
#include "net/asio_http_client.h"
#include "wire/json_text.h"

namespace signalbox {
namespace {

namespace json = boost::json;

struct ModelsFlags {
  std::string name, source, file, hub, sha256;
  bool is_json = false;
};

int failed(const Error& error) {
  fmt::print(stderr, "signalbox: {}\n", printable(error.message));
  return error.code == ErrorCode::InvalidInput ? kExitUsage : kExitFailed;
}

// Encoders and gatekeepers carry a checksum inside the file.
std::string checksum_text(const StoredModel& model) {
  if (!model.sha256.empty()) return model.sha256.substr(0, 12) + "…";
  const bool has_own = model.kind == ModelKind::Encoder || model.kind == ModelKind::Gate;
  return has_own ? "in the file" : "not noted";
}

int list(const ModelsFlags& flags) {
  const auto models = list_models();
  const auto uses = model_uses(models);
  json::array all;
  std::size_t width = 4;
  for (const StoredModel& model : models) {
    width = std::max(width, display_width(model.name));
    all.push_back(model_json(model, uses.at(model.path)));
  }
  if (flags.is_json) {
    fmt::print("{}\n", json_text(all));
    return 0;
  }
  const Style style = terminal_style();
  for (const StoredModel& model : models) {
    const auto& users = uses.at(model.path);
    fmt::print("{}  {}  {:>9}  {}  {}\n", style.bold(padded(printable(model.name), width)),
               padded(model_kind_name(model.kind), 10), file_size_text(model.bytes),
               padded(checksum_text(model), 13),
               style.dim(users.empty() ? "–" : fmt::format("{}", fmt::join(users, ", "))));
  }
  fmt::print("{}\n", style.dim("in " + model_store_folder()));
  return 0;
}

int show(const ModelsFlags& flags) {
  const auto model = find_model(flags.name);
  if (!model) return failed(model.error());
  const auto uses = model_uses({*model});
  const auto details = model_details(*model);
  if (!details) return failed(details.error());
  if (flags.is_json) {
    json::object out = model_json(*model, uses.at(model->path));
    for (const ModelDetail& detail : *details) out[detail.key] = detail.value;
    fmt::print("{}\n", json_text(out));
    return 0;
  }
  fmt::print("{}", describe_model(*model, uses.at(model->path), *details, terminal_style()));
  return 0;
}

int check(const ModelsFlags& flags) {
  std::vector<StoredModel> models;
  if (flags.name.empty()) {
    models = list_models();
  } else {
    auto model = find_model(flags.name);
    if (!model) return failed(model.error());
    models.push_back(*std::move(model));
  }
  const Style style = terminal_style();
  json::array all;
  bool is_good = true;
  for (const StoredModel& model : models) {
    DownloadBar bar(model.name, flags.is_json);
    const ModelCheck result =
        check_model(model, [&](std::uint64_t done) { bar.show("checking", done, model.bytes); });
    bar.finish();
    is_good = is_good && result.is_good;
    if (flags.is_json) {
      all.push_back(json::object{{"name", model.name},
                                 {"good", result.is_good},
                                 {"sha256", result.sha256},
                                 {"result", result.text}});
      continue;
    }
    fmt::print("{}  {}: {}\n", result.is_good ? style.good("good") : style.bad("BAD "),
               printable(model.name), printable(result.text));
  }
  if (flags.is_json) fmt::print("{}\n", json_text(all));
  return is_good ? 0 : kExitFailed;
}

int report_stored(const Result<StoredModel>& model, const ModelsFlags& flags) {
  if (!model) return failed(model.error());
  if (flags.is_json) {
    fmt::print("{}\n", json_text(model_json(*model, {})));
  } else {
    fmt::print("{}  {}  sha256 {}\n{}\n", printable(model->name), file_size_text(model->bytes),
               model->sha256, model->path);
  }
  return 0;
}

int pull(const ModelsFlags& flags) {
  const char* configured = std::getenv("SIGNALBOX_HUB_URL");
  const std::string hub = !flags.hub.empty()                             ? flags.hub
                          : configured != nullptr && *configured != '\0' ? configured
                                                                         : std::string(kDefaultHub);
  const auto address = parse_model_address(flags.source, hub);
  if (!address) return failed(address.error());
  if (!flags.sha256.empty() && !is_sha256(flags.sha256))
    return failed({ErrorCode::InvalidInput, "--sha256 takes 64 hexadecimal digits"});
  PullOptions options;
  options.file = flags.name;
  options.sha256 = flags.sha256;
  if (const char* token = std::getenv("HF_TOKEN"); token != nullptr) options.token = token;
  AsioHttpClient client;
  DownloadBar bar(flags.name.empty() ? address->file : flags.name, flags.is_json);
  PullListener listener;
  listener.progress = [&](const PullProgress& progress) {
    const bool is_checking = progress.stage == PullProgress::Stage::Checking;
    bar.show(is_checking ? "checking" : "downloading", progress.done, progress.total);
  };
  listener.note = [&](const std::string& text) { bar.note(text); };
  const auto model = pull_model(client, *address, options, listener);
  bar.finish();
  return report_stored(model, flags);
}

int add(const ModelsFlags& flags) {
  DownloadBar bar(flags.file, flags.is_json);
  const auto model =
      add_model(flags.file, flags.name, [&](std::uint64_t done) { bar.show("copying", done, 0); });
  bar.finish();
  return report_stored(model, flags);
}

}  // namespace

void add_models_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<ModelsFlags>();
  CLI::App* command = app.add_subcommand("models", "List, show, check, pull and add model files");
  command->require_subcommand(0, 1);
  command->add_flag("--json", flags->is_json, "Print JSON and nothing else");
  const auto add_part = [&](const char* name, const char* text, int (*work)(const ModelsFlags&)) {
    CLI::App* part = command->add_subcommand(name, text);
    part->add_flag("--json", flags->is_json, "Print JSON and nothing else");
    part->callback([flags, work, &exit_code] { exit_code = work(*flags); });
    return part;
  };
  add_part("list", "Every model file of this machine", list);
  add_part("show", "What one model is", show)
      ->add_option("name", flags->name, "Name or path")
      ->required();
  add_part("check", "Sum and load one model, or all", check)
      ->add_option("name", flags->name, "Name or path");
  CLI::App* pulling =
      add_part("pull", "Fetch a model from a hub; a cut download goes on where it ended", pull);
  pulling->add_option("source", flags->source, "hf:OWNER/REPO/FILE[@REVISION], or an https address")
      ->required();
  pulling->add_option("--name", flags->name, "Store it under this name");
  pulling->add_option("--sha256", flags->sha256, "What its SHA-256 must be");
  pulling->add_option("--hub", flags->hub, "The hub's base address (or SIGNALBOX_HUB_URL)");
  CLI::App* adding = add_part("add", "Copy a file into the store", add);
  adding->add_option("file", flags->file, "The file")->required();
  adding->add_option("--name", flags->name, "Store it under this name");
  command->callback([command, flags, &exit_code] {
    if (command->get_subcommands().empty()) exit_code = list(*flags);
  });
}

}  // namespace signalbox
