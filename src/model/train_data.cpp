#include "model/train_data.h"

namespace signalbox {

std::vector<std::string> parse_separators(std::string_view text) {
  std::vector<std::string> separators;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty() && !line.starts_with("# ")) separators.emplace_back(line);
  }
  return separators;
}

Result<TrainData> read_train_data(const std::string& folder) {
  TrainData data;
  auto generic = read_rows(folder + "/generic_oos.tsv");
  if (!generic && generic.error().code != ErrorCode::NotFound) return tl::unexpected(generic.error());
  if (generic) data.generic = *std::move(generic);
  if (const auto separators = read_text_file(folder + "/separators.txt")) {
    data.separators = parse_separators(*separators);
  }
  return data;
}

}  // namespace signalbox
