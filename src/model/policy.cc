#include "model/policy.h"

#include "core/config.h"

namespace neo {

void check_policy(const Policy& policy) { check_allowed(policy, "policy."); }

}  // namespace neo
