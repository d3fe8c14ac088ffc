#include "benchmark/imaging/imaging.h"

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>

#include "benchmark/imaging/cifar.h"
#include "benchmark/imaging/edits.h"
#include "benchmark/imaging/generator.h"
#include "benchmark/imaging/landscape.h"
#include "benchmark/imaging/programs.h"
#include "core/embedded.h"
#include "core/error.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

constexpr const char* kPhotographs = "cifar10";  // for `neo data fetch`

// The test photographs in data/cifar10 of the current folder, read once; empty while they are not there.
std::shared_ptr<const ImageSet> sample_photographs() {
  static std::mutex mutex;
  static auto images = std::make_shared<const ImageSet>();
  const std::scoped_lock lock(mutex);
  const fs::path folder = DataRequest{}.pictures;
  if (images->count() == 0 && fs::exists(folder / "test_batch.bin"))
    images = std::make_shared<const ImageSet>(load_cifar10_test(folder));
  return images;
}

class Imaging : public Benchmark {
 public:
  std::string_view name() const override { return "imaging"; }
  std::string_view title() const override { return "Imaging"; }
  const Space& space() const override {
    static const Space image{.kind = Kind::pixels, .layout = Layout::image, .shape = {32, 32, 3}};
    return image;
  }

  const std::vector<std::string>& primitives() const override { return edit_names(); }
  std::optional<Observation> apply(int primitive, ObservationView input) const override {
    NEO_CHECK_LE(0, primitive);
    NEO_CHECK_LT(primitive, kEdits);
    Observation edited(input.size());
    apply_edit(static_cast<Edit>(primitive), input, edited);
    return edited;
  }

  void generate(const DataRequest& request, const OpenSplit& open) const override {
    generate_imaging(request, open);
  }
  Protocol protocol(const std::string& split) const override {
    if (split == "length") return {.steps = 6, .lambda = 1.0};
    return {.steps = 3, .lambda = std::nullopt};
  }
  // The benchmark's splits are gigabytes; the same sampling with fewer episodes per program will do.
  int64_t default_episodes(const std::string& split) const override {
    if (split == "pretrain" || split == "pretrain-test") return 1'116;
    return split == "length" ? 20 : 250;
  }
  bool samples_in_memory() const override { return true; }
  std::vector<std::string> fetchable() const override { return {kPhotographs}; }
  std::string fetch(const std::string& wanted, const fs::path& folder) const override {
    return wanted == kPhotographs ? fetch_cifar10(folder) : Benchmark::fetch(wanted, folder);
  }

  int64_t longest_sample() const override { return 4; }
  std::vector<Program> sample_programs(int64_t length) const override {
    return imaging_programs(static_cast<int>(length), static_cast<int>(length));
  }
  Observation sample_input(RngStream& random) const override { return paint_landscape(random.next64()); }
  Observation display_input(RngStream& random) const override {
    const auto photographs = sample_photographs();
    if (photographs->count() == 0) return sample_input(random);
    const auto count = static_cast<uint64_t>(photographs->count());
    const auto image = photographs->image(static_cast<int64_t>(random.below(count)));
    return {image.begin(), image.end()};
  }

  const nlohmann::json& published() const override {
    static const auto figures = nlohmann::json::parse(embedded_file("imaging/published.json"));
    return figures;
  }
  std::vector<std::string> notes() const override {
    return {
        "Imaging has a beam of 24 states instead of NEO-S, and is evaluated on fewer episodes per program "
        "than the benchmark has (`docs/imaging.md`)."};
  }
  int64_t paper_batch() const override { return 64; }
  std::vector<Program> training_programs(double alpha) const override {
    return split_imaging_programs(alpha).in_distribution;
  }
};

}  // namespace

const Benchmark& imaging() {
  static const Imaging benchmark;
  return benchmark;
}

}  // namespace neo
