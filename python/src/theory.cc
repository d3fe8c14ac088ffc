#include "theory.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <mutex>

#include "arrays.h"
#include "core/config.h"
#include "explain/present.h"
#include "explain/program_text.h"
#include "long_call.h"
#include "neo/neo.h"
#include "view/panels.h"

namespace neo::python {
namespace {

// A theory is for one thread at a time, and calls are made without the GIL.
struct SharedTheory {
  Theory theory;
  std::mutex busy;
  explicit SharedTheory(Theory opened) : theory(std::move(opened)) {}

  // Calls `work` without the GIL, when no other thread uses the theory.
  template <typename Work>
  auto run(Work&& work) {
    nb::gil_scoped_release unlocked;
    const std::lock_guard alone(busy);
    return work(theory);
  }
};

// JSON that holds the numbers of observations, and these.
class Collected {
 public:
  WriteObservation writer() {
    return [this](ObservationView observation) {
      bytes_.insert(bytes_.end(), observation.begin(), observation.end());
      return nlohmann::json(count_++);
    };
  }
  nb::tuple with(const nlohmann::json& json, const Space& space) {
    return nb::make_tuple(json.dump(), to_numpy(space, std::move(bytes_), count_));
  }

 private:
  std::vector<uint8_t> bytes_;
  size_t count_ = 0;
};

Observation single(const Space& space, const Numbers& numbers) {
  auto observations = observations_of(space, numbers);
  if (observations.size() != 1) fail_usage("one observation is needed here, not {}", observations.size());
  return std::move(observations[0]);
}

Policy changed(Policy policy, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) set_assignment(policy, setting);
  check_policy(policy);
  return policy;
}

// Rows of pairs as the library keeps them.
std::vector<Pair> pairs_of(const Space& space, const Numbers& x, const Numbers& y,
                           const std::vector<int32_t>& group, const std::vector<std::string>& program) {
  const auto before = observations_of(space, x), after = observations_of(space, y);
  if (before.empty() || before.size() != after.size())
    fail_usage("pairs need as many x as y, and at least one; here are {} and {}", before.size(),
               after.size());
  std::vector<Pair> pairs(before.size());
  for (size_t i = 0; i < pairs.size(); ++i)
    pairs[i] = {before[i], after[i], group.empty() ? -1 : group.at(i), program.empty() ? "" : program.at(i)};
  return pairs;
}

// Those, with the benchmark and split that decide a policy.
struct GivenPairs {
  std::vector<Pair> pairs;
  std::string benchmark, split;
  Pairs load(const Space& space) const {
    Pairs loaded = to_pairs(split, space, pairs);
    loaded.benchmark = benchmark;
    return loaded;
  }
};

nb::tuple explain(SharedTheory& self, const Numbers& x, const Numbers& y,
                  const std::vector<std::string>& settings, int64_t alternatives, uint64_t seed) {
  const Space& space = self.theory.space();
  const Observation before = single(space, x), after = single(space, y);
  const Policy policy = changed(self.theory.policy(), settings);
  const Explanation found = self.run([&](const Theory& theory) {
    return theory.explain(before, after, policy, {.alternatives = alternatives, .seed = seed});
  });
  Collected collected;
  return collected.with(to_json(found, collected.writer()), space);
}

nb::tuple run_one(SharedTheory& self, const std::vector<int64_t>& program, const Numbers& x,
                  const std::optional<Numbers>& y) {
  const Space& space = self.theory.space();
  const Observation before = single(space, x);
  std::optional<Observation> after;
  if (y) after = single(space, *y);
  const ProgramRun found =
      self.run([&](const Theory& theory) { return theory.run(program, before, after ? &*after : nullptr); });
  Collected collected;
  return collected.with(to_json(found, collected.writer()), space);
}

nb::object run_batch(SharedTheory& self, const std::vector<int64_t>& program, const Numbers& x) {
  const Space& space = self.theory.space();
  auto rows = observations_of(space, x);
  self.run([&](const Theory& theory) {
    for (Observation& row : rows) row = theory.run(program, row).trace.back();
  });
  return to_numpy(space, rows);
}

nb::tuple vocabulary(SharedTheory& self, const GivenPairs& pairs, int64_t examples) {
  const Space& space = self.theory.space();
  const Inspection found = self.run(
      [&](const Theory& theory) { return theory.vocabulary(pairs.load(space), {.examples = examples}); });
  Collected collected;
  return collected.with(to_json(found, collected.writer()), space);
}

std::string evaluate(SharedTheory& self, const GivenPairs& pairs) {
  return to_json(self.run([&](const Theory& theory) { return theory.evaluate(pairs.load(theory.space())); }))
      .dump();
}

std::string programs(SharedTheory& self, const GivenPairs& pairs) {
  nlohmann::json list = nlohmann::json::array();
  for (const FoundProgram& found :
       self.run([&](const Theory& theory) { return theory.programs(pairs.load(theory.space())); }))
    list.push_back({found.codes, found.explained});
  return list.dump();
}

double error(SharedTheory& self, const Numbers& observation, const Numbers& target) {
  const Observation a = single(self.theory.space(), observation), b = single(self.theory.space(), target);
  return self.run([&](const Theory& theory) { return theory.error(a, b); });
}

nb::tuple examples(const SharedTheory& self) {
  std::vector<Observation> x, y;
  std::vector<int32_t> group;
  std::vector<std::string> program;
  for (const Pair& pair : self.theory.info().examples) {
    x.push_back(pair.x);
    y.push_back(pair.y);
    group.push_back(pair.group);
    program.push_back(pair.program);
  }
  const Space& space = self.theory.space();
  return nb::make_tuple(to_numpy(space, x), to_numpy(space, y), to_numpy(group), program);
}

std::string info(const SharedTheory& self) {
  const TheoryInfo& info = self.theory.info();
  return nlohmann::json{{"benchmark", info.benchmark},
                        {"source", info.source},
                        {"preset", info.preset},
                        {"alpha", info.alpha},
                        {"grouped", info.grouped},
                        {"seed", info.seed},
                        {"step", info.step},
                        {"names", info.names},
                        {"policy", to_json(info.policy)},
                        {"settings", info.settings},
                        {"data_digest", info.data_digest}}
      .dump();
}

std::string draw_program(const SharedTheory& self, const std::string& title,
                         const std::vector<int64_t>& codes, const Numbers& trace,
                         const std::vector<double>& losses, const std::optional<Numbers>& target) {
  const Space& space = self.theory.space();
  const ProgramRun run{.codes = codes, .trace = observations_of(space, trace), .losses = losses};
  std::optional<Observation> y;
  if (target) y = single(space, *target);
  return draw_panels_svg(self.theory.view(), {panels_of(strip_of(title, run, y, self.theory.names()))}).svg();
}

std::string learn_from(const std::vector<std::filesystem::path>& sources, const std::filesystem::path& run,
                       double minutes, int64_t codes, const std::string& preset, uint64_t seed,
                       const ImportOptions& import, nb::object progress) {
  const LearnOptions options{.sources = sources,
                             .run = run,
                             .minutes = minutes,
                             .codes = codes,
                             .preset = preset,
                             .seed = seed,
                             .import = import,
                             .quiet = true};
  LongCall call(std::move(progress));
  return call.run([&] { return learn(options).json().dump(); });
}

}  // namespace

void bind_theory(nb::module_& m) {
  nb::class_<GivenPairs>(m, "GivenPairs")
      .def(
          "__init__",
          [](GivenPairs* self, const Space& space, const Numbers& x, const Numbers& y,
             const std::vector<int32_t>& group, const std::vector<std::string>& program,
             const std::string& benchmark, const std::string& split) {
            new (self) GivenPairs{pairs_of(space, x, y, group, program), benchmark, split};
          },
          nb::arg("space"), nb::arg("x"), nb::arg("y"), nb::arg("group"), nb::arg("program"),
          nb::arg("benchmark"), nb::arg("split"));
  nb::class_<SharedTheory>(m, "Theory")
      .def_static("open",
                  [](const std::filesystem::path& path) { return new SharedTheory(Theory::open(path)); })
      .def("copy", [](const SharedTheory& self) { return new SharedTheory(self.theory.copy()); })
      .def("save",
           [](SharedTheory& self, const std::filesystem::path& path) {
             self.run([&](const Theory& t) { t.save(path); });
           })
      .def_prop_ro("space", [](const SharedTheory& self) { return self.theory.space(); })
      .def_prop_ro("codes",
                   [](const SharedTheory& self) { return self.theory.has_codes() ? self.theory.codes() : 0; })
      .def_prop_ro("info", &info)
      .def_prop_ro("examples", &examples)
      .def("set_policy",
           [](SharedTheory& self, const std::vector<std::string>& settings) {
             self.theory.set_policy(changed(self.theory.policy(), settings));
           })
      .def("parse_program", [](const SharedTheory& self,
                               const std::string& text) { return parse_codes(text, self.theory.codes(), self.theory.names()); })
      .def("explain", &explain, nb::arg("x"), nb::arg("y"), nb::arg("settings"), nb::arg("alternatives"),
           nb::arg("seed"))
      .def("run_one", &run_one, nb::arg("program"), nb::arg("x"), nb::arg("y").none())
      .def("run_batch", &run_batch, nb::arg("program"), nb::arg("x"))
      .def("vocabulary", &vocabulary, nb::arg("pairs"), nb::arg("examples"))
      .def("evaluate", &evaluate, nb::arg("pairs"))
      .def("programs", &programs, nb::arg("pairs"))
      .def("error", &error, nb::arg("observation"), nb::arg("target"))
      .def("draw_program", &draw_program, nb::arg("title"), nb::arg("codes"), nb::arg("trace"),
           nb::arg("losses"), nb::arg("target").none());
  m.def("learn", &learn_from, nb::arg("sources"), nb::arg("run"), nb::arg("minutes"), nb::arg("codes"),
        nb::arg("preset"), nb::arg("seed"), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace neo::python
