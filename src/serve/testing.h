#pragma once

#include <algorithm>

#include "benchmark/benchmark.h"
#include "serve/backend.h"
#include "view/view.h"

// Helpers for tests only.
namespace neo::testing {

// Perfect theories without any tensors: one of each benchmark, which takes the true primitives for its codes,
// and one of "own" data (five tokens), whose only code reverses them.
class TrueBackend : public Backend {
 public:
  TrueBackend() {
    for (const Benchmark* benchmark : benchmarks())
      add(std::string(benchmark->name()), benchmark->space(), std::string(benchmark->name()),
          benchmark->primitives());
    Space tokens;
    tokens.layout = Layout::sequence;
    tokens.shape = {5};
    tokens.values = {12};
    add("own", tokens, "", {"reverse"});
  }
  const std::vector<ModelInfo>& models() const override { return models_; }

  std::optional<ExamplePair> example(const std::string& model, uint64_t seed) override {
    const ModelInfo& info = find(model);
    std::vector<double> values;
    for (int64_t i = 0; i < info.space.size(); ++i)
      values.push_back(static_cast<double>((seed + static_cast<uint64_t>(i)) % 12));
    const Observation x = observation_of(info.space, values);
    const Observation y = apply(info, 0, x);
    return ExamplePair{.x = x, .y = y, .query = std::pair{y, x}, .program = {}};
  }

  nlohmann::json explain(const ExplainRequest& request) override {
    const ModelInfo& info = find(request.model);
    std::vector<int64_t> codes = shortest(info, request.x, request.y);
    const nlohmann::json found = run(info, codes, request.x, &request.y);
    nlohmann::json answer{{"explanation",
                           {{"run", found},
                            {"mass", 1.0},
                            {"reason", "the shortest program that explains y"},
                            {"lengths", nlohmann::json::array()},
                            {"explained", found["explained"]},
                            {"alternatives", nlohmann::json::array()}}},
                          {"floor", 0.0}};
    if (request.overrides.empty()) return answer;
    for (const auto& [step, code] : request.overrides) {
      if (step > static_cast<int64_t>(codes.size())) fail("there is no step {}", step);
      codes[static_cast<size_t>(step - 1)] = code;
    }
    answer["counterfactual"] = run(info, codes, request.x, &request.y);
    return answer;
  }

  nlohmann::json transfer(const TransferRequest& request) override {
    nlohmann::json runs = nlohmann::json::array();
    for (const Observation& input : request.inputs)
      runs.push_back(run(find(request.model), request.program, input, nullptr));
    return {{"runs", runs}};
  }

  nlohmann::json search(const SearchRequest& request) override {
    const ModelInfo& info = find(request.model);
    return {{"nodes",
             {{{"parent", -1},
               {"code", -1},
               {"depth", 0},
               {"observation", make_view(info.space)->text(request.x)},
               {"log_probability", 0.0},
               {"exact", request.x == request.y}}}},
            {"edges", nlohmann::json::array()},
            {"found", false},
            {"best", run(info, {0}, request.x, &request.y)},
            {"calls", request.calls}};
  }

  nlohmann::json training(const std::string&) override { return {{"points", {{1, 0.5, 0.25}}}}; }

  nlohmann::json vocabulary(const std::string& model) override {
    const ModelInfo& info = find(model);
    const bool named = !info.benchmark.empty();
    nlohmann::json codes = nlohmann::json::array();
    for (int64_t code = 0; code < info.codes; ++code) {
      const nlohmann::json& name = info.about["names"][static_cast<size_t>(code)];
      codes.push_back({{"code", code},
                       {"name", name},
                       {"primitive", named ? name : nlohmann::json("")},
                       {"agreement", named ? 1.0 : 0.0},
                       {"unchanged", 0.0},
                       {"usage", 0.25},
                       {"programs", 0.5},
                       {"examples", nlohmann::json::array()}});
    }
    const auto none = nlohmann::json::array();
    return {{"codes", codes},
            {"relations",
             {{"no_ops", none},
              {"duplicates", none},
              {"inverses", none},
              {"commuting", none},
              {"composites", none}}},
            {"primitives", named ? info.about["names"] : none},
            {"alignment", none},
            {"primitiveness", 1.0},
            {"purity", 1.0},
            {"inputs", 0},
            {"pairs", 0}};
  }

 private:
  void add(const std::string& id, const Space& space, const std::string& benchmark,
           const std::vector<std::string>& names) {
    models_.push_back({.id = id,
                       .space = space,
                       .benchmark = benchmark,
                       .codes = static_cast<int64_t>(names.size()),
                       .about = {{"alpha", 1.0},
                                 {"preset", "true"},
                                 {"seed", 42},
                                 {"step", 0},
                                 {"steps", 4},
                                 {"active", nlohmann::json::array({0})},
                                 {"policy", {{"steps", 4}}},
                                 {"names", names}}});
  }

  const ModelInfo& find(const std::string& id) const {
    return *std::find_if(models_.begin(), models_.end(), [&](const ModelInfo& m) { return m.id == id; });
  }

  // An input to which a primitive does not apply stays as it is.
  static Observation apply(const ModelInfo& info, int64_t code, const Observation& o) {
    if (const Benchmark* benchmark = find_benchmark(info.benchmark))
      return benchmark->apply(static_cast<int>(code), o).value_or(o);
    std::vector<double> values = values_of(info.space, o);
    std::reverse(values.begin(), values.end());
    return observation_of(info.space, values);
  }

  static Observation apply(const ModelInfo& info, const std::vector<int64_t>& codes, Observation o) {
    for (int64_t code : codes) o = apply(info, code, o);
    return o;
  }

  static nlohmann::json run(const ModelInfo& info, const std::vector<int64_t>& codes, Observation o,
                            const Observation* y) {
    const auto view = make_view(info.space);
    std::vector<std::string> trace{view->text(o)};
    for (int64_t code : codes) {
      o = apply(info, code, o);
      trace.push_back(view->text(o));
    }
    const bool exact = y != nullptr && o == *y;
    return {{"codes", codes},
            {"trace", trace},
            {"losses", nlohmann::json::array()},
            {"exact", exact},
            {"explained", exact}};
  }

  // Of at most two codes; the first one where there is none.
  static std::vector<int64_t> shortest(const ModelInfo& info, const Observation& x, const Observation& y) {
    for (int64_t a = 0; a < info.codes; ++a) {
      if (apply(info, a, x) == y) return {a};
    }
    for (int64_t a = 0; a < info.codes; ++a) {
      for (int64_t b = 0; b < info.codes; ++b) {
        if (apply(info, {a, b}, x) == y) return {a, b};
      }
    }
    return {0};
  }

  std::vector<ModelInfo> models_;
};

}  // namespace neo::testing
