// An HDF5 file of pairs, ours or in the official release's layout, with faults where the input says so.

#include <unistd.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "data/pair_file.h"
#include "h5_builder.h"
#include "require.h"

namespace {

using neo::Kind;
using neo::Layout;
using neo::Space;

class PairFileBuilder : public H5Builder {
 public:
  using H5Builder::H5Builder;

  void build(const std::string& path) {
    create(path);
    const Space spaces[] = {{.layout = Layout::grid, .shape = {3, 2}, .values = {6}},
                            {.layout = Layout::number, .shape = {4}, .values = {10}},
                            {.kind = Kind::pixels, .layout = Layout::image, .shape = {2, 2, 3}},
                            {.kind = Kind::real, .layout = Layout::vector, .shape = {3}},
                            {.layout = Layout::sequence, .shape = {3}, .values = {1000}}};
    space_ = spaces[choices_.ConsumeIntegralInRange<size_t>(0, 4)];
    pairs_ = choices_.ConsumeIntegralInRange<hsize_t>(1, 4);
    claimed_ = odd() ? huge() : pairs_;
    choices_.ConsumeBool() ? build_release() : build_own();
    close(path);
  }

 private:
  Dims observation_dims(hsize_t first) const {
    Dims shape{first};
    for (int64_t extent : space_.shape) shape.push_back(static_cast<hsize_t>(extent));
    return shape;
  }
  int64_t limit() const { return space_.kind == Kind::real ? 100 : space_.most_values(); }

  void build_own() {
    text_attribute(file_, "format", "neo-pairs");
    neo::h5::write_number(file_, "version", odd() ? choices_.ConsumeFloatingPoint<double>() : 2.0);
    nlohmann::json meta{{"space", neo::to_json(space_)},
                        {"split", "id"},
                        {"source", ""},
                        {"benchmark", ""},
                        {"alpha", 0.5},
                        {"grouped", true},
                        {"programs", {"up", "up left"}},
                        {"digest", "00"}};
    if (odd()) meta.erase(choices_.PickValueInArray({"space", "programs", "alpha", "grouped"}));
    if (odd())
      meta["space"]["shape"] = {choices_.ConsumeIntegral<int64_t>(), choices_.ConsumeIntegral<int64_t>()};
    if (odd()) meta["space"]["values"] = {choices_.ConsumeIntegral<int64_t>()};
    const std::string description = text(meta.dump());
    if (const Handle id = dataset(file_, "meta", H5T_STD_U8LE, {description.size()}); id.valid())
      fill(id, H5T_NATIVE_CHAR, std::vector<char>(description.begin(), description.end()));
    for (const char* part : {"main", "held_out"}) {
      const Handle folder = group(file_, text(part));
      if (folder.valid()) build_part(folder);
    }
  }

  void build_part(hid_t folder) {
    const hid_t stored = space_.element() == neo::Element::f32   ? H5T_IEEE_F32LE
                         : space_.element() == neo::Element::u16 ? H5T_STD_U16LE
                                                                 : H5T_STD_U8LE;
    for (const char* name : {"x", "y"}) {
      if (const Handle id = dataset(folder, name, stored, observation_dims(claimed_)); id.valid())
        fill(id, H5T_NATIVE_INT64, numbers(pairs_ * static_cast<size_t>(space_.size()), limit()));
    }
    for (const char* name : {"group", "program"}) {
      if (const Handle id = dataset(folder, name, H5T_STD_I32LE, {claimed_}); id.valid())
        fill(id, H5T_NATIVE_INT64, numbers(pairs_, 2));
    }
  }

  void build_release() {
    const bool is_number = space_.shape.size() == 1;
    Dims grids = observation_dims(space_.kind == Kind::pixels ? 4 : 3);
    if (is_number) grids.insert(grids.begin() + 1, 1);
    for (hsize_t i = 0; i < pairs_; ++i) {
      const Handle sample = group(file_, text(fmt::format("sample_{}", i)));
      if (!sample.valid()) continue;
      const auto cells = static_cast<size_t>(space_.size());
      if (const Handle id = dataset(sample, "grids", H5T_STD_I32LE, grids); id.valid())
        fill(id, H5T_NATIVE_INT64, numbers(grids[0] * cells, std::min<int64_t>(limit(), 10)));
      if (const Handle id = dataset(sample, "answer", H5T_STD_I64LE, {grids.begin() + 1, grids.end()});
          id.valid())
        fill(id, H5T_NATIVE_INT64, numbers(cells, std::min<int64_t>(limit(), 10)));
      text_attribute(sample, is_number ? "program" : "transitions",
                     is_number ? "*2,*3" : "[['up', 'left'], []]");
    }
  }

  Space space_;
  hsize_t pairs_ = 0;
  hsize_t claimed_ = 0;  // what the shapes say
};

void read_everything(const std::string& path) {
  neo::PairReader reader(path);
  const neo::PairFileInfo& info = reader.info();
  for (neo::Part part : {neo::Part::main, neo::Part::held_out}) {
    const int64_t count = reader.count(part);
    REQUIRE(count >= 0);
    const int64_t some = std::min<int64_t>(count, 4);
    const neo::PairBlock block = reader.read(part, 0, some);
    REQUIRE(block.x.size() == static_cast<size_t>(some * info.space.bytes()));
    REQUIRE(block.y.size() == block.x.size());
    for (int32_t index : block.program)
      REQUIRE(index >= -1 && index < static_cast<int32_t>(info.programs.size()));
    if (count > 0) reader.pair(part, count - 1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  neo::h5::open_without_child();
  static const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("fuzz-{}.h5", getpid())).string();
  try {
    FuzzedDataProvider choices(data, size);
    PairFileBuilder(choices).build(path);
    read_everything(path);
  } catch (const neo::Error& error) {
    REQUIRE(std::strchr(error.what(), '\n') == nullptr);
  }
  std::filesystem::remove(path);
  return 0;
}
