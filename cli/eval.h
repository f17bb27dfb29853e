// signalbox eval (--profile P | --model M) --data F
#pragma once

#include <functional>
#include <string>

#include "eval/judgement.h"

namespace CLI {
class App;
}

namespace signalbox {

// Loads a profile and answers rows with its whole router. Fails like loading a profile does.
using ProfileJudge = std::function<Result<Judge>(const std::string& profile)>;

// Without `profile_judge`, --profile is refused.
void add_eval_command(CLI::App& app, int& exit_code, ProfileJudge profile_judge = {});

}  // namespace signalbox
