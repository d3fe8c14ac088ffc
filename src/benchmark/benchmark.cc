#include "benchmark/benchmark.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.h"
#include "core/text.h"

namespace neo {

void check_request(const DataRequest& request) {
  if (!(request.alpha >= 0.0 && request.alpha <= 1.0))
    fail_usage("alpha is {}, but it is a share of the programs: choose a value from 0 to 1", request.alpha);
  if (request.profile != "otib" && request.profile != "length" && request.profile != "pretraining")
    fail_usage("unknown profile '{}'; the profiles are: otib, length, pretraining",
               printable(request.profile));
  if (request.episodes < 0)
    fail_usage("--episodes {} is negative; leave it out for the paper's number", request.episodes);
}

std::vector<std::string> Benchmark::splits(double alpha) const {
  if (alpha < 1.0) return {"id", "comp", "length"};
  return {"id", "length"};
}

void Benchmark::add_to_digest(const Episode& episode, Sha256& hash) const {
  for (const auto* o : {&episode.support_x, &episode.support_y, &episode.query_x, &episode.query_y})
    hash.update(*o);
}

std::string Benchmark::fetch(const std::string& fetched, const std::filesystem::path&) const {
  fail_usage("{} needs no '{}'", name(), printable(fetched));
}

const nlohmann::json& Benchmark::published() const {
  static const nlohmann::json nothing{{"figures", nlohmann::json::array()},
                                      {"ablations", nlohmann::json::array()},
                                      {"cost", nlohmann::json::array()}};
  return nothing;
}

std::optional<double> Benchmark::mean_training_length(double alpha) const {
  const auto programs = training_programs(alpha);
  double total = 0;
  for (const Program& program : programs) total += static_cast<double>(program.size());
  return total / static_cast<double>(programs.size());
}

double Benchmark::primitives_shown(double alpha) const {
  const auto programs = training_programs(alpha);
  const auto single = std::ranges::count_if(programs, [](const Program& p) { return p.size() == 1; });
  return static_cast<double>(single) / static_cast<double>(primitives().size());
}

std::optional<Observation> Benchmark::run(const Program& program, ObservationView input) const {
  std::optional<Observation> state(Observation(input.begin(), input.end()));
  for (int primitive : program) {
    state = apply(primitive, *state);
    if (!state) return std::nullopt;
  }
  return state;
}

std::string Benchmark::program_text(const Program& program) const {
  std::string text;
  for (int primitive : program) {
    if (!text.empty()) text += ' ';
    text += primitives().at(static_cast<size_t>(primitive));
  }
  return text;
}

Program Benchmark::parse_program(std::string_view text) const {
  Program program;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const auto found = std::find(primitives().begin(), primitives().end(), word);
    if (found == primitives().end()) {
      fail("{} has no primitive called '{}'; it has: {}", name(), printable(word),
           fmt::join(primitives(), ", "));
    }
    program.push_back(static_cast<int>(found - primitives().begin()));
  }
  return program;
}

Episode Benchmark::sample(int64_t length, uint64_t seed, Inputs inputs) const {
  constexpr int kTries = 1000;
  RngStream random(seed, "samples");
  const auto programs = sample_programs(std::clamp<int64_t>(length, 1, longest_sample()));
  const auto draw = [&] {
    return inputs == Inputs::display ? display_input(random) : sample_input(random);
  };
  for (int attempt = 0; attempt < kTries; ++attempt) {
    Episode episode;
    episode.program = programs[random.below(programs.size())];
    episode.support_x = draw();
    episode.query_x = draw();
    auto support_y = run(episode.program, episode.support_x);
    auto query_y = run(episode.program, episode.query_x);
    if (!support_y || !query_y || episode.support_x == episode.query_x) continue;
    episode.support_y = std::move(*support_y);
    episode.query_y = std::move(*query_y);
    return episode;
  }
  fail("no sample of {} with a program of length {} found; try a shorter one", name(), length);
}

}  // namespace neo
