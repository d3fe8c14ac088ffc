#pragma once

#include <nlohmann/json.hpp>

#include "core/event_file.h"

namespace neo {

// A record of metrics.jsonl as TensorBoard's events: numbers as scalars ("losses/reconstruction"), lists of whole
// numbers as counts (how often each code and each length was used). Those of a whole pass are under epoch/.
void add_record(EventFile& events, const nlohmann::json& record, int64_t step);

}  // namespace neo
