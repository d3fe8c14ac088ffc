#include "model/bottleneck.h"

#include "core/error.h"
#include "model/gaussian.h"
#include "model/quantizer.h"

namespace neo {

std::shared_ptr<Bottleneck> make_bottleneck(const QuantizerConfig& config) {
  if (config.kind == "codebook") return std::make_shared<QuantizerImpl>(config);
  if (config.kind == "gaussian") return std::make_shared<Gaussian>(config);
  fail_usage("unknown quantizer '{}'; one of: codebook, gaussian", config.kind);
}

int64_t proposal_width(const QuantizerConfig& config) {
  return config.kind == "gaussian" ? 2 * config.width : config.width;
}

}  // namespace neo
