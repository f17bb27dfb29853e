// signalbox eval: how good a model or a profile is on labelled rows.
#include "cli/eval.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "eval/gates.h"
#include "eval/metrics.h"
#include "eval/model_judge.h"
#include "eval/report.h"
#include "gate/tiered_gate.h"
#include "model/encoder_choice.h"
#include "model/model_dir.h"

namespace signalbox {
namespace {

struct EvalFlags {
  std::string model, profile, data, html, report, encoder, second, gates_file;
  std::vector<std::string> gates;
  bool is_json = false;
};

Result<Judge> model_judge(const EvalFlags& flags) {
  // A model of n-grams alone needs none: whether one is missing is for the model to say.
  auto encoder = open_encoder(flags.encoder);
  if (!encoder && !flags.encoder.empty()) return tl::unexpected(encoder.error());
  const auto first_encoder = encoder ? *encoder : nullptr;
  auto model = GateModel::load(flags.model, first_encoder);
  if (!model) return tl::unexpected(model.error());
  std::shared_ptr<const GateModel> second;
  if (!flags.second.empty()) {
    auto other = open_second_encoder(first_encoder, flags.second);
    if (!other) return tl::unexpected(other.error());
    auto loaded = GateModel::load(flags.model + ".second", *other);
    if (!loaded) return tl::unexpected(loaded.error());
    second = std::make_shared<const GateModel>(*std::move(loaded));
  }
  const auto gate = std::make_shared<const TieredGate>(
      std::make_shared<const GateModel>(*std::move(model)), std::move(second));
  return [gate](const EvalRow& row) -> Result<Judgement> { return judge_by_model(*gate, row); };
}

Result<std::vector<Gate>> all_gates(const EvalFlags& flags, const std::string& data) {
  auto gates = gates_in_rows(data);
  if (!gates) return gates;
  if (!flags.gates_file.empty()) {
    const auto text = read_text_file(flags.gates_file);
    if (!text) return tl::unexpected(text.error());
    auto more = gates_in_json(*text);
    if (!more) return more;
    gates->insert(gates->end(), more->begin(), more->end());
  }
  for (const std::string& text : flags.gates) {
    auto gate = parse_gate(text);
    if (!gate) return tl::unexpected(gate.error());
    gates->push_back(*std::move(gate));
  }
  return gates;
}

Result<void> write_file(const std::string& path, const std::string& page) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << page;
  if (!file.flush()) return fail(ErrorCode::InvalidInput, fmt::format("cannot write {}", path));
  return {};
}

Result<void> write_files(const EvalFlags& flags, const EvalReport& report, const ReportTitle& title,
                         std::span<const MissedGate> missed) {
  if (!flags.html.empty()) {
    if (auto written = write_file(flags.html, report_html(report, title, missed)); !written)
      return written;
  }
  if (flags.report.empty()) return {};
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  return write_file(flags.report, report_file_json(report, title, missed, now.count()) + "\n");
}

// Whether every gate was kept.
Result<bool> eval(const EvalFlags& flags, const ProfileJudge& profile_judge) {
  if (flags.model.empty() == flags.profile.empty()) {
    return fail(ErrorCode::InvalidInput, "give either --model or --profile");
  }
  if (!flags.profile.empty() && !profile_judge)
    return fail(ErrorCode::InvalidInput, "--profile is not available");
  const auto text = read_text_file(flags.data);
  if (!text) return tl::unexpected(text.error());
  const auto rows = parse_rows(*text, flags.data);
  if (!rows) return tl::unexpected(rows.error());
  if (rows->empty()) return fail(ErrorCode::InvalidInput, fmt::format("{}: no rows", flags.data));
  const auto gates = all_gates(flags, *text);
  if (!gates) return tl::unexpected(gates.error());
  const auto judge = flags.model.empty() ? profile_judge(flags.profile) : model_judge(flags);
  if (!judge) return tl::unexpected(judge.error());

  const bool shows_progress = ::isatty(STDERR_FILENO) != 0;
  const auto start = std::chrono::steady_clock::now();
  int shown = -1;
  const auto report = evaluate(*rows, *judge, [&](double share) {
    const int now = static_cast<int>(share * 100);
    if (!shows_progress || now == shown ||
        std::chrono::steady_clock::now() - start < std::chrono::seconds(1))
      return;
    fmt::print(stderr, "\r\033[Kjudging {:3} %", now);
    std::fflush(stderr);
    shown = now;
  });
  if (shown >= 0) fmt::print(stderr, "\r\033[K");
  if (!report) return tl::unexpected(report.error());

  const auto missed = missed_gates(*report, *gates);
  const std::string judged = flags.model.empty() ? flags.profile : flags.model;
  const ReportTitle title{std::filesystem::path(judged).filename().string(),
                          std::filesystem::path(flags.data).filename().string()};
  if (auto written = write_files(flags, *report, title, missed); !written)
    return tl::unexpected(written.error());
  std::cout << (flags.is_json ? report_json(*report) + "\n" : report_text(*report, title, missed));
  for (const MissedGate& gate : missed) {
    if (!flags.is_json) break;  // the table names them already
    fmt::print(stderr, "missed: {} {} {}\n", gate.gate.figure,
               gate.gate.is_ceiling ? "<=" : ">=", gate.gate.bound);
  }
  return missed.empty();
}

}  // namespace

void add_eval_command(CLI::App& app, int& exit_code, ProfileJudge profile_judge) {
  auto flags = std::make_shared<EvalFlags>();
  CLI::App* command = app.add_subcommand("eval", "Measure a model or a profile on labelled rows");
  command->add_option("--model", flags->model, "a trained gatekeeper");
  command->add_option("--profile", flags->profile, "a profile: the whole router answers");
  command->add_option("--data", flags->data, "rows: text<TAB>label, or JSONL")->required();
  command->add_option("--encoder", flags->encoder, "another encoder than the shipped one");
  command->add_option("--second", flags->second, "the encoder MODEL.second was trained with");
  command->add_option("--gate", flags->gates, "FIGURE=BOUND: exit with 1 when it is missed");
  command->add_option("--gates", flags->gates_file, "a JSON file of gates");
  command->add_option("--html", flags->html, "write a report for the browser");
  command->add_option("--report", flags->report, "write a JSON report for the page: serve --reports");
  command->add_flag("--json", flags->is_json, "print one JSON object");
  command->callback([flags, judge = std::move(profile_judge), &exit_code] {
    const auto kept = eval(*flags, judge);
    if (kept) {
      exit_code = *kept ? 0 : 1;
      return;
    }
    fmt::print(stderr, "eval: {}\n", kept.error().message);
    const bool is_usage =
        kept.error().code == ErrorCode::InvalidInput || kept.error().code == ErrorCode::NotFound;
    exit_code = is_usage ? 2 : 1;
  });
}

}  // namespace signalbox
