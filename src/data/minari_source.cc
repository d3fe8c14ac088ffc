#include "data/minari_source.h"

#include <algorithm>
#include <charconv>

#include "core/error.h"
#include "core/text.h"
#include "data/h5.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

constexpr int kMostFieldDepth = 8;
constexpr hsize_t kMostFields = 1024, kMostEpisodes = hsize_t{1} << 26;
constexpr int64_t kEpisodeBlock = 1 << 17;     // numbers read at a time
constexpr int64_t kMostStepNumbers = 1 << 16;  // an observation has no more
constexpr int64_t kMostSteps = int64_t{1} << 40;
constexpr std::string_view kEpisode = "episode_";

std::vector<std::string> link_names(hid_t group, hsize_t most, const std::string& path) {
  H5G_info_t info{};
  if (H5Gget_info(group, &info) < 0 || info.nlinks > most)
    fail("cannot read {}: it has too many entries", path);
  std::vector<std::string> names;
  H5Literate(
      group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr,
      [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
        static_cast<std::vector<std::string>*>(to)->emplace_back(name);
        return 0;
      },
      &names);
  return names;
}

std::vector<int64_t> episode_numbers(hid_t file, const std::string& path) {
  std::vector<int64_t> numbers;
  for (const std::string& name : link_names(file, kMostEpisodes, path)) {
    int64_t number = -1;
    if (!name.starts_with(kEpisode)) continue;
    const auto [end, failure] =
        std::from_chars(name.data() + kEpisode.size(), name.data() + name.size(), number);
    if (failure == std::errc() && end == name.data() + name.size() && number >= 0) numbers.push_back(number);
  }
  std::ranges::sort(numbers);
  return numbers;
}

// One array of observations [steps, ...].
struct StepArray {
  std::string name;  // "image", "agent/position"; empty: `observations` itself
  std::vector<int64_t> shape;
  int64_t numbers() const {
    double total = 1;
    for (size_t d = 1; d < shape.size(); ++d) total *= static_cast<double>(shape[d]);
    return static_cast<int64_t>(std::min(total, 1e15));
  }
  bool is_possible() const { return !shape.empty() && shape.size() <= 4 && shape[0] > 0 && numbers() >= 1; }
  bool is_too_large() const { return numbers() > kMostStepNumbers; }
  int64_t usable_numbers() const { return is_too_large() ? 0 : numbers(); }
};

bool holds_numbers(hid_t dataset) {
  const H5T_class_t type = h5::element_class(dataset);
  return type == H5T_INTEGER || type == H5T_FLOAT;
}

void find_arrays(hid_t group, const std::string& prefix, int depth, const std::string& path,
                 std::vector<StepArray>& found) {
  if (depth > kMostFieldDepth || found.size() > kMostFields)
    fail("cannot read {}: its observations are nested too deeply", path);
  for (const std::string& name : link_names(group, kMostFields, path)) {
    const h5::Handle dataset = h5::dataset(group, name.c_str());
    if (dataset.valid()) {
      StepArray array{prefix + name, h5::dimensions(dataset)};
      if (holds_numbers(dataset) && array.is_possible()) found.push_back(std::move(array));
    } else if (const h5::Handle inner = h5::group(group, name.c_str()); inner.valid()) {
      find_arrays(inner, prefix + name + "/", depth + 1, path, found);
    }
  }
}

// `name`: a path of groups that ends in a dataset.
h5::Handle open_field(hid_t group, std::string_view name) {
  const size_t slash = name.find('/');
  const std::string first(name.substr(0, slash));
  if (slash == std::string_view::npos) return h5::dataset(group, first.c_str());
  const h5::Handle inner = h5::group(group, first.c_str());
  return inner.valid() ? open_field(inner, name.substr(slash + 1)) : h5::Handle();
}

class MinariSource : public PairSource {
 public:
  MinariSource(const fs::path& path, std::string field, const Lags& lags)
      : path_(path), field_(std::move(field)), lags_(lags), file_(h5::open_file(path)) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    if (!file_.valid()) fail("cannot read {}: it is no HDF5 file, or it is cut short", path.string());
    episodes_ = episode_numbers(file_, path.string());
    if (episodes_.empty()) fail("{} holds no episodes", path.string());
    choose_field();
  }

  void visit(const PairVisitor& visitor) override {
    TrajectoryPairs pairs(lags_, visitor);
    for (int64_t number : episodes_) read_episode(number, pairs);
    pairs.require_pairs(path_.string(), "episode", "record longer ones");
  }
  std::vector<fs::path> files() const override { return {path_}; }
  std::vector<std::string> notes() const override { return notes_; }

 private:
  [[noreturn]] void bad(int64_t episode, const std::string& why) const {
    fail("cannot read {}: episode_{} {}; record it again, or leave it out", path_.string(), episode, why);
  }
  h5::Handle open_episode(int64_t number) const {
    h5::Handle episode = h5::group(file_, fmt::format("{}{}", kEpisode, number).c_str());
    if (!episode.valid()) bad(number, "is no group");
    return episode;
  }

  // By the first episode; "observations" itself, or the largest array in it.
  void choose_field() {
    const h5::Handle episode = open_episode(episodes_[0]);
    if (h5::dataset(episode, "observations").valid()) {
      if (!field_.empty())
        fail_usage("{} has one array of observations and no fields to choose from; leave out --field",
                   path_.string());
      name_ = "observations";
      return;
    }
    const h5::Handle group = h5::group(episode, "observations");
    if (!group.valid()) bad(episodes_[0], "has no observations");
    std::vector<StepArray> arrays;
    find_arrays(group, "", 0, path_.string(), arrays);
    if (arrays.empty()) bad(episodes_[0], "has no observations that are arrays of numbers");
    std::ranges::sort(arrays, {}, &StepArray::name);
    const auto listed = [&] {
      std::vector<std::string> names;
      for (const StepArray& array : arrays) names.push_back(array.name);
      return printable(fmt::format("{}", fmt::join(names, ", ")), 300);
    };
    auto chosen = std::ranges::find(arrays, field_, &StepArray::name);
    if (field_.empty()) chosen = std::ranges::max_element(arrays, {}, &StepArray::usable_numbers);
    if (chosen == arrays.end())
      fail_usage("{} has no observations '{}'; one of: {}", path_.string(), printable(field_), listed());
    name_ = "observations/" + chosen->name;
    if (field_.empty() && arrays.size() > 1)
      notes_.push_back(fmt::format("of {} the observations '{}' were taken; --field chooses others", listed(),
                                   printable(chosen->name)));
  }

  std::vector<int64_t> read_actions(hid_t episode, int64_t steps) const {
    const h5::Handle actions = h5::dataset(episode, "actions");
    if (!actions.valid() || !h5::is_integer(actions)) return {};
    const auto dims = h5::dimensions(actions);
    if (dims.size() != 1 || dims[0] < steps - 1 || dims[0] > steps) return {};
    std::vector<int64_t> values(static_cast<size_t>(dims[0]));
    if (!values.empty() &&
        !h5::read_rows(actions, H5T_NATIVE_INT64, 0, {static_cast<hsize_t>(dims[0])}, values.data()))
      return {};
    return values;
  }

  void read_episode(int64_t number, TrajectoryPairs& pairs) const {
    const h5::Handle episode = open_episode(number);
    const h5::Handle observations = open_field(episode, name_);
    if (!observations.valid() || !holds_numbers(observations))
      bad(number, fmt::format("has no numbers in {}", printable(name_)));
    const StepArray array{name_, h5::dimensions(observations)};
    if (!array.is_possible() || array.shape[0] > kMostSteps)
      bad(number, "has observations of a shape that cannot be");
    if (array.is_too_large())
      fail("{}: its observations of {} are too large; images go up to 128x128, so resize them and record again",
           path_.string(), fmt::join(array.shape.begin() + 1, array.shape.end(), "x"));
    const std::vector<int64_t> actions = read_actions(episode, array.shape[0]);
    pairs.begin();
    RawValue value;
    value.is_real = !h5::is_integer(observations);
    value.is_byte = is_bytes(observations);
    const int64_t block = std::max<int64_t>(1, kEpisodeBlock / array.numbers());
    std::vector<double> numbers;
    for (int64_t begin = 0; begin < array.shape[0]; begin += block) {
      const int64_t count = std::min(block, array.shape[0] - begin);
      std::vector<hsize_t> dims(array.shape.begin(), array.shape.end());
      dims[0] = static_cast<hsize_t>(count);
      numbers.resize(static_cast<size_t>(count * array.numbers()));
      if (!h5::read_rows(observations, H5T_NATIVE_DOUBLE, begin, dims, numbers.data()))
        bad(number, "is damaged, or compressed in a way that this program does not know");
      for (int64_t i = 0; i < count; ++i) {
        set_value(value, array, numbers.data() + i * array.numbers());
        value.at = {&path_, "step", begin + i + 1, number};
        const auto step = static_cast<size_t>(begin + i);
        pairs.add(value, step < actions.size() ? fmt::to_string(actions[step]) : "");
      }
    }
  }

  static void set_value(RawValue& value, const StepArray& array, const double* numbers) {
    value.shape.assign(array.shape.begin() + 1, array.shape.end());
    value.values.assign(numbers, numbers + array.numbers());
    if (!value.shape.empty()) return;
    value.text = value.is_real ? fmt::to_string(numbers[0]) : fmt::format("{:.0f}", numbers[0]);
  }
  static bool is_bytes(hid_t dataset) {
    const h5::Handle type(H5Dget_type(dataset), H5Tclose);
    return h5::is_integer(dataset) && H5Tget_size(type) == 1 && H5Tget_sign(type) == H5T_SGN_NONE;
  }

  fs::path path_;
  std::string field_;
  Lags lags_;
  h5::Handle file_;
  std::vector<int64_t> episodes_;
  std::string name_;  // of the observations within an episode
  std::vector<std::string> notes_;
};

}  // namespace

bool is_minari_file(const fs::path& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const h5::Handle file = h5::open_file(path);
  return file.valid() && !episode_numbers(file, path.string()).empty();
}

std::unique_ptr<PairSource> open_minari(const fs::path& path, const std::string& field, const Lags& lags) {
  return std::make_unique<MinariSource>(path, field, lags);
}

}  // namespace neo
