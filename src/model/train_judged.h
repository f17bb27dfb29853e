// What the two heads say of rows they have not seen: what everything fitted after learning starts from.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <vector>

#include "model/svm.h"
#include "model/train_set.h"

namespace signalbox {

struct Learned {
  SvmSolution whole;  // n-grams and encoder
  SvmSolution quick;  // n-grams learned by themselves; the same as `whole` without an encoder
  float encoder_scale = 0;
  std::vector<float> ranked;  // [example][routes]: what ranks the routes of a held-out row
};

struct Judged {
  std::size_t example = 0;
  std::vector<float> scores;        // of the routes, by all that ranks them
  std::vector<float> head_scores;   // likewise, by the head
  std::vector<float> quick_scores;  // likewise, by n-grams alone
  float outside_score = 0;
  float quick_outside = 0;
  float cosine = 0;
  bool is_outside = false;
  std::uint32_t label = 0;
  std::uint32_t best = 0;
  std::uint32_t quick_best = 0;
  double weight = 1;  // in fitting

  bool is_right() const { return !is_outside && best == label; }
  bool is_quick_right() const { return !is_outside && quick_best == label; }
};

// Rows with one route or none, as the solutions of the other folds see them. Generic text that the
// routes claim for themselves is left out: it is no witness against them.
std::vector<Judged> judged_rows(const TrainSet& set, const Learned& learned, bool has_outside);

// Of an example that the solution of the other folds sees.
using BestRoute = std::function<std::uint32_t(std::size_t example)>;
// Share of the rows of these uses that come out right.
double held_out_accuracy(const TrainSet& set, std::initializer_list<ExampleUse> uses,
                         const BestRoute& best);
// Whether the user's own rows come out right less often than before, by more than chance.
bool is_clearly_worse(const TrainSet& set, const BestRoute& now, const BestRoute& before);

}  // namespace signalbox
