// signalbox train: a gatekeeper from labelled rows.
#include "cli/train.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <thread>

#include "cli/train_trial.h"
#include "model/encoder_choice.h"
#include "model/gate_model.h"
#include "model/model_dir.h"
#include "model/train.h"
#include "model/train_data.h"
#include "wire/json_text.h"

namespace signalbox {
namespace {

using Clock = std::chrono::steady_clock;

struct TrainFlags {
  std::string data, valid, oos, out, encoder, second;
  std::uint64_t seed = 1;
  double target_precision = 0;
  bool is_json = false;
  bool is_without_encoder = false;
  TrialFlags trial;
};

// Says on stderr how far the work is, once it has taken a second: a moving line in a terminal, else one
// line a stage.
class ProgressLine {
 public:
  void show(std::string_view stage, double share) {
    const auto now = Clock::now();
    const bool is_new = stage != stage_;
    if (now - start_ < std::chrono::seconds(1)) return;
    if (is_terminal_) {
      if (!is_new && now - last_ < std::chrono::milliseconds(100) && share < 1) return;
      fmt::print(stderr, "\r\033[K{} {:3.0f} %", stage, share * 100);
      std::fflush(stderr);
      is_open_ = true;
    } else if (is_new) {
      fmt::print(stderr, "{}\n", stage);
    }
    last_ = now;
    stage_ = stage;
  }
  void finish() {
    if (is_open_) fmt::print(stderr, "\r\033[K");
    is_open_ = false;
  }

 private:
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_;
  std::string stage_;
  bool is_terminal_ = ::isatty(STDERR_FILENO) != 0;
  bool is_open_ = false;
};

Result<std::shared_ptr<const Encoder>> chosen_encoder(const TrainFlags& flags) {
  if (flags.is_without_encoder) return std::shared_ptr<const Encoder>();
  return open_encoder(flags.encoder);
}

struct TrainInput {
  std::vector<TrainRow> rows, valid, oos, generic;
  std::vector<std::string> separators;
};

Result<TrainInput> read_input(const TrainFlags& flags) {
  TrainInput input;
  const auto read = [](const std::string& path, std::vector<TrainRow>& into) -> Result<void> {
    if (path.empty()) return {};
    auto rows = read_rows(path);
    if (!rows) return tl::unexpected(rows.error());
    into = *std::move(rows);
    return {};
  };
  for (const auto& result :
       {read(flags.data, input.rows), read(flags.valid, input.valid), read(flags.oos, input.oos)}) {
    if (!result) return tl::unexpected(result.error());
  }
  auto shipped = read_train_data(default_model_dir());
  if (!shipped) return tl::unexpected(shipped.error());
  input.generic = std::move(shipped->generic);
  input.separators = std::move(shipped->separators);
  return input;
}

std::string summary_json(const GateModel& model, const std::string& path, double seconds,
                         const TrialResult& trial) {
  namespace json = boost::json;
  const GateMetadata& figures = model.metadata();
  json::object out = {{"model", path},
                      {"bytes", std::filesystem::file_size(path)},
                      {"rows", figures.rows},
                      {"routes", model.routes().size()},
                      {"seconds", seconds},
                      {"seed", figures.seed},
                      {"data_hash", figures.data_hash},
                      {"encoder", figures.encoder},
                      {"accuracy", figures.accuracy},
                      {"ece", figures.calibration_error},
                      {"early_exit_share", figures.early_exit_share}};
  out["oos_recall"] =
      figures.out_of_scope_rows > 0 ? json::value(figures.out_of_scope_recall) : json::value(nullptr);
  json::object thresholds;
  for (const RouteThreshold& entry : model.thresholds()) {
    thresholds[entry.route] = {{"threshold", entry.threshold},
                               {"precision", entry.precision},
                               {"coverage", entry.coverage},
                               {"support", entry.support}};
  }
  out["thresholds"] = std::move(thresholds);
  if (trial.champion)
    out["holdout"] = {{"champion", *trial.champion}, {"challenger", *trial.challenger}};
  return json_text(out);
}

std::string summary_text(const GateModel& model, const std::string& path, double seconds,
                         const TrialResult& trial) {
  const GateMetadata& figures = model.metadata();
  std::string out =
      fmt::format("{}: {} routes from {} rows in {:.1f} s, {:.1f} MB\n\n", path, model.routes().size(),
                  figures.rows, seconds, static_cast<double>(std::filesystem::file_size(path)) / 1e6);
  const auto line = [&](std::string_view name, const std::string& value) {
    out += fmt::format("  {:<34}{:>10}\n", name, value);
  };
  line("accuracy on held-out folds", fmt::format("{:.2f} %", figures.accuracy * 100));
  line("calibration error", fmt::format("{:.2f} %", figures.calibration_error * 100));
  if (figures.out_of_scope_rows > 0) {
    line("out-of-scope recall", fmt::format("{:.1f} %", figures.out_of_scope_recall * 100));
  }
  line("sure without the encoder", fmt::format("{:.1f} %", figures.early_exit_share * 100));
  if (trial.champion) {
    line("champion on the held-out rows", fmt::format("{:.2f} %", *trial.champion * 100));
    line("this model on them", fmt::format("{:.2f} %", *trial.challenger * 100));
  }
  if (!model.thresholds().empty()) {
    out += fmt::format("\n  {:<40}{:>10}{:>10}{:>10}{:>8}\n", "route", "threshold", "precision",
                       "coverage", "rows");
  }
  for (const RouteThreshold& entry : model.thresholds()) {
    out += fmt::format("  {:<40}{:>10.3f}{:>10.3f}{:>10.3f}{:>8}\n", entry.route, entry.threshold,
                       entry.precision, entry.coverage, entry.support);
  }
  return out;
}

// The model for the grey zone: the same rows, both encoders, in a file beside the first.
Result<void> train_second(const TrainFlags& flags, std::shared_ptr<const Encoder> first,
                          const TrainInput& input, const TrainOptions& options,
                          ProgressLine& progress) {
  const auto encoder = open_second_encoder(std::move(first), flags.second);
  if (!encoder) return tl::unexpected(encoder.error());
  const auto model =
      train_gate(input.rows, input.valid, input.oos, options, *encoder,
                 [&](std::string_view stage, double share) { progress.show(stage, share); });
  progress.finish();
  if (!model) return tl::unexpected(model.error());
  return model->save(flags.out + ".second");
}

Result<void> train(const TrainFlags& flags) {
  const auto start = Clock::now();
  const auto encoder = chosen_encoder(flags);
  if (!encoder) return tl::unexpected(encoder.error());
  auto input = read_input(flags);
  if (!input) return tl::unexpected(input.error());
  TrainOptions options;
  options.seed = flags.seed;
  options.target_precision = flags.target_precision;
  options.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  options.generic = input->generic;
  options.separators = input->separators;
  ProgressLine progress;
  const auto model =
      train_gate(input->rows, input->valid, input->oos, options, *encoder,
                 [&](std::string_view stage, double share) { progress.show(stage, share); });
  progress.finish();
  if (!model) return tl::unexpected(model.error());
  const auto trial = try_model(*model, *encoder, flags.trial);
  if (!trial) return tl::unexpected(trial.error());
  if (!trial->refusal.empty())  // a model that falls short is the work's failure, not the caller's
    return fail(ErrorCode::Upstream, trial->refusal + "; nothing was written");
  if (auto saved = model->save(flags.out); !saved) return saved;
  if (!flags.second.empty()) {
    if (auto done = train_second(flags, *encoder, *input, options, progress); !done) return done;
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  std::cout << (flags.is_json ? summary_json(*model, flags.out, seconds, *trial) + "\n"
                              : summary_text(*model, flags.out, seconds, *trial));
  return {};
}

}  // namespace

void add_train_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<TrainFlags>();
  CLI::App* command = app.add_subcommand("train", "Train a gatekeeper from labelled rows");
  command->add_option("--data", flags->data, "rows: text<TAB>label, or JSONL")->required();
  command->add_option("--valid", flags->valid, "rows to calibrate on, never learned from");
  command->add_option("--oos", flags->oos, "rows that belong to no route");
  command->add_option("--out", flags->out, "where the model goes")->required();
  command->add_option("--encoder", flags->encoder,
                      "another encoder than the shipped one: onnx:PATH[?pooling=cls]");
  command->add_option("--second", flags->second,
                      "an encoder for what the first is unsure of: onnx:PATH; writes OUT.second");
  command->add_flag("--no-encoder", flags->is_without_encoder, "n-grams alone");
  command->add_option("--seed", flags->seed, "the same seed and rows give the same model");
  command->add_option("--target-precision", flags->target_precision, "fit a threshold a route for it")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--gate", flags->trial.gate, "write nothing below this cross-validated accuracy")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--champion", flags->trial.champion,
                      "the model in use: write nothing unless at least as good on --holdout");
  command->add_option("--holdout", flags->trial.holdout,
                      "rows with human labels, of neither's training");
  command->add_flag("--json", flags->is_json, "print one JSON object");
  command->callback([flags, &exit_code] {
    const auto done = train(*flags);
    if (done) return;
    fmt::print(stderr, "train: {}\n", done.error().message);
    const bool is_usage =
        done.error().code == ErrorCode::InvalidInput || done.error().code == ErrorCode::NotFound;
    exit_code = is_usage ? 2 : 1;
  });
}

}  // namespace signalbox
