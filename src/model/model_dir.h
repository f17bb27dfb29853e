// Where the shipped models lie.
#pragma once

#include <string>

namespace signalbox {

// The first of these that is a folder: $SIGNALBOX_MODELS; ../share/signalbox/models beside the program;
// models of the source tree the program was built from; ./models (whether or not it exists).
std::string default_model_dir();

// Where the user's own models lie, whether or not it exists: $XDG_CACHE_HOME/signalbox/models, else
// ~/.cache/signalbox/models; empty when neither is known.
std::string user_model_dir();

}  // namespace signalbox
