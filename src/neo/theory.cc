#include "neo/theory.h"

#include <algorithm>

#include "core/error.h"
#include "observe/tensors.h"

namespace neo {
namespace fs = std::filesystem;

fs::path shared_folder() {
  if (fs::exists("weights")) return ".";
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  const fs::path above = binary.parent_path().parent_path();  // of build/, bin/ or, one further, libexec/neo/
  for (const fs::path& folder : {above, above / "share" / "neo", above.parent_path() / "share" / "neo"}) {
    if (!error && fs::exists(folder / "weights")) return folder;
  }
  return ".";
}

fs::path theory_file(const fs::path& path) { return fs::is_directory(path) ? path / "best.safetensors" : path; }

std::vector<fs::path> shipped_theories() {
  std::vector<fs::path> paths;
  const fs::path folder = shared_folder() / "weights";
  if (!fs::is_directory(folder)) return paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".safetensors") && !name.ends_with("-observation.safetensors"))
      paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Policy policy_for(const Policy& policy, const Benchmark* benchmark, const std::string& split) {
  Policy adapted = policy;
  if (!benchmark || policy.steps == 1) return adapted;  // a baseline explains by one step, whatever the split
  const Protocol protocol = benchmark->protocol(split);
  adapted.steps = protocol.steps.value_or(policy.steps);
  adapted.lambda = protocol.lambda.value_or(policy.lambda);
  return adapted;
}

Theory Theory::open(const fs::path& path) { return Theory(load_theory(theory_file(path))); }

Theory::Theory(LoadedTheory loaded) : loaded_(std::move(loaded)), view_(make_view(loaded_.model->space())) {}

Theory Theory::copy() const {
  std::map<std::string, TensorData> tensors;
  put_tensors(model(), "", tensors);
  LoadedTheory copied{loaded_.info, Neo(model().config(), space())};
  take_tensors(*copied.model, "", tensors, "copy");
  copied.model->observation().freeze();
  copied.model->eval();
  return Theory(std::move(copied));
}

void Theory::set_policy(const Policy& policy) {
  check_policy(policy);
  loaded_.info.policy = policy;
}

std::string Theory::code_title(int64_t code) const {
  const auto& names = loaded_.info.names;
  const auto at = static_cast<size_t>(code);
  if (at >= names.size() || names[at].empty()) return fmt::format("z{}", code);
  return fmt::format("z{} ({})", code, names[at]);
}

HardExecutor& Theory::executor() const {
  if (!executor_) executor_ = make_hard_executor(model());
  return *executor_;
}

Policy Theory::policy_for(const std::string& of, const std::string& split) const {
  return neo::policy_for(policy(), of == loaded_.info.benchmark ? benchmark() : nullptr, split);
}

Explanation Theory::explain(const Observation& x, const Observation& y, const Policy& by, ExplainOptions options) const {
  check_policy(by);
  options.executor = &executor();
  return neo::explain(model(), x, y, by, options);
}

ProgramRun Theory::run(const std::vector<int64_t>& program, const Observation& x, const Observation* y,
                       const Policy& by) const {
  return run_program(model(), x, program, by, y, &executor());
}

InputRun Theory::run(const std::vector<int64_t>& program, const Input& input, const Policy& by) const {
  InputRun out{input, run(program, input.x, input.y ? &*input.y : nullptr, by), {}};
  if (input.y) out.error = error(out.run.trace.back(), *input.y);
  return out;
}

ExplainedPair Theory::explain(const Question& question, const Policy& by, const ExplainOptions& options) const {
  const Observation& y = question.pair.y.value();
  ExplainedPair out{question, explain(question.pair.x, y, by, options), 0, {}, {}};
  const auto& codes = out.explanation.run.codes;
  out.error = error(out.explanation.run.trace.back(), y);
  if (!question.overrides.empty())
    out.counterfactual = run(override_steps(codes, question.overrides, this->codes()), question.pair, by);
  for (const Input& query : question.queries) out.queries.push_back(run(codes, query, by));
  return out;
}

double Theory::error(const Observation& observation, const Observation& target) const {
  return model().observation().readout().error(to_rows(space(), observation), to_rows(space(), target)).item<double>();
}

Inspection Theory::vocabulary(const Pairs& pairs, InspectionOptions options) const {
  require_fit(pairs, space());
  options.executor = &executor();
  const Policy by = policy_for(pairs.benchmark, pairs.name);
  return inspect({model(), by, view(), benchmark()}, episodes_of(pairs), options);
}

SplitScore Theory::evaluate(const Pairs& pairs) const {
  require_fit(pairs, space());
  return evaluate_policy(model(), episodes_of(pairs), policy_for(pairs.benchmark, pairs.name));
}

std::vector<FoundProgram> Theory::programs(const Pairs& pairs) const {
  require_fit(pairs, space());
  return found_programs(model(), episodes_of(pairs), policy_for(pairs.benchmark, pairs.name));
}

void Theory::save(const fs::path& path) const { save_theory(path, model(), loaded_.info); }

}  // namespace neo
