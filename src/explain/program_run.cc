#include "explain/program_run.h"

namespace neo {
using nlohmann::json;

json to_json(const ProgramRun& run, const WriteObservation& write) {
  json trace = json::array();
  for (const Observation& o : run.trace) trace.push_back(write(o));
  return {{"codes", run.codes},         {"trace", trace},
          {"losses", run.losses},       {"exact", run.exact},
          {"explained", run.explained}, {"log_probability", run.log_probability}};
}

json to_json(const LengthChoice& c) {
  return {{"length", c.length}, {"loss", c.loss}, {"weighted", c.weighted},
          {"exact", c.exact},   {"explained", c.explained}};
}

json to_json(const Explanation& e, const WriteObservation& write) {
  json lengths = json::array();
  for (const LengthChoice& choice : e.lengths) lengths.push_back(to_json(choice));
  json alternatives = json::array();
  for (const auto& [run, mass] : e.alternatives)
    alternatives.push_back({{"run", to_json(run, write)}, {"mass", mass}});
  return {{"run", to_json(e.run, write)},
          {"explained", e.run.explained},
          {"mass", e.mass},
          {"lengths", lengths},
          {"reason", e.reason},
          {"alternatives", alternatives}};
}

}  // namespace neo
