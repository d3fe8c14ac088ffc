#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/help_text.h"
#include "core/error.h"
#include "core/safetensors.h"
#include "core/table.h"
#include "data/space.h"

namespace neo {
namespace {

constexpr size_t kLongestSource = 24;  // characters, so that a line fits a page

// What a theory's file says about it, without loading its model.
nlohmann::json about(const KnownTheory& theory) {
  const auto metadata = read_safetensors(theory_file(theory.path)).metadata;
  const auto entry = [&](const char* key) { return metadata.contains(key) ? metadata.at(key) : std::string(); };
  const auto config = nlohmann::json::parse(entry("config")), space = nlohmann::json::parse(entry("space"));
  return {{"name", theory.name},
          {"path", theory.path.string()},
          {"shipped", theory.shipped},
          {"source", entry("source")},
          {"observations", describe(space_from_json(space, theory.path.string()))},
          {"codes", config.at("quantizer").at("codes")},
          {"preset", entry("preset")},
          {"grouped", entry("grouped") == "true"}};
}

nlohmann::json listed(const KnownTheory& theory) {
  try {
    return about(theory);
  } catch (const std::exception&) {
    return {{"name", theory.name}, {"path", theory.path.string()}, {"shipped", theory.shipped}, {"damaged", true}};
  }
}

void print_models(const nlohmann::json& models) {
  std::vector<std::vector<std::string>> rows{{"name", "observations", "codes", "learned from"}};
  for (const auto& model : models) {
    const std::string name = printable(model["name"].get<std::string>());
    if (model.contains("damaged"))
      rows.push_back({name, "damaged: make it again"});
    else
      rows.push_back({name, model["observations"], model["codes"].dump(),
                      utf8_prefix(printable(model["source"].get<std::string>()), kLongestSource) +
                          (model["grouped"] ? " (grouped)" : "")});
  }
  fmt::print("{}", aligned(rows, rows[0].size()));
}

void run_models(bool json) {
  nlohmann::json models = nlohmann::json::array();
  for (const KnownTheory& theory : known_theories()) models.push_back(listed(theory));
  if (json) return fmt::print("{}\n", models.dump(2));
  if (models.empty()) fail("there are no theories in weights/ or runs/; learn one with `neo learn FILE`");
  print_models(models);
  fmt::print("\nEvery command takes these names: neo explain {}\n", models[0]["name"].get<std::string>());
}

}  // namespace

void setup_models(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("models", "The theories there are: yours in runs/, and those that come with neo");
  command->add_flag("--json", *json, "Print them as JSON, with their paths");
  command->footer("Example:\n  neo models\nA benchmark's name alone, such as `" + some_benchmark() + "`, is its theory of alpha 0.66.");
  command->callback([json] { run_models(*json); });
}

}  // namespace neo
