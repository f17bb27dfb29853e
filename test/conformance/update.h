// Whether `--update` was given: expected parts are rewritten with what the router does now.
#pragma once

namespace signalbox {

inline bool update_expected = false;

}  // namespace signalbox
