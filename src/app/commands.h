#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <string>

#include "app/engine_commands.h"
#include "core/text.h"
#include "core/theory_files.h"

namespace neo {

// For --seed: a whole number of 64 bits. CLI11 alone takes -1 and anything too large for some other number.
inline CLI::Validator is_seed() {
  const auto complaint = [](const std::string& text) -> std::string {
    uint64_t seed = 0;
    const char* end = text.data() + text.size();
    const auto [last, failure] = std::from_chars(text.data(), end, seed);
    if (failure == std::errc() && last == end) return "";
    return fmt::format("'{}' must be a whole number from 0 to {}", printable(text, 40), UINT64_MAX);
  };
  return CLI::Validator(complaint, "");
}

// The theory that a command is about: its first argument.
inline CLI::Validator names_theory() {
  return CLI::Validator([](std::string& text) { return text = resolve_theory(text).string(), std::string(); }, "");
}
inline CLI::Option* add_theory(CLI::App& command, std::filesystem::path& model) {
  return command
      .add_option("theory", model, "A run folder, a weights file, or a name that `neo models` lists")
      ->transform(names_theory());
}

// Each command lives in a file of its own: setup adds its options and what to do to the parser.
void setup_data(CLI::App& app);
void setup_import(CLI::App& data);  // of `neo data`
void setup_report(CLI::App& app);
void setup_models(CLI::App& app);
void setup_help(CLI::App& app);
void setup_completion(CLI::App& app);
void setup_manual(CLI::App& app);
// Those that need tensors, in options/.
void setup_learn(CLI::App& app, const Act& act);
void setup_pretrain(CLI::App& app, const Act& act);
void setup_train(CLI::App& app, const Act& act);
void setup_watch(CLI::App& app, const Act& act);
void setup_eval(CLI::App& app, const Act& act);
void setup_explain(CLI::App& app, const Act& act);
void setup_transfer(CLI::App& app, const Act& act);
void setup_inspect(CLI::App& app, const Act& act);
void setup_bench(CLI::App& app, const Act& act);
void setup_serve(CLI::App& app, const Act& act);
void setup_reproduce(CLI::App& app, const Act& act);
void setup_card(CLI::App& app, const Act& act);
void setup_sweep(CLI::App& app, const Act& act);
void setup_signature(CLI::App& app, const Act& act);

void score_predictions(const EvalCommand& command);  // of `neo eval --predictions`

}  // namespace neo
