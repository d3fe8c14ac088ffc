#include "explorer/answers.h"

#include "serve/wire.h"

namespace neo {
namespace {
using nlohmann::json;

json to_wire(const std::vector<CodeRelation>& relations) {
  json list = json::array();
  for (const CodeRelation& r : relations)
    list.push_back({{"code", r.code}, {"others", r.others}, {"share", r.share}});
  return list;
}

json to_wire(const World& world, const CodeReport& report) {
  json examples = json::array();
  for (const auto& [before, after] : report.examples)
    examples.push_back(
        {{"before", observation_text(world, before)}, {"after", observation_text(world, after)}});
  return {{"code", report.code},           {"name", report.name},           {"primitive", report.primitive},
          {"agreement", report.agreement}, {"unchanged", report.unchanged}, {"usage", report.usage},
          {"programs", report.programs},   {"examples", examples}};
}

std::vector<int64_t> codes_of(const torch::Tensor& codes, int64_t length) {
  const auto plain = codes.contiguous();
  return {plain.data_ptr<int64_t>(), plain.data_ptr<int64_t>() + length};
}

}  // namespace

json to_wire(const World& world, const Theory& theory) {
  json out = to_json(theory);
  out["trace"] = json::array();
  for (const Observation& o : theory.trace) out["trace"].push_back(observation_text(world, o));
  return out;
}

json to_wire(const World& world, const Explanation& explanation) {
  json out = to_json(explanation);
  out["theory"] = to_wire(world, explanation.theory);
  for (size_t i = 0; i < explanation.alternatives.size(); ++i)
    out["alternatives"][i]["theory"] = to_wire(world, explanation.alternatives[i].theory);
  return out;
}

json to_wire(const World& world, const Inspection& inspection) {
  json codes = json::array();
  for (const CodeReport& report : inspection.codes) codes.push_back(to_wire(world, report));
  return {{"codes", codes},
          {"relations",
           {{"no_ops", inspection.relations.no_ops},
            {"duplicates", to_wire(inspection.relations.duplicates)},
            {"inverses", to_wire(inspection.relations.inverses)},
            {"commuting", to_wire(inspection.relations.commuting)},
            {"composites", to_wire(inspection.relations.composites)}}},
          {"primitives", inspection.vocabulary.primitives},
          {"alignment", inspection.vocabulary.alignment},
          {"primitiveness", inspection.vocabulary.primitiveness},
          {"purity", inspection.vocabulary.purity},
          {"inputs", inspection.inputs},
          {"pairs", inspection.pairs}};
}

SearchTree::SearchTree(const World& world, const Observation& x, const Observation& y) : world_(world) {
  nodes_.push_back({{"parent", -1},
                    {"code", -1},
                    {"depth", 0},
                    {"observation", observation_text(world, x)},
                    {"exact", x == y},
                    {"log_probability", 0.0}});
  index_[0] = 0;
}

void SearchTree::add(const Expansion& e) {
  const auto [entry, is_new] = index_.try_emplace(e.node, nodes_.size());
  if (is_new) {
    nodes_.push_back({{"parent", index_.at(e.parent)},
                      {"code", e.code},
                      {"depth", e.depth},
                      {"observation", observation_text(world_, e.observation)},
                      {"loss", e.loss},
                      {"exact", e.exact},
                      {"log_probability", e.log_probability}});
  }
  edges_.push_back({index_.at(e.parent), e.code, entry->second});
  found_ = found_ || e.exact;
}

json SearchTree::to_json() const {
  return {{"nodes", nodes_}, {"edges", edges_}, {"found", found_}, {"calls", calls()}};
}

std::vector<int64_t> best_codes(const BestFirst& search) {
  const Candidates exact = search.programs(1);
  if (exact.lengths.numel() > 0) {
    const auto length = exact.lengths[0][0].item<int64_t>();
    if (length > 0) return codes_of(exact.codes[0][0], length);
  }
  const Programs closest = search.closest();
  return codes_of(closest.codes[0], closest.lengths[0].item<int64_t>());
}

}  // namespace neo
