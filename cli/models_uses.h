// What uses a model file: profiles, their gatekeepers and slots, and the environment.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hub/model_store.h"

namespace signalbox {

// Path of a file → who uses it. Reads the shipped profiles and SIGNALBOX_LLM_URL…; a profile that does
// not load uses nothing.
std::map<std::string, std::vector<std::string>> model_uses(const std::vector<StoredModel>& models);

}  // namespace signalbox
