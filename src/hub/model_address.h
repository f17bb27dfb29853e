// Where a model file comes from: `hf:OWNER/REPO/FILE[@REVISION]`, or a whole https address.
#pragma once

#include <string>
#include <string_view>

#include "signalbox/result.h"

namespace signalbox {

inline constexpr std::string_view kDefaultHub = "https://huggingface.co";

struct ModelAddress {
  std::string url;
  std::string file;     // the name it is stored under, unless another is chosen
  bool is_hub = false;  // on the hub itself: its token may go there
};

// `hub` is the base address of the hub. InvalidInput: neither form, or a name that is no plain file
// name.
Result<ModelAddress> parse_model_address(std::string_view text, std::string_view hub = kDefaultHub);

// A name that stays inside its folder and shows in a listing: letters, digits and ._- with no dot
// first.
bool is_plain_file_name(std::string_view name);

}  // namespace signalbox
