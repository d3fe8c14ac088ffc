#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "benchmark/benchmark.h"
#include "eval/found_programs.h"
#include "eval/inspection.h"
#include "eval/scores.h"
#include "explain/explain.h"
#include "explain/explained_pair.h"
#include "explain/program_text.h"
#include "model/weights.h"
#include "view/view.h"

namespace neo {

// A learned theory, ready for queries. For one thread at a time; copy() gives another thread its own.
class Theory {
 public:
  // A weights file, a run folder, whose best theory is opened, or the name of either (core/theory_files.h).
  static Theory open(const std::filesystem::path& path);
  explicit Theory(LoadedTheory loaded);
  Theory copy() const;

  const Space& space() const { return loaded_.model->space(); }
  const View& view() const { return *view_; }
  const TheoryInfo& info() const { return loaded_.info; }
  const Benchmark* benchmark() const { return find_benchmark(loaded_.info.benchmark); }  // null: own data
  const Policy& policy() const { return loaded_.info.policy; }
  void set_policy(const Policy& policy);  // checked
  // Its own policy, with what its benchmark prescribes for a split; a split of another one changes nothing.
  Policy policy_for(const std::string& benchmark, const std::string& split) const;
  void set_names(CodeNames names);
  NeoImpl& model() const { return *loaded_.model.ptr(); }
  bool has_codes() const { return model().has_codes(); }
  int64_t codes() const { return model().config().quantizer.codes; }  // |E|
  // What its codes do, in a few words each: as its file says, else found out on the first call.
  const CodeNames& names() const;
  std::string code_title(int64_t code) const { return neo::code_title(code, names()); }

  // By its own policy, or by another one.
  Explanation explain(const Observation& x, const Observation& y, const ExplainOptions& options = {}) const {
    return explain(x, y, policy(), options);
  }
  Explanation explain(const Observation& x, const Observation& y, const Policy& policy, ExplainOptions options) const;
  ProgramRun run(const std::vector<int64_t>& program, const Observation& x, const Observation* y = nullptr) const {
    return run(program, x, y, policy());
  }
  ProgramRun run(const std::vector<int64_t>& program, const Observation& x, const Observation* y,
                 const Policy& policy) const;
  InputRun run(const std::vector<int64_t>& program, const Input& input, const Policy& policy) const;
  // The pair, then its program with steps overridden and on other inputs.
  ExplainedPair explain(const Question& question, const Policy& policy, const ExplainOptions& options = {}) const;
  // By the policy for these pairs.
  Inspection vocabulary(const Pairs& pairs, InspectionOptions options = {}) const;
  SplitScore evaluate(const Pairs& pairs) const;
  std::vector<FoundProgram> programs(const Pairs& pairs) const;
  // How far an observation is from another, as evaluation measures it, see Readout::error.
  double error(const Observation& observation, const Observation& target) const;
  void save(const std::filesystem::path& path) const;

  // Cache of executed steps; forget() clears it.
  HardExecutor& executor() const;
  void forget() const { executor_.reset(); }

 private:
  LoadedTheory loaded_;
  std::unique_ptr<View> view_;
  mutable std::unique_ptr<HardExecutor> executor_;
  mutable std::optional<CodeNames> names_;
};

// A policy, with what a benchmark prescribes for one of its splits.
Policy policy_for(const Policy& policy, const Benchmark* benchmark, const std::string& split);

}  // namespace neo
