#include "model/onnx_session.h"

#if __has_include(<onnxruntime_c_api.h>)

#include <onnxruntime_c_api.h>

#include <algorithm>
#include <utility>

#include "model/onnx_library.h"

namespace signalbox {
namespace {

// Tables only grow: everything used here is in this one, so any library since 1.12 will do.
constexpr std::uint32_t kApiVersion = 12;

Result<void> check(const OrtApi& api, OrtStatus* status, const char* what) {
  if (status == nullptr) return {};
  std::string message = std::string("ONNX Runtime, ") + what + ": " + api.GetErrorMessage(status);
  api.ReleaseStatus(status);
  return fail(ErrorCode::Upstream, std::move(message));
}

// One environment a process, never released: sessions may outlive any owner of it.
Result<OrtEnv*> environment(const OrtApi& api) {
  static OrtEnv* env = nullptr;
  static OrtStatus* status = api.CreateEnv(ORT_LOGGING_LEVEL_ERROR, "signalbox", &env);
  if (status != nullptr) {
    return fail(ErrorCode::Upstream,
                std::string("ONNX Runtime, environment: ") + api.GetErrorMessage(status));
  }
  return env;
}

// Releases one of the library's objects when it goes out of scope.
template <typename T>
class Owned {
 public:
  explicit Owned(void (*release)(T*)) : release_(release) {}
  ~Owned() {
    if (value_ != nullptr) release_(value_);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  T** out() { return &value_; }
  T* get() const { return value_; }

 private:
  void (*release_)(T*);
  T* value_ = nullptr;
};

enum class Input : std::uint8_t { Ids, Mask, Segments };

}  // namespace

struct OnnxSession::Handles {
  explicit Handles(const OrtApi& table)
      : api(table), session(table.ReleaseSession), memory(table.ReleaseMemoryInfo) {}

  Result<void> create(const std::filesystem::path& model, unsigned threads);
  Result<std::string> name_of(bool is_input, std::size_t index) const;
  Result<void> read_names();
  Result<OnnxTensor> read_output(OrtValue* value) const;

  const OrtApi& api;
  Owned<OrtSession> session;
  Owned<OrtMemoryInfo> memory;
  std::vector<std::pair<std::string, Input>> inputs;
  std::string output;
};

Result<void> OnnxSession::Handles::create(const std::filesystem::path& model, unsigned threads) {
  auto env = environment(api);
  if (!env) return tl::unexpected(env.error());
  Owned<OrtSessionOptions> options(api.ReleaseSessionOptions);
  if (auto ok = check(api, api.CreateSessionOptions(options.out()), "options"); !ok) return ok;
  const int most = static_cast<int>(std::max(threads, 1U));
  if (auto ok = check(api, api.SetIntraOpNumThreads(options.get(), most), "threads"); !ok) return ok;
  if (auto ok = check(api, api.SetInterOpNumThreads(options.get(), 1), "threads"); !ok) return ok;
  OrtStatus* created = api.CreateSession(*env, model.c_str(), options.get(), session.out());
  if (auto ok = check(api, created, "model"); !ok) return ok;
  OrtStatus* described = api.CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, memory.out());
  if (auto ok = check(api, described, "memory"); !ok) return ok;
  return read_names();
}

Result<std::string> OnnxSession::Handles::name_of(bool is_input, std::size_t index) const {
  OrtAllocator* allocator = nullptr;
  if (auto ok = check(api, api.GetAllocatorWithDefaultOptions(&allocator), "allocator"); !ok) {
    return tl::unexpected(ok.error());
  }
  char* text = nullptr;
  const auto get = is_input ? api.SessionGetInputName : api.SessionGetOutputName;
  if (auto ok = check(api, get(session.get(), index, allocator, &text), "names"); !ok) {
    return tl::unexpected(ok.error());
  }
  std::string name = text;
  return check(api, api.AllocatorFree(allocator, text), "names").map([&] { return std::move(name); });
}

Result<void> OnnxSession::Handles::read_names() {
  std::size_t count = 0;
  if (auto ok = check(api, api.SessionGetInputCount(session.get(), &count), "inputs"); !ok) return ok;
  for (std::size_t i = 0; i < count; ++i) {
    auto name = name_of(true, i);
    if (!name) return tl::unexpected(name.error());
    if (*name == "input_ids") {
      inputs.emplace_back(*name, Input::Ids);
    } else if (*name == "attention_mask") {
      inputs.emplace_back(*name, Input::Mask);
    } else if (*name == "token_type_ids") {
      inputs.emplace_back(*name, Input::Segments);
    } else {
      return fail(ErrorCode::InvalidInput,
                  "the model wants an input \"" + *name +
                      "\"; known are input_ids, attention_mask and token_type_ids");
    }
  }
  auto name = name_of(false, 0);
  if (!name) return tl::unexpected(name.error());
  output = *std::move(name);
  return {};
}

Result<OnnxTensor> OnnxSession::Handles::read_output(OrtValue* value) const {
  Owned<OrtTensorTypeAndShapeInfo> info(api.ReleaseTensorTypeAndShapeInfo);
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  std::size_t rank = 0;
  std::size_t size = 0;
  void* data = nullptr;
  OnnxTensor out;
  const auto checked = [&](OrtStatus* status) { return check(api, status, "output"); };
  auto ok = checked(api.GetTensorTypeAndShape(value, info.out()));
  if (ok) ok = checked(api.GetTensorElementType(info.get(), &type));
  if (ok && type != ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT) {
    return fail(ErrorCode::InvalidInput,
                "the model's output \"" + output + "\" is not of 32-bit floats");
  }
  if (ok) ok = checked(api.GetDimensionsCount(info.get(), &rank));
  if (ok) out.shape.resize(rank);
  if (ok) ok = checked(api.GetDimensions(info.get(), out.shape.data(), rank));
  if (ok) ok = checked(api.GetTensorShapeElementCount(info.get(), &size));
  if (ok) ok = checked(api.GetTensorMutableData(value, &data));
  if (!ok) return tl::unexpected(ok.error());
  out.values.assign(static_cast<const float*>(data), static_cast<const float*>(data) + size);
  return out;
}

OnnxSession::OnnxSession(std::unique_ptr<Handles> handles) : handles_(std::move(handles)) {}
OnnxSession::~OnnxSession() = default;

Result<std::unique_ptr<const OnnxSession>> OnnxSession::open(const std::filesystem::path& model,
                                                             unsigned threads,
                                                             const std::filesystem::path& library) {
  if (!std::filesystem::is_regular_file(model))
    return fail(ErrorCode::NotFound, "no model at " + model.string());
  auto base = load_onnx_library(library);
  if (!base) return tl::unexpected(base.error());
  const OrtApi* api = (*base)->GetApi(kApiVersion);
  if (api == nullptr) {
    return fail(ErrorCode::Upstream, std::string("ONNX Runtime ") + (*base)->GetVersionString() +
                                         " is too old: 1.12 or newer is needed");
  }
  auto handles = std::make_unique<Handles>(*api);
  if (auto created = handles->create(model, threads); !created) {
    return fail(created.error().code, model.string() + ": " + created.error().message);
  }
  return std::unique_ptr<const OnnxSession>(new OnnxSession(std::move(handles)));
}

Result<OnnxTensor> OnnxSession::run(std::span<const std::int64_t> ids) const {
  const OrtApi& api = handles_->api;
  const std::size_t count = handles_->inputs.size();
  std::vector<std::int64_t> given(ids.begin(), ids.end());
  std::vector<std::int64_t> ones(ids.size(), 1);
  std::vector<std::int64_t> zeros(ids.size(), 0);
  const std::int64_t shape[] = {1, static_cast<std::int64_t>(ids.size())};

  std::vector<std::unique_ptr<Owned<OrtValue>>> tensors;
  std::vector<const OrtValue*> values;
  std::vector<const char*> names;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [name, kind] = handles_->inputs[i];
    std::vector<std::int64_t>& data = kind == Input::Ids ? given : kind == Input::Mask ? ones : zeros;
    tensors.push_back(std::make_unique<Owned<OrtValue>>(api.ReleaseValue));
    OrtStatus* made = api.CreateTensorWithDataAsOrtValue(
        handles_->memory.get(), data.data(), data.size() * sizeof(std::int64_t), shape, 2,
        ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, tensors.back()->out());
    if (auto ok = check(api, made, "input"); !ok) return tl::unexpected(ok.error());
    values.push_back(tensors.back()->get());
    names.push_back(name.c_str());
  }
  Owned<OrtValue> result(api.ReleaseValue);
  const char* output = handles_->output.c_str();
  OrtStatus* ran = api.Run(handles_->session.get(), nullptr, names.data(), values.data(), count,
                           &output, 1, result.out());
  if (auto ok = check(api, ran, "run"); !ok) return tl::unexpected(ok.error());

  return handles_->read_output(result.get());
}

}  // namespace signalbox

#else

namespace signalbox {

struct OnnxSession::Handles {};

OnnxSession::OnnxSession(std::unique_ptr<Handles> handles) : handles_(std::move(handles)) {}
OnnxSession::~OnnxSession() = default;

Result<std::unique_ptr<const OnnxSession>> OnnxSession::open(const std::filesystem::path&, unsigned,
                                                             const std::filesystem::path&) {
  return fail(ErrorCode::NotFound,
              "built without ONNX Runtime's header: run scripts/fetch-onnx.sh and rebuild");
}

Result<OnnxTensor> OnnxSession::run(std::span<const std::int64_t>) const {
  return fail(ErrorCode::NotFound,
              "built without ONNX Runtime's header: run scripts/fetch-onnx.sh and rebuild");
}

}  // namespace signalbox

#endif
