// Any text as a config file and as a --set: either a one-line Error, or a config that survives being written
// as TOML and as JSON.

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/config.h"
#include "core/error.h"
#include "require.h"

namespace {

struct Quantizer {
  int64_t codes = 256;
  int resets = 0;
  double commitment = 0.25;
  static void visit(auto& c, auto&& field) {
    field("codes", c.codes, "codebook entries");
    field("resets", c.resets, "steps between resets");
    field("commitment", c.commitment, "weight of the commitment loss");
  }
};

struct Config {
  std::string world = "gridworld";
  bool grounding = true;
  std::vector<double> betas = {0.9, 0.999};
  Quantizer quantizer;
  static void visit(auto& c, auto&& field) {
    field("world", c.world, "which world");
    field("grounding", c.grounding, "re-encode decoded states");
    field("betas", c.betas, "running averages");
    field("quantizer", c.quantizer, "the codebook");
  }
};

void check_round_trip(const Config& config) {
  const std::string text = neo::to_toml(config);
  Config from_toml;
  neo::load_toml_text(from_toml, text, "written");
  REQUIRE(neo::to_toml(from_toml) == text);
  Config from_json;
  neo::from_json(from_json, nlohmann::json::parse(neo::to_json(config).dump()), "written");
  REQUIRE(neo::to_toml(from_json) == text);
}

template <typename Read>
void check(Read&& read) {
  Config config;
  try {
    read(config);
  } catch (const neo::Error& error) {
    REQUIRE(std::strchr(error.what(), '\n') == nullptr);
    return;
  }
  check_round_trip(config);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check([&](Config& config) { neo::load_toml_text(config, text, "input"); });
  check([&](Config& config) { neo::set_assignment(config, text); });
  return 0;
}
