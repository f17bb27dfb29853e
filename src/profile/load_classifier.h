// The `classifier` section of a profile: prompts, few-shots, ensemble, calibration.
#pragma once

#include <string_view>

#include "profile/profile_files.h"

namespace signalbox {

// A line of a prompt file that holds nothing but this parts what is the same for every message (the
// system message) from what changes with it (the user message).
inline constexpr std::string_view kMessageLine = "<!-- message -->";

// Where that line begins; npos when there is none.
std::size_t message_line(std::string_view prompt);

// Mistakes go to `out`: a file that is missing, a blank on the wrong side of the line, variants that
// do not differ, a calibration that cannot be read.
ClassifierOptions load_classifier(const YamlNode& node, const ProfileFiles& files, Diagnostics& out);

// "0.3/0.6/0.85 0.95/1/1.03/1": breaks, then one scale more; "off" changes nothing. InvalidInput says
// what is wrong.
Result<ConfidenceScale> parse_confidence_scale(std::string_view text);

}  // namespace signalbox
