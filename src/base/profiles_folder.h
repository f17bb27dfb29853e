// Where the shipped profiles are: $SIGNALBOX_PROFILES, else beside the program, else the source tree.
#pragma once

#include <string>

namespace signalbox {

std::string profiles_folder();

}  // namespace signalbox
