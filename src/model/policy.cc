#include "model/policy.h"

#include "core/error.h"

namespace neo {

void check_policy(const Policy& p) {
  const auto between = [](const char* name, double value, double low, double high) {
    if (!(value >= low && value <= high)) fail_usage("policy.{} is {}; it must be from {} to {}", name, value, low, high);
  };
  const auto one_of = [](const char* name, const std::string& value, const char* one, const char* other) {
    if (value != one && value != other) fail_usage("policy.{} is '{}'; one of: {}, {}", name, value, one, other);
  };
  between("steps", static_cast<double>(p.steps), 1, 1000);
  between("lambda", p.lambda, 0.01, 100);
  between("tolerance", p.tolerance, 0, 1e9);
  between("width", static_cast<double>(p.width), 1, 1 << 16);
  between("draws", static_cast<double>(p.draws), 1, 1 << 16);
  between("temperature", p.temperature, 1e-6, 1e6);
  between("refine_steps", static_cast<double>(p.refine_steps), 0, 10000);
  one_of("fallback", p.fallback, "all", "mdl");
  one_of("search", p.search, "greedy", "beam");
}

}  // namespace neo
