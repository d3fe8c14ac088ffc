// An HDF5 file whose datasets, types, shapes and attributes the input chooses, read as an episode file. The
// HDF5 library itself is not the target (it has bugs of its own that random bytes would find); what is tested
// is everything our readers take from a well-formed file. Input bytes of zero choose what a right file has.

#include <fuzzer/FuzzedDataProvider.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "core/error.h"
#include "require.h"
#include "worlds/episode_file.h"
#include "worlds/h5.h"

namespace {

using neo::h5::Handle;
using Dims = std::vector<hsize_t>;

class FileBuilder {
 public:
  FileBuilder(const uint8_t* data, size_t size) : choices_(data, size) {}

  void build(const std::string& path) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access, /*increment=*/1 << 16, /*backing_store=*/true);
    file_ = Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    world_ = &neo::world_named(choices_.PickValueInArray({"gridworld", "arithmetic", "imaging"}));
    episodes_ = choices_.ConsumeIntegralInRange<hsize_t>(1, 4);
    claimed_ = odd() ? huge() : episodes_;
    choices_.ConsumeBool() ? build_release() : build_compact();
    file_.reset();
    if (odd()) truncate(path);
  }

 private:
  bool odd() { return choices_.ConsumeIntegralInRange(0, 15) == 15; }  // deviate here from a right file?

  hsize_t huge() {
    return choices_.PickValueInArray<hsize_t>({0, 255, 1u << 20, hsize_t{1} << 32, hsize_t{1} << 40,
                                               hsize_t{1} << 62, hsize_t{1} << 63, ~hsize_t{1}});
  }

  Dims dims(Dims right) {
    if (!odd()) return right;
    if (odd()) return {};
    if (!right.empty() && choices_.ConsumeBool()) {
      right[choices_.ConsumeIntegralInRange<size_t>(0, right.size() - 1)] = huge();
      return right;
    }
    right.resize(choices_.ConsumeIntegralInRange<size_t>(0, 6), 1);
    return right;
  }

  Handle type(hid_t right) {
    if (!odd()) return {H5Tcopy(right), H5Tclose};
    const hid_t base = choices_.PickValueInArray({H5T_STD_I8LE, H5T_STD_U64BE, H5T_STD_I32BE, H5T_IEEE_F32LE,
                                                  H5T_IEEE_F64LE, H5T_STD_B16LE, H5T_C_S1, H5T_STD_REF_OBJ});
    if (odd()) return {H5Tvlen_create(base), H5Tclose};
    return {H5Tcopy(base), H5Tclose};
  }

  // Chunked and without data where it is large, so that a huge claim costs nothing.
  Handle dataset(hid_t parent, const char* name, hid_t right_type, const Dims& right_dims) {
    const Dims shape = dims(right_dims);
    const Handle kind = type(right_type);
    const int rank = static_cast<int>(shape.size());
    const Handle space(
        rank == 0 ? H5Screate(odd() ? H5S_NULL : H5S_SCALAR) : H5Screate_simple(rank, shape.data(), nullptr),
        H5Sclose);
    const Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (rank > 0) {
      Dims chunk = shape;
      for (hsize_t& extent : chunk) extent = std::clamp<hsize_t>(extent, 1, 32);
      H5Pset_chunk(options, rank, chunk.data());
    }
    if (odd()) return {};
    return {H5Dcreate2(parent, name, kind, space, H5P_DEFAULT, options, H5P_DEFAULT), H5Dclose};
  }

  template <typename T>
  void fill(hid_t id, hid_t memory_type, const std::vector<T>& values) {
    const Handle space(H5Dget_space(id), H5Sclose);
    if (!space.valid() || H5Sget_simple_extent_npoints(space) != static_cast<hssize_t>(values.size())) return;
    H5Dwrite(id, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }

  std::vector<int64_t> numbers(size_t count) {  // within the world unless told otherwise
    std::vector<int64_t> values(count);
    const int64_t limit = odd() ? 300 : world_->values();
    const int64_t low = odd() ? -5 : 0;
    for (int64_t& value : values) {
      if (choices_.remaining_bytes() == 0) break;
      value = choices_.ConsumeIntegralInRange<int64_t>(low, limit - 1);
    }
    return values;
  }

  std::string text(std::string right) {
    if (!odd()) return right;
    if (choices_.ConsumeBool() || right.empty()) return choices_.ConsumeRandomLengthString(200);
    if (odd()) return right + choices_.PickValueInArray({"\\n", "\\u001b[31m", "\\u0000"});  // JSON's escapes
    right[choices_.ConsumeIntegralInRange<size_t>(0, right.size() - 1)] = choices_.ConsumeIntegral<char>();
    return right;
  }

  void text_attribute(hid_t object, const char* name, const std::string& right) {
    const std::string value = text(right);
    if (odd()) return;
    if (odd()) return neo::h5::write_number(object, name, 1.0);
    neo::h5::write_text(object, name, value);
  }

  std::string program() {
    const auto& names = world_->primitives();
    std::string joined;
    const size_t length = choices_.ConsumeIntegralInRange<size_t>(1, 3);
    for (size_t i = 0; i < length; ++i) {
      if (i > 0) joined += ' ';
      joined += names[choices_.ConsumeIntegralInRange<size_t>(0, names.size() - 1)];
    }
    return text(joined);
  }

  Dims observation_dims(hsize_t first) const {
    Dims shape = {first, 4};
    for (int64_t extent : world_->shape()) shape.push_back(static_cast<hsize_t>(extent));
    return shape;
  }

  void build_compact() {
    text_attribute(file_, "format", "neo-episodes");
    neo::h5::write_number(file_, "version", odd() ? choices_.ConsumeFloatingPoint<double>() : 1.0);
    std::string programs;
    for (int i = 0; i < 2; ++i) programs += (i ? ",\"" : "\"") + program() + "\"";
    const std::string alpha =
        odd() ? choices_.PickValueInArray({"null", "-1", "1e999", "\"x\"", "[]"}) : "0.33";
    const std::string meta = text(fmt::format(
        R"({{"world":"{}","split":"id","generator":"otib-1","digest":"","alpha":{},"programs":[{}]}})",
        text(std::string(world_->name())), alpha, programs));
    if (const Handle id = dataset(file_, "meta", H5T_STD_U8LE, {meta.size()}); id.valid()) {
      fill(id, H5T_NATIVE_CHAR, std::vector<char>(meta.begin(), meta.end()));
    }
    if (const Handle id = dataset(file_, "observations", H5T_STD_U8LE, observation_dims(claimed_));
        id.valid()) {
      fill(id, H5T_NATIVE_INT64, numbers(episodes_ * 4 * static_cast<size_t>(world_->size())));
    }
    if (const Handle id = dataset(file_, "program", H5T_STD_I32LE, {claimed_}); id.valid()) {
      std::vector<int64_t> indices(episodes_);
      for (int64_t& index : indices) index = odd() ? choices_.ConsumeIntegral<int32_t>() : 0;
      fill(id, H5T_NATIVE_INT64, indices);
    }
  }

  void build_release() {
    const std::string_view world = world_->name();
    Dims grids = observation_dims(0);
    grids.erase(grids.begin());
    if (world != "imaging") grids[0] = 3;
    if (world == "arithmetic") grids = {3, 1, 6};
    for (hsize_t i = 0; i < episodes_; ++i) {
      const std::string name = text(fmt::format("sample_{}", i));
      const Handle sample(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
      if (!sample.valid()) continue;
      const auto cells = static_cast<size_t>(world_->size());
      if (const Handle id = dataset(sample, "grids", H5T_STD_I32LE, grids); id.valid()) {
        fill(id, H5T_NATIVE_INT64, numbers(grids[0] * cells));
      }
      if (const Handle id = dataset(sample, "answer", H5T_STD_I64LE, {grids.begin() + 1, grids.end()});
          id.valid()) {
        fill(id, H5T_NATIVE_INT64, numbers(cells));
      }
      text_attribute(sample, world == "arithmetic" ? "program" : "transitions", release_program(world));
    }
  }

  std::string release_program(std::string_view world) {
    if (world == "arithmetic") return "*2,*3";
    return fmt::format("[['{}', '{}']]", world_->primitives().front(), world_->primitives().back());
  }

  void truncate(const std::string& path) {
    std::error_code ignored;
    const auto size = std::filesystem::file_size(path, ignored);
    if (size > 0)
      std::filesystem::resize_file(path, choices_.ConsumeIntegralInRange<size_t>(0, size - 1), ignored);
  }

  FuzzedDataProvider choices_;
  const neo::World* world_ = nullptr;
  hsize_t episodes_ = 0;
  hsize_t claimed_ = 0;  // what the compact layout's shapes say
  Handle file_;
};

void read_everything(const std::string& path) {
  neo::EpisodeReader reader(path);
  const int64_t episodes = reader.info().episodes;
  REQUIRE(episodes >= 0);
  const int64_t some = std::min<int64_t>(episodes, 4);
  REQUIRE(reader.observations(0, some).size() == static_cast<size_t>(some * 4 * reader.world().size()));
  for (int32_t index : reader.program_indices(0, some)) {
    REQUIRE(index >= 0 && static_cast<size_t>(index) < reader.info().programs.size());
  }
  for (int64_t i : {int64_t{0}, episodes - 1}) {
    for (int primitive : reader.episode(i).program) {
      REQUIRE(primitive >= 0 && static_cast<size_t>(primitive) < reader.world().primitives().size());
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  static const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("fuzz-{}.h5", getpid())).string();
  try {
    FileBuilder(data, size).build(path);
    read_everything(path);
  } catch (const neo::Error& error) {
    REQUIRE(std::strchr(error.what(), '\n') == nullptr);
  }
  std::filesystem::remove(path);
  return 0;
}
