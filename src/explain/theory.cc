#include "explain/theory.h"

#include <cmath>
#include <limits>

#include "core/error.h"

namespace neo {
namespace {

using nlohmann::json;

const json& field(const json& theory, const char* name, bool (json::*is)() const noexcept, const char* kind) {
  const auto found = theory.find(name);
  if (found == theory.end()) fail("the theory has no '{}'", name);
  if (!((*found).*is)()) fail("'{}' of the theory is not {}", name, kind);
  return *found;
}

int64_t whole(const json& value, const char* name, int64_t most) {
  // As unsigned, a negative number is a huge one.
  if (!value.is_number_integer() || value.get<uint64_t>() > static_cast<uint64_t>(most))
    fail("'{}' of the theory holds something other than whole numbers from 0 to {}", name, most);
  return value.get<int64_t>();
}

double finite(const json& value, const char* name) {
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    fail("'{}' of the theory holds something other than numbers", name);
  return value.get<double>();
}

Observation observation(const json& value) {
  if (!value.is_array()) fail("'trace' of the theory holds something other than observations");
  Observation out;
  for (const json& element : value)
    out.push_back(
        static_cast<uint8_t>(whole(element, "trace", std::numeric_limits<Observation::value_type>::max())));
  return out;
}

void check_sizes(const Theory& theory) {
  if (theory.trace.size() != theory.codes.size() + 1)
    fail("the theory has {} codes and {} observations; there must be one more observation than codes",
         theory.codes.size(), theory.trace.size());
  if (!theory.losses.empty() && theory.losses.size() != theory.codes.size())
    fail("the theory has {} codes and {} losses; there must be as many, or no losses", theory.codes.size(),
         theory.losses.size());
  for (const Observation& o : theory.trace)
    if (o.size() != theory.trace.front().size())
      fail("the observations of the theory's trace differ in size");
}

}  // namespace

json to_json(const Theory& theory) {
  return {{"codes", theory.codes},
          {"trace", theory.trace},
          {"losses", theory.losses},
          {"exact", theory.exact},
          {"log_probability", theory.log_probability}};
}

Theory theory_from_json(const json& value) {
  if (!value.is_object()) fail("a theory is a JSON object; this is none");
  Theory theory;
  for (const json& code : field(value, "codes", &json::is_array, "a list"))
    theory.codes.push_back(whole(code, "codes", std::numeric_limits<int32_t>::max()));
  for (const json& o : field(value, "trace", &json::is_array, "a list"))
    theory.trace.push_back(observation(o));
  for (const json& loss : field(value, "losses", &json::is_array, "a list"))
    theory.losses.push_back(finite(loss, "losses"));
  theory.exact = field(value, "exact", &json::is_boolean, "true or false").get<bool>();
  theory.log_probability =
      finite(field(value, "log_probability", &json::is_number, "a number"), "log_probability");
  check_sizes(theory);
  return theory;
}

json to_json(const LengthChoice& c) {
  return {{"length", c.length}, {"loss", c.loss}, {"weighed", c.weighed}, {"exact", c.exact}};
}

json to_json(const Explanation& e) {
  json lengths = json::array();
  for (const LengthChoice& choice : e.lengths) lengths.push_back(to_json(choice));
  json alternatives = json::array();
  for (const auto& [theory, mass] : e.alternatives)
    alternatives.push_back({{"theory", to_json(theory)}, {"mass", mass}});
  return {{"theory", to_json(e.theory)},
          {"mass", e.mass},
          {"lengths", lengths},
          {"reason", e.reason},
          {"alternatives", alternatives}};
}

}  // namespace neo
