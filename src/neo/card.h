#pragma once

#include <nlohmann/json.hpp>
#include <utility>

#include "neo/options.h"

namespace neo {

// Writes a folder in which a theory can be published: theory.safetensors, README.md (a model card in Hugging
// Face's form) and vocabulary.svg. Returns the figures of the card.
nlohmann::json write_card(const CardOptions& options);

// Wilson's 95 % interval of a share of `count` independent pairs.
std::pair<double, double> share_interval(double share, int64_t count);

}  // namespace neo
