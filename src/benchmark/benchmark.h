#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "core/rng.h"
#include "data/pair_file.h"

namespace neo {

// A true (hidden) program: indices into a benchmark's primitives, in order of execution.
using Program = std::vector<int>;

// Two pairs (x, y) made by the same hidden program.
struct Episode {
  Observation support_x, support_y, query_x, query_y;
  Program program;
};

// Receives generated episodes, in order.
using EpisodeSink = std::function<void(const Episode&)>;

// The data to generate. Profiles: "otib" gives train, id and (for alpha < 1) comp; "length" gives length;
// "pretraining" gives pretrain and pretrain-test.
struct DataRequest {
  double alpha = 1.0;  // share of the short programs that occur in training
  std::string profile = "otib";
  // Only the first N episodes of each split, equal to those of the full split; of a benchmark that counts
  // per program: N of each. 0: the benchmark's own numbers.
  int64_t episodes = 0;
  bool fast_sampling = false;  // own random numbers and all cores, where a benchmark offers that
  uint64_t seed = 42;          // of fast sampling
  std::filesystem::path pictures = "data/cifar10";  // where a benchmark that needs photographs finds them
};
void check_request(const DataRequest& request);  // throws UsageError

// Called once per split, in order, with the number of episodes to expect; returns a sink for them, empty if
// the split is not wanted.
using OpenSplit = std::function<EpisodeSink(const std::string& split, int64_t expected)>;

// A row of the ablation table: a preset with some settings changed.
struct Ablation {
  std::string name;  // also the end of its run folder's name
  std::string title;
  std::string preset;  // reproduced with the preset that its name begins with: fast-rollout with fast
  double alpha = 0.33;
  std::vector<std::string> settings;  // "key=value"
};

// How a split is evaluated where the benchmark prescribes that.
struct Protocol {
  std::optional<int64_t> steps;  // K
  std::optional<double> lambda;  // MDL coefficient
};

// What a benchmark knows beyond the pairs: its hidden primitives, splits, generators, samples and published
// figures. Own data have none of this; no model ever sees it.
class Benchmark {
 public:
  virtual ~Benchmark() = default;
  virtual std::string_view name() const = 0;   // in commands and file names: "toy"
  virtual std::string_view title() const = 0;  // human-readable: "Toy"
  virtual const Space& space() const = 0;

  // The hidden primitives.
  virtual const std::vector<std::string>& primitives() const = 0;
  // One of them; nullopt where the primitive does not apply.
  virtual std::optional<Observation> apply(int primitive, ObservationView input) const = 0;

  // Data. Throws UsageError on a bad request, before a split is opened.
  virtual void generate(const DataRequest& request, const OpenSplit& open) const = 0;
  virtual std::vector<std::string> splits(double alpha) const;  // to evaluate on: id, comp, length
  virtual Protocol protocol(const std::string& /*split*/) const { return {}; }
  // Adds an episode as the official release's content is hashed.
  virtual void add_to_digest(const Episode& episode, Sha256& hash) const;
  // DataRequest::episodes for a split that a command needs and does not find; 0: all.
  virtual int64_t default_episodes(const std::string& /*split*/) const { return 0; }
  // Whether training draws new episodes for every pass instead of reading them from a file.
  virtual bool samples_in_memory() const { return false; }
  // What it needs from the network, by the names that `neo data fetch` knows.
  virtual std::vector<std::string> fetchable() const { return {}; }
  // Downloads it into `folder`; returns a sentence that states its source.
  virtual std::string fetch(const std::string& name, const std::filesystem::path& folder) const;

  // Samples to try a theory on.
  virtual int64_t longest_sample() const = 0;  // of its hidden programs
  virtual std::vector<Program> sample_programs(int64_t length) const = 0;  // of exactly that length
  // From any thread; the same on every machine.
  virtual Observation sample_input(RngStream& random) const = 0;
  // One that is nicer to look at, where this machine has such.
  virtual Observation display_input(RngStream& random) const { return sample_input(random); }

  // For tables. Published figures as in published.json of the benchmark's folder: "figures", "ablations" and
  // "cost", each a list.
  virtual const nlohmann::json& published() const;
  virtual std::vector<Ablation> ablations() const { return {}; }
  // Notes for readers of the results; whole sentences.
  virtual std::vector<std::string> notes() const { return {}; }
  // The split on which the temperature of NEO-S is swept; nothing: nowhere.
  virtual std::optional<std::string> temperature_sweep_split() const { return std::nullopt; }
  virtual int64_t paper_batch() const { return 128; }  // episodes per batch in the paper's cost table
  virtual std::vector<Program> training_programs(double alpha) const = 0;
  // The mean length of hidden programs in training, where all are equally frequent.
  virtual std::optional<double> mean_training_length(double alpha) const;
  // The share of the primitives that occur alone in training.
  double primitives_shown(double alpha) const;

  std::optional<Observation> run(const Program& program, ObservationView input) const;
  std::string program_text(const Program& program) const;  // "move_up move_left"
  Program parse_program(std::string_view text) const;      // the inverse; throws Error
  // Two random pairs of one hidden program of `length` steps. The same seed gives the same episode, on every
  // machine unless the inputs are for display.
  enum class Inputs { reproducible, display };
  Episode sample(int64_t length, uint64_t seed, Inputs inputs = Inputs::reproducible) const;
};

// All of them, in the order of tables. A new one is a folder beside this file and a line in benchmarks.cc.
const std::vector<const Benchmark*>& benchmarks();
std::vector<std::string> benchmark_names();
const Benchmark* find_benchmark(std::string_view name);   // null: none of that name, own data
const Benchmark& benchmark_named(std::string_view name);  // a UsageError lists them

// What `neo data fetch NAME` knows: the names of all benchmarks together.
std::vector<std::string> fetchable_names();
// Into `folder`, by default data/<name>. A UsageError lists the names.
std::string fetch_data(const std::string& name, std::filesystem::path folder = {});

}  // namespace neo
