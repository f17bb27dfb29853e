#include "cli/train_trial.h"

#include <fmt/format.h>

#include "eval/metrics.h"
#include "eval/model_judge.h"
#include "model/rows.h"

namespace signalbox {
namespace {

Result<double> accuracy_of(const GateModel& model, std::span<const EvalRow> rows) {
  const TieredGate gate(std::make_shared<const GateModel>(model));
  auto report = evaluate(
      rows, [&](const EvalRow& row) -> Result<Judgement> { return judge_by_model(gate, row); }, {});
  if (!report) return tl::unexpected(report.error());
  return report->accuracy;
}

}  // namespace

Result<TrialResult> try_model(const GateModel& model, const std::shared_ptr<const Encoder>& encoder,
                              const TrialFlags& flags) {
  TrialResult out;
  if (flags.gate && model.metadata().accuracy < *flags.gate)
    out.refusal = fmt::format("cross-validated accuracy {:.4f} is below the gate {}",
                              model.metadata().accuracy, *flags.gate);
  if (flags.champion.empty()) return out;
  if (flags.holdout.empty())
    return fail(ErrorCode::InvalidInput,
                "--champion needs --holdout: rows with human labels to compare on");
  auto champion = GateModel::load(flags.champion, encoder);
  if (!champion) return tl::unexpected(champion.error());
  auto rows = read_rows(flags.holdout);
  if (!rows) return tl::unexpected(rows.error());
  auto theirs = accuracy_of(*champion, *rows);
  auto ours = accuracy_of(model, *rows);
  if (!theirs) return tl::unexpected(theirs.error());
  if (!ours) return tl::unexpected(ours.error());
  out.champion = *theirs;
  out.challenger = *ours;
  if (out.refusal.empty() && *ours < *theirs)
    out.refusal = fmt::format("the champion stays: {:.4f} on {} held-out rows against {:.4f}", *theirs,
                              rows->size(), *ours);
  return out;
}

}  // namespace signalbox
