// Waits until something below a folder changes.
#pragma once

#include <stop_token>
#include <string>

namespace signalbox {

// True after a change and a moment of quiet; false when stopped. Folders made later are watched from
// the next call on, which is why each change ends the wait.
bool wait_for_change(const std::string& root, const std::stop_token& stop);

}  // namespace signalbox
