#include "model/weights.h"

#include <nlohmann/json.hpp>

#include "core/config.h"
#include "core/error.h"

namespace neo {
namespace {

constexpr const char* kTheoryFormat = "neo-theory";
constexpr const char* kObservationFormat = "neo-observation-model";
constexpr int kFormatVersion = 1;

struct DtypeName {
  torch::Dtype dtype;
  const char* name;
};
constexpr DtypeName kDtypes[] = {{torch::kFloat, "F32"},
                                 {torch::kDouble, "F64"},
                                 {torch::kLong, "I64"},
                                 {torch::kInt, "I32"},
                                 {torch::kByte, "U8"}};

void require_format(const TensorFile& file, const char* format, const std::filesystem::path& path) {
  const auto found = file.metadata.find("format");
  if (found == file.metadata.end() || found->second != format) {
    fail("{} is no {} file; expected one written by `neo {}`", path.string(), format,
         format == std::string(kTheoryFormat) ? "train" : "pretrain");
  }
  const auto version = file.metadata.find("version");
  if (version == file.metadata.end() || version->second != std::to_string(kFormatVersion)) {
    fail("{} has format version {}, this program reads {}; use a matching version of neo", path.string(),
         version == file.metadata.end() ? "?" : version->second, kFormatVersion);
  }
}

const std::string& entry(const TensorFile& file, const char* key, const std::filesystem::path& path) {
  const auto found = file.metadata.find(key);
  if (found == file.metadata.end())
    fail("{}: its header has no '{}'; the file is damaged", path.string(), key);
  return found->second;
}

}  // namespace

TensorData to_tensor_data(const torch::Tensor& tensor) {
  const auto plain = tensor.detach().cpu().contiguous();
  TensorData data;
  for (const auto& [dtype, name] : kDtypes) {
    if (plain.scalar_type() == dtype) data.dtype = name;
  }
  TORCH_CHECK(!data.dtype.empty(), "no safetensors type for ", plain.scalar_type());
  data.shape = plain.sizes().vec();
  const auto* bytes = static_cast<const uint8_t*>(plain.data_ptr());
  data.bytes.assign(bytes, bytes + plain.nbytes());
  return data;
}

torch::Tensor to_tensor(const TensorData& data) {
  for (const auto& [dtype, name] : kDtypes) {
    if (data.dtype != name) continue;
    auto tensor = torch::empty(data.shape, dtype);
    std::copy(data.bytes.begin(), data.bytes.end(), static_cast<uint8_t*>(tensor.data_ptr()));
    return tensor;
  }
  fail("tensors of type {} are not used here", data.dtype);
}

void put_tensors(const torch::nn::Module& module, const std::string& prefix,
                 std::map<std::string, TensorData>& out) {
  for (const auto& item : module.named_parameters()) out[prefix + item.key()] = to_tensor_data(item.value());
  for (const auto& item : module.named_buffers()) out[prefix + item.key()] = to_tensor_data(item.value());
}

void take_tensors(torch::nn::Module& module, const std::string& prefix,
                  const std::map<std::string, TensorData>& in, const std::string& origin) {
  torch::NoGradGuard no_grad;
  const auto take = [&](const std::string& name, torch::Tensor target) {
    const auto found = in.find(prefix + name);
    if (found == in.end())
      fail("{} lacks the tensor '{}'; it belongs to another architecture", origin, prefix + name);
    const auto value = to_tensor(found->second);
    if (value.sizes() != target.sizes() || value.scalar_type() != target.scalar_type()) {
      fail("{}: tensor '{}' has another shape or type than this architecture's; check the preset", origin,
           prefix + name);
    }
    target.copy_(value);
  };
  for (auto& item : module.named_parameters()) take(item.key(), item.value());
  for (auto& item : module.named_buffers()) take(item.key(), item.value());
}

void save_theory(const std::filesystem::path& path, NeoImpl& model, const TheoryInfo& info) {
  TensorFile file;
  put_tensors(model, "", file.tensors);
  file.metadata = {{"format", kTheoryFormat},
                   {"version", std::to_string(kFormatVersion)},
                   {"world", info.world},
                   {"preset", info.preset},
                   {"alpha", fmt::format("{}", info.alpha)},
                   {"seed", std::to_string(info.seed)},
                   {"step", std::to_string(info.step)},
                   {"data_digest", info.data_digest},
                   {"settings", info.settings},
                   {"config", to_json(model.config()).dump()}};
  write_safetensors(path, file);
}

LoadedTheory load_theory(const std::filesystem::path& path) {
  const TensorFile file = read_safetensors(path);
  require_format(file, kTheoryFormat, path);
  LoadedTheory loaded;
  NeoConfig config;
  try {
    from_json(config, nlohmann::json::parse(entry(file, "config", path)), path.string());
    loaded.info = {entry(file, "world", path),
                   entry(file, "preset", path),
                   std::stod(entry(file, "alpha", path)),
                   std::stoull(entry(file, "seed", path)),
                   std::stoll(entry(file, "step", path)),
                   entry(file, "data_digest", path),
                   entry(file, "settings", path)};
  } catch (const nlohmann::json::exception&) {
    fail("{}: its header holds no valid config; the file is damaged", path.string());
  } catch (const std::logic_error&) {  // stod and friends
    fail("{}: a number in its header is not valid; the file is damaged", path.string());
  }
  loaded.model = Neo(config, world_named(loaded.info.world));
  take_tensors(*loaded.model, "", file.tensors, path.string());
  loaded.model->observation().freeze();
  loaded.model->eval();
  return loaded;
}

void save_observation_model(const std::filesystem::path& path, ObservationModel& model,
                            const ObservationConfig& config, const World& world) {
  TensorFile file;
  put_tensors(model, "observation.", file.tensors);
  file.metadata = {{"format", kObservationFormat},
                   {"version", std::to_string(kFormatVersion)},
                   {"world", std::string(world.name())},
                   {"config", to_json(config).dump()}};
  write_safetensors(path, file);
}

void load_observation_model(const std::filesystem::path& path, ObservationModel& model,
                            const ObservationConfig& config, const World& world) {
  const TensorFile file = read_safetensors(path);
  require_format(file, kObservationFormat, path);
  if (entry(file, "world", path) != world.name()) {
    fail("{} is an observation model of {}, not of {}; choose another file", path.string(),
         entry(file, "world", path), world.name());
  }
  if (entry(file, "config", path) != to_json(config).dump()) {
    fail("{} has another observation model than the preset asks for; pretrain one with `neo pretrain {}`",
         path.string(), world.name());
  }
  take_tensors(model, "observation.", file.tensors, path.string());
}

}  // namespace neo
