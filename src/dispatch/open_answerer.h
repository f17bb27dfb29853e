// The answerer of a router with what its profile names: the apps' manifests, the index, the databases.
#pragma once

#include <memory>

#include "dispatch/answerer.h"

namespace signalbox {

// The router must outlive it. InvalidInput: a manifest is wrong; says which line.
Result<std::unique_ptr<Answerer>> open_answerer(const Router& router);

}  // namespace signalbox
