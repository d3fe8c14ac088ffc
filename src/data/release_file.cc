#include "data/release_file.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "core/error.h"
#include "data/h5.h"

namespace neo {
namespace {

constexpr int64_t kMostSamples = int64_t{1} << 30;

h5::Handle open_sample(hid_t file, int64_t index) {
  return h5::group(file, fmt::format("sample_{}", index).c_str());
}

// "[['up', 'left'], []]" or "*2,*3": a list of names among punctuation.
std::string plain_program(std::string text) {
  for (char& c : text) {
    if (std::string_view("[]',\"").find(c) != std::string_view::npos) c = ' ';
  }
  std::istringstream words(text);
  std::string program;
  for (std::string word; words >> word;) program += (program.empty() ? "" : " ") + word;
  return program;
}

}  // namespace

ReleaseFile::ReleaseFile(hid_t file, std::string path) : file_(file), path_(std::move(path)) {
  H5G_info_t group{};
  H5Gget_info(file_, &group);
  samples_ = static_cast<int64_t>(group.nlinks);
  if (samples_ > kMostSamples) corrupt(0, "is one of too many");
  recognise_space();
  read_programs();
  info_.split = "release";
  info_.source = "the official release";
  info_.grouped = true;
  info_.pairs = 2 * samples_;
}

void ReleaseFile::corrupt(int64_t sample, const std::string& why) const {
  fail("cannot read {}: sample_{} {}; expected a file of neo or of the official release", path_, sample, why);
}

void ReleaseFile::recognise_space() {
  const h5::Handle sample = open_sample(file_, 0);
  const h5::Handle grids = sample.valid() ? h5::dataset(sample, "grids") : h5::Handle();
  if (!grids.valid() || !h5::is_integer(grids))
    fail(
        "cannot read {}: it holds neither neo's own pairs nor episodes of Minari nor the official release; save other "
        "arrays as x and y with np.savez, and import that",
        path_);
  grids_ = h5::dimensions(grids);
  Space& space = info_.space;
  if (grids_.size() == 4 && grids_[0] == 4) {
    space = {.kind = Kind::pixels, .layout = Layout::image, .shape = {grids_[1], grids_[2], grids_[3]}};
  } else if (grids_.size() == 3 && grids_[0] == 3 && grids_[1] == 1) {
    space = {.layout = Layout::number, .shape = {grids_[2]}, .values = {10}};
  } else if (grids_.size() == 3 && grids_[0] == 3) {
    space = {.layout = Layout::grid, .shape = {grids_[1], grids_[2]}, .values = {256}};
  } else {
    corrupt(0, "has a shape that the release does not use");
  }
  check_space(space, path_);
  if (space.layout != Layout::grid) return;
  int64_t most = 0;  // how many colours there are, only the data tell
  for (int64_t i = 0; i < samples_; ++i) most = std::max(most, std::ranges::max(read_sample(i)));
  space.values = {most + 1};
}

void ReleaseFile::read_programs() {
  std::map<std::string, int32_t> index_of;
  for (int64_t i = 0; i < samples_; ++i) {
    const h5::Handle sample = open_sample(file_, i);
    std::string text;
    if (!sample.valid()) corrupt(i, "is missing");
    if (!h5::read_text(sample, "transitions", text) && !h5::read_text(sample, "program", text))
      corrupt(i, "has no program");
    const std::string program = plain_program(text);
    const auto [entry, is_new] = index_of.try_emplace(program, static_cast<int32_t>(info_.programs.size()));
    if (is_new) info_.programs.push_back(program);
    programs_.push_back(entry->second);
  }
}

std::vector<int64_t> ReleaseFile::read_sample(int64_t index) const {
  const h5::Handle sample = open_sample(file_, index);
  if (!sample.valid()) corrupt(index, "is missing");
  const auto size = static_cast<size_t>(info_.space.size());
  std::vector<int64_t> values(4 * size);
  const h5::Handle grids = h5::dataset(sample, "grids");
  if (!grids.valid() || !h5::is_integer(grids) || h5::dimensions(grids) != grids_ ||
      H5Dread(grids, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    corrupt(index, "has damaged grids");
  }
  if (grids_[0] == 3) {
    const h5::Handle answer = h5::dataset(sample, "answer");
    const std::vector<int64_t> expected(grids_.begin() + 1, grids_.end());
    if (!answer.valid() || !h5::is_integer(answer) || h5::dimensions(answer) != expected ||
        H5Dread(answer, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data() + 3 * size) < 0) {
      corrupt(index, "has a damaged answer");
    }
  }
  const int64_t limit = info_.space.most_values();
  if (std::any_of(values.begin(), values.end(), [limit](int64_t v) { return v < 0 || v >= limit; }))
    corrupt(index, fmt::format("has a value outside 0..{}", limit - 1));
  return values;
}

PairBlock ReleaseFile::read(int64_t begin, int64_t count) const {
  const auto size = info_.space.size();
  PairBlock block{.count = count};
  block.x.reserve(static_cast<size_t>(count * size));
  block.y.reserve(static_cast<size_t>(count * size));
  std::vector<int64_t> values;
  for (int64_t i = begin; i < begin + count; ++i) {
    if (values.empty() || i % 2 == 0) values = read_sample(i / 2);
    const auto part = values.begin() + 2 * (i % 2) * size;
    block.x.insert(block.x.end(), part, part + size);
    block.y.insert(block.y.end(), part + size, part + 2 * size);
    block.group.push_back(static_cast<int32_t>(i / 2));
    block.program.push_back(programs_[static_cast<size_t>(i / 2)]);
  }
  return block;
}

PairLabels ReleaseFile::labels() const {
  PairLabels labels;
  for (int64_t i = 0; i < info_.pairs; ++i) {
    labels.group.push_back(static_cast<int32_t>(i / 2));
    labels.program.push_back(programs_[static_cast<size_t>(i / 2)]);
  }
  return labels;
}

}  // namespace neo
