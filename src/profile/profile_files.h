// Files a profile names beside itself: prompts and lists of examples.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "profile/diagnostics.h"
#include "profile/yaml.h"

namespace signalbox {

// Reads files below one folder; what is missing, empty or no UTF-8 is a mistake at the node's place.
class ProfileFiles {
 public:
  ProfileFiles(std::filesystem::path folder, Diagnostics& out)
      : folder_(std::move(folder)), out_(out) {}

  std::string text(const YamlNode& node, const std::string& key) const;

  // Lines `text⇥route`; further columns and lines that begin with # are for people.
  std::vector<RouteExample> examples(const YamlNode& node, const std::string& key) const;

 private:
  std::filesystem::path folder_;
  Diagnostics& out_;
};

}  // namespace signalbox
