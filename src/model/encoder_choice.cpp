#include "model/encoder_choice.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "model/hash_encoder.h"
#include "model/model_dir.h"
#include "model/pair_encoder.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

fs::path placed(const std::string& path, const std::string& folder) {
  return fs::path(path).is_absolute() || folder.empty() ? fs::path(path) : fs::path(folder) / path;
}

}  // namespace

Result<OnnxOptions> parse_onnx_choice(const std::string& choice, const std::string& folder) {
  OnnxOptions options;
  const std::string rest = choice.substr(kOnnxChoice.size());
  const std::size_t mark = rest.find('?');
  if (rest.substr(0, mark).empty())
    return fail(ErrorCode::InvalidInput, "onnx: needs a path: onnx:PATH");
  options.model = placed(rest.substr(0, mark), folder);
  std::error_code ec;
  if (fs::is_directory(options.model, ec)) options.model /= "model.onnx";
  options.tokenizer = options.model.parent_path() / "tokenizer.json";
  std::istringstream parts(mark == std::string::npos ? "" : rest.substr(mark + 1));
  for (std::string part; std::getline(parts, part, '&');) {
    const std::size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
    if (name == "pooling" && (value == "cls" || value == "mean")) {
      options.pooling = value == "cls" ? OnnxPooling::Cls : OnnxPooling::Mean;
    } else if (name == "prefix") {
      options.prefix = value;
    } else if (name == "max_tokens" && !value.empty() &&
               value.find_first_not_of("0123456789") == std::string::npos && value.size() < 6) {
      options.max_tokens = std::stoul(value);
    } else {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("'{}': expected pooling=cls|mean, prefix=TEXT or max_tokens=N, got '{}'",
                              choice, part));
    }
  }
  return options;
}

Result<std::shared_ptr<const Encoder>> open_encoder(const std::string& choice,
                                                    const std::string& folder) {
  if (choice.empty()) {
    static const auto shipped = load_encoder(default_model_dir() + "/encoder.sbenc");
    return shipped;
  }
  if (!choice.starts_with(kOnnxChoice)) return load_encoder(placed(choice, folder).string());
  auto options = parse_onnx_choice(choice, folder);
  if (!options) return tl::unexpected(options.error());
  return load_onnx_encoder(*options);
}

Result<std::shared_ptr<const Encoder>> open_second_encoder(std::shared_ptr<const Encoder> first,
                                                           const std::string& choice,
                                                           const std::string& folder) {
  auto second = open_encoder(choice, folder);
  if (!second || first == nullptr) return second;
  return std::make_shared<const PairEncoder>(std::move(first), *std::move(second));
}

}  // namespace signalbox
