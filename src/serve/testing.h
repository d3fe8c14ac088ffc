#pragma once

#include <algorithm>

#include "serve/backend.h"
#include "serve/wire.h"

// Helpers for tests only.
namespace neo::testing {

// Knows the true primitives and takes them for codes: a perfect theory of each world, without any tensors.
class TrueBackend : public Backend {
 public:
  TrueBackend() {
    for (const std::string& name : world_names()) {
      const World& world = world_named(name);
      models_.push_back({name,
                         &world,
                         static_cast<int64_t>(world.primitives().size()),
                         {{"alpha", 1.0},
                          {"preset", "true"},
                          {"seed", 42},
                          {"step", 0},
                          {"steps", 4},
                          {"active", nlohmann::json::array()}}});
    }
  }
  const std::vector<ModelInfo>& models() const override { return models_; }

  nlohmann::json explain(const ExplainRequest& request) override {
    const World& world = world_of(request.model);
    std::vector<int64_t> codes = shortest(world, request.x, request.y);
    nlohmann::json answer{{"explanation",
                           {{"theory", run(world, codes, request.x)},
                            {"mass", 1.0},
                            {"reason", "the shortest program that explains y"},
                            {"lengths", nlohmann::json::array()},
                            {"alternatives", nlohmann::json::array()}}}};
    if (request.overrides.empty()) return answer;
    for (const auto& [step, code] : request.overrides) {
      if (step > static_cast<int64_t>(codes.size())) fail("there is no step {}", step);
      codes[static_cast<size_t>(step - 1)] = code;
    }
    answer["counterfactual"] = run(world, codes, request.x);
    return answer;
  }

  nlohmann::json transfer(const TransferRequest& request) override {
    nlohmann::json theories = nlohmann::json::array();
    for (const Observation& input : request.inputs)
      theories.push_back(run(world_of(request.model), request.program, input));
    return {{"theories", theories}};
  }

  nlohmann::json search(const SearchRequest& request) override {
    return {{"nodes",
             {{{"parent", -1},
               {"code", -1},
               {"depth", 0},
               {"observation", observation_text(world_of(request.model), request.x)},
               {"log_probability", 0.0},
               {"exact", request.x == request.y}}}},
            {"edges", nlohmann::json::array()},
            {"found", false},
            {"calls", 0}};
  }

  nlohmann::json vocabulary(const std::string& model) override {
    nlohmann::json codes = nlohmann::json::array();
    for (size_t i = 0; i < world_of(model).primitives().size(); ++i)
      codes.push_back({{"code", i},
                       {"name", world_of(model).primitives()[i]},
                       {"primitive", world_of(model).primitives()[i]},
                       {"agreement", 1.0},
                       {"unchanged", 0.0},
                       {"usage", 0.25},
                       {"programs", 0.5},
                       {"examples", nlohmann::json::array()}});
    const auto none = nlohmann::json::array();
    return {{"codes", codes},
            {"relations",
             {{"no_ops", none},
              {"duplicates", none},
              {"inverses", none},
              {"commuting", none},
              {"composites", none}}},
            {"primitives", world_of(model).primitives()},
            {"alignment", none},
            {"primitiveness", 1.0},
            {"purity", 1.0},
            {"inputs", 0},
            {"pairs", 0}};
  }

 private:
  static const World& world_of(const std::string& model) { return world_named(model); }

  // Off the grid or over six digits, an observation stays as it is.
  static nlohmann::json run(const World& world, const std::vector<int64_t>& codes, Observation o) {
    std::vector<std::string> trace{observation_text(world, o)};
    for (int64_t code : codes) {
      o = world.apply(static_cast<int>(code), o).value_or(o);
      trace.push_back(observation_text(world, o));
    }
    return {{"codes", codes}, {"trace", trace}, {"losses", nlohmann::json::array()}, {"exact", false}};
  }

  // Of at most two codes; the first one where there is none.
  static std::vector<int64_t> shortest(const World& world, const Observation& x, const Observation& y) {
    const auto count = static_cast<int>(world.primitives().size());
    for (int a = 0; a < count; ++a) {
      if (world.run({a}, x) == y) return {a};
    }
    for (int a = 0; a < count; ++a) {
      for (int b = 0; b < count; ++b) {
        if (world.run({a, b}, x) == y) return {a, b};
      }
    }
    return {0};
  }

  std::vector<ModelInfo> models_;
};

}  // namespace neo::testing
