#include "neo/theory.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/theory_files.h"
#include "observe/tensors.h"

namespace neo {
namespace fs = std::filesystem;
namespace {

constexpr int64_t kNamingInputs = 64;  // that tell what a code does
constexpr uint64_t kNamingSeed = 1;

// Images of smooth colours, one after the other: what edits of images do shows on them as well.
Observation plain_images(const Space& space, int64_t count) {
  RngStream random(kNamingSeed, "images");
  Observation images;
  for (int64_t i = 0; i < count; ++i) {
    std::vector<std::array<double, 3>> planes;  // base and slopes of each channel
    for (int64_t k = 0; k < space.channels(); ++k)
      planes.push_back({40 + 120 * random.uniform(), 60 * random.uniform() - 30, 60 * random.uniform() - 30});
    for (int64_t r = 0; r < space.rows(); ++r)
      for (int64_t c = 0; c < space.columns(); ++c)
        for (const auto& [base, down, right] : planes)
          images.push_back(static_cast<uint8_t>(std::clamp(base + down * static_cast<double>(r) / static_cast<double>(space.rows()) +
                                                               right * static_cast<double>(c) / static_cast<double>(space.columns()) +
                                                               8 * random.uniform(), 0.0, 255.0)));
  }
  return images;
}

}  // namespace

Policy policy_for(const Policy& policy, const Benchmark* benchmark, const std::string& split) {
  Policy adapted = policy;
  if (!benchmark || policy.steps == 1) return adapted;  // a baseline explains by one step, whatever the split
  const Protocol protocol = benchmark->protocol(split);
  adapted.steps = protocol.steps.value_or(policy.steps);
  adapted.lambda = protocol.lambda.value_or(policy.lambda);
  return adapted;
}

Theory Theory::open(const fs::path& path) { return Theory(load_theory(theory_file(resolve_theory(path)))); }

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

void Theory::set_names(CodeNames names) {
  loaded_.info.names = std::move(names);
  names_.reset();
}

const CodeNames& Theory::names() const {
  if (!names_) names_ = loaded_.info.names;
  if (!names_->empty() || !has_codes()) return *names_;
  Observation inputs;  // one after the other
  const auto add = [&](const Observation& x) { inputs.insert(inputs.end(), x.begin(), x.end()); };
  for (const Pair& pair : loaded_.info.examples) add(pair.x);
  try {
    RngStream random(kNamingSeed, "names");
    for (int64_t i = 0; benchmark() && i < kNamingInputs; ++i) add(benchmark()->sample_input(random));
  } catch (const Error&) {  // what it takes its inputs from was not fetched
    if (space().kind == Kind::pixels) add(plain_images(space(), kNamingInputs));
  }
  names_ = name_codes({model(), policy(), view(), benchmark()}, to_rows(space(), inputs));
  return *names_;
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
  // Pixels and real numbers never match exactly: without a tolerance nothing says what explains them.
  out.found = out.explanation.run.explained || !(space().is_categorical() || by.tolerance > 0);
  for (const Input& query : question.queries) out.queries.push_back(run(codes, query, by));
  if (question.overrides.empty()) return out;
  const auto other = override_steps(codes, question.overrides, this->codes());
  out.counterfactual = run(other, question.pair, by);
  for (const Input& query : question.queries) out.overridden_queries.push_back(run(other, query, by));
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
