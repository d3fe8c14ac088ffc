#include "worlds/release_file.h"

#include <algorithm>

#include "core/error.h"
#include "worlds/episode_digest.h"
#include "worlds/h5.h"

namespace neo {
namespace {

h5::Handle open_sample(hid_t file, int64_t index) {
  const std::string name = fmt::format("sample_{}", index);
  if (H5Lexists(file, name.c_str(), H5P_DEFAULT) <= 0) return {};
  return {H5Gopen2(file, name.c_str(), H5P_DEFAULT), H5Gclose};
}

// Shape of `grids` in each world; Imaging repeats the answer as its fourth grid.
std::vector<int64_t> grids_shape(const World& world) {
  if (&world == &arithmetic()) return {3, 1, 6};
  std::vector<int64_t> shape = world.shape();
  shape.insert(shape.begin(), &world == &imaging() ? 4 : 3);
  return shape;
}

const char* program_attribute(const World& world) {
  return &world == &arithmetic() ? "program" : "transitions";
}

}  // namespace

ReleaseFile::ReleaseFile(hid_t file, std::string path) : file_(file), path_(std::move(path)) {
  recognise_world();
  H5G_info_t group{};
  H5Gget_info(file_, &group);
  info_.world = world_->name();
  info_.split = "release";
  info_.generator = "release";
  info_.episodes = static_cast<int64_t>(group.nlinks);
  read_programs();
}

void ReleaseFile::corrupt(int64_t sample, const std::string& why) const {
  fail("cannot read {}: sample_{} {}; expected a file of `neo data make` or of the official release", path_,
       sample, why);
}

void ReleaseFile::recognise_world() {
  const h5::Handle sample = open_sample(file_, 0);
  const h5::Handle grids = sample.valid() ? h5::dataset(sample, "grids") : h5::Handle();
  if (!grids.valid() || !h5::is_integer(grids)) {
    fail(
        "cannot read {}: it holds no episodes; expected a file of `neo data make` or of the official release",
        path_);
  }
  const auto dims = h5::dimensions(grids);
  for (const World* candidate : {&gridworld(), &arithmetic(), &imaging()}) {
    if (grids_shape(*candidate) == dims) world_ = candidate;
  }
  if (world_ == nullptr) corrupt(0, "has a shape that no world has");
}

void ReleaseFile::read_programs() {
  std::map<Program, int32_t> index_of;
  for (int64_t i = 0; i < info_.episodes; ++i) {
    const h5::Handle sample = open_sample(file_, i);
    std::string text;
    if (!sample.valid()) corrupt(i, "is missing");
    if (!h5::read_text(sample, program_attribute(*world_), text)) corrupt(i, "has no program");
    const Program program = parse_release_program(*world_, text);
    const auto [entry, is_new] = index_of.try_emplace(program, static_cast<int32_t>(info_.programs.size()));
    if (is_new) info_.programs.push_back(program);
    indices_.push_back(entry->second);
  }
}

void ReleaseFile::read_sample(int64_t index, uint8_t* out) const {
  const h5::Handle sample = open_sample(file_, index);
  if (!sample.valid()) corrupt(index, "is missing");
  const auto size = static_cast<size_t>(world_->size());
  std::vector<int64_t> values(4 * size);
  const bool answer_within = grids_shape(*world_)[0] == 4;
  const h5::Handle grids = h5::dataset(sample, "grids");
  if (!grids.valid() || !h5::is_integer(grids) || h5::dimensions(grids) != grids_shape(*world_) ||
      H5Dread(grids, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    corrupt(index, "has damaged grids");
  }
  if (!answer_within) {
    const h5::Handle answer = h5::dataset(sample, "answer");
    auto expected = grids_shape(*world_);
    expected.erase(expected.begin());
    if (!answer.valid() || !h5::is_integer(answer) || h5::dimensions(answer) != expected ||
        H5Dread(answer, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data() + 3 * size) < 0) {
      corrupt(index, "has a damaged answer");
    }
  }
  const int64_t limit = world_->values();
  if (std::any_of(values.begin(), values.end(), [limit](int64_t v) { return v < 0 || v >= limit; })) {
    corrupt(index, fmt::format("has a value outside 0..{}", limit - 1));
  }
  std::copy(values.begin(), values.end(), out);
}

std::vector<uint8_t> ReleaseFile::observations(int64_t begin, int64_t count) const {
  const int64_t stride = 4 * world_->size();
  std::vector<uint8_t> bytes(static_cast<size_t>(count * stride));
  for (int64_t i = 0; i < count; ++i) read_sample(begin + i, bytes.data() + i * stride);
  return bytes;
}

std::vector<int32_t> ReleaseFile::program_indices(int64_t begin, int64_t count) const {
  return {indices_.begin() + begin, indices_.begin() + begin + count};
}

}  // namespace neo
