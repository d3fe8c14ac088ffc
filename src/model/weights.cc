#include "model/weights.h"

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/config.h"
#include "core/error.h"
#include "core/text.h"
#include "model/size.h"

namespace neo {
namespace {

constexpr const char* kTheoryFormat = "neo-theory";
constexpr const char* kObservationFormat = "neo-observation-model";
constexpr int kFormatVersion = 2;

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
    fail("{} has format version {}, this program reads {}; train it again, or use the version of neo that wrote it",
         path.string(), version == file.metadata.end() ? "?" : version->second, kFormatVersion);
  }
}

const std::string& entry(const TensorFile& file, const char* key, const std::filesystem::path& path) {
  const auto found = file.metadata.find(key);
  if (found == file.metadata.end())
    fail("{}: its header has no '{}'; the file is damaged", path.string(), key);
  return found->second;
}

}  // namespace

namespace {

void require_finite(const torch::Tensor& values, const std::string& name, const std::string& origin) {
  if (values.is_floating_point() && !torch::isfinite(values).all().item<bool>())
    fail("{}: tensor '{}' holds a value that is not a finite number; train it again or get an intact file", origin,
         printable(name));
}

// Before anything is allocated: settings may claim a model of any size, its tensors are there or not.
void check_claims(const NeoConfig& config, const Space& space, const TensorFile& file, const std::string& origin) {
  double held = 0;
  for (const auto& [name, tensor] : file.tensors) held += static_cast<double>(tensor.bytes.size());
  constexpr double kBytes = 4;
  const double claimed = kBytes * least_parameters(config, space);
  if (claimed > held)
    fail("{}: its settings describe a model of {:.0f} bytes at least, its tensors have {:.0f}; the file is damaged",
         origin, claimed, held);
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
    require_finite(value, prefix + name, origin);
    target.copy_(value);
  };
  for (auto& item : module.named_parameters()) take(item.key(), item.value());
  for (auto& item : module.named_buffers()) take(item.key(), item.value());
}

namespace {

void put_examples(const std::vector<Pair>& examples, TensorFile& file) {
  if (examples.empty()) return;
  const auto count = static_cast<int64_t>(examples.size());
  TensorData x{"U8", {count, static_cast<int64_t>(examples[0].x.size())}, {}}, y = x;
  TensorData group = to_tensor_data(torch::full({count}, -1, torch::kInt));
  for (size_t i = 0; i < examples.size(); ++i) {
    x.bytes.insert(x.bytes.end(), examples[i].x.begin(), examples[i].x.end());
    y.bytes.insert(y.bytes.end(), examples[i].y.begin(), examples[i].y.end());
    std::memcpy(group.bytes.data() + 4 * i, &examples[i].group, 4);
  }
  file.tensors["examples.x"] = x;
  file.tensors["examples.y"] = y;
  file.tensors["examples.group"] = group;
}

std::vector<Pair> take_examples(const TensorFile& file, const Space& space, const std::string& origin) {
  std::vector<Pair> examples;
  const auto x = file.tensors.find("examples.x"), y = file.tensors.find("examples.y"),
             group = file.tensors.find("examples.group");
  if (x == file.tensors.end() || y == file.tensors.end() || group == file.tensors.end()) return examples;
  const auto bytes = space.bytes();
  const std::vector<int64_t> shape = x->second.shape;
  if (x->second.dtype != "U8" || y->second.dtype != "U8" || group->second.dtype != "I32" || shape.size() != 2 ||
      shape[1] != bytes || y->second.shape != shape || group->second.shape != std::vector<int64_t>{shape[0]})
    fail("{}: its examples do not have the form of its observations; the file is damaged", origin);
  for (int64_t i = 0; i < shape[0]; ++i) {
    const auto part = [&](const TensorData& data) {
      return Observation(data.bytes.begin() + i * bytes, data.bytes.begin() + (i + 1) * bytes);
    };
    Pair pair{part(x->second), part(y->second), -1, ""};
    std::memcpy(&pair.group, group->second.bytes.data() + 4 * i, 4);
    try {
      for (const Observation* o : {&pair.x, &pair.y}) observation_of(space, values_of(space, *o));
    } catch (const Error& error) {
      fail("{}: an example in it is damaged: {}", origin, error.what());
    }
    examples.push_back(std::move(pair));
  }
  return examples;
}

TheoryInfo read_info(const TensorFile& file, const std::filesystem::path& path) {
  TheoryInfo info;
  info.benchmark = entry(file, "benchmark", path);
  info.source = entry(file, "source", path);
  info.preset = entry(file, "preset", path);
  info.alpha = std::stod(entry(file, "alpha", path));
  if (!(info.alpha >= 0 && info.alpha <= 1))
    fail("{}: its alpha is {}, not from 0 to 1; the file is damaged", path.string(), info.alpha);
  info.grouped = entry(file, "grouped", path) == "true";
  info.seed = std::stoull(entry(file, "seed", path));
  info.step = std::stoll(entry(file, "step", path));
  info.data_digest = entry(file, "data_digest", path);
  info.settings = entry(file, "settings", path);
  info.names = nlohmann::json::parse(entry(file, "names", path)).get<std::vector<std::string>>();
  from_json(info.policy, nlohmann::json::parse(entry(file, "policy", path)), path.string() + ": policy");
  return info;
}

}  // namespace

void save_theory(const std::filesystem::path& path, NeoImpl& model, const TheoryInfo& info) {
  TensorFile file;
  put_tensors(model, "", file.tensors);
  put_examples(info.examples, file);
  file.metadata = {{"format", kTheoryFormat},
                   {"version", std::to_string(kFormatVersion)},
                   {"space", to_json(model.space()).dump()},
                   {"benchmark", info.benchmark},
                   {"source", info.source},
                   {"preset", info.preset},
                   {"alpha", fmt::format("{}", info.alpha)},
                   {"grouped", info.grouped ? "true" : "false"},
                   {"seed", std::to_string(info.seed)},
                   {"step", std::to_string(info.step)},
                   {"data_digest", info.data_digest},
                   {"settings", info.settings},
                   {"policy", to_json(info.policy).dump()},
                   {"names", nlohmann::json(info.names).dump()},
                   {"config", to_json(model.config()).dump()}};
  write_safetensors(path, file);
}

LoadedTheory load_theory(const std::filesystem::path& path) {
  const TensorFile file = read_safetensors(path);
  require_format(file, kTheoryFormat, path);
  LoadedTheory loaded;
  NeoConfig config;
  Space space;
  try {
    from_json(config, nlohmann::json::parse(entry(file, "config", path)), path.string() + ": model");
    space = space_from_json(nlohmann::json::parse(entry(file, "space", path)), path.string());
    loaded.info = read_info(file, path);
  } catch (const nlohmann::json::exception&) {
    fail("{}: its header is not valid; the file is damaged", path.string());
  } catch (const std::logic_error&) {  // stod and friends
    fail("{}: a number in its header is not valid; the file is damaged", path.string());
  }
  loaded.info.examples = take_examples(file, space, path.string());
  check_claims(config, space, file, path.string());
  loaded.model = Neo(config, space);
  take_tensors(*loaded.model, "", file.tensors, path.string());
  loaded.model->observation().freeze();
  loaded.model->eval();
  return loaded;
}

void save_observation_model(const std::filesystem::path& path, ObservationModel& model,
                            const ObservationConfig& config) {
  TensorFile file;
  put_tensors(model, "observation.", file.tensors);
  file.metadata = {{"format", kObservationFormat},
                   {"version", std::to_string(kFormatVersion)},
                   {"space", to_json(model.space()).dump()},
                   {"config", to_json(config).dump()}};
  write_safetensors(path, file);
}

void load_observation_model(const std::filesystem::path& path, ObservationModel& model,
                            const ObservationConfig& config) {
  const TensorFile file = read_safetensors(path);
  require_format(file, kObservationFormat, path);
  if (entry(file, "space", path) != to_json(model.space()).dump())
    fail("{} is an observation model of other observations than a {}; choose another file", path.string(),
         describe(model.space()));
  if (entry(file, "config", path) != to_json(config).dump())
    fail("{} has another observation model than the preset asks for; make one with `neo pretrain`", path.string());
  take_tensors(model, "observation.", file.tensors, path.string());
}

}  // namespace neo
