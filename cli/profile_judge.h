#pragma once

#include <string>

#include "eval/judgement.h"

namespace signalbox {

Result<Judge> profile_judge(const std::string& profile);

}  // namespace signalbox
