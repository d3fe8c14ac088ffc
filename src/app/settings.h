#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>
#include <vector>

#include "core/config.h"
#include "core/error.h"
#include "core/text.h"
#include "kernels/precision.h"

namespace neo {

// What a number on the command line may be. CLI11's own ranges take `nan`.
inline CLI::Validator within(const Allowed& allowed) {
  const auto complaint = [allowed](const std::string& text) -> std::string {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [last, failure] = std::from_chars(text.data(), end, value);
    if (failure == std::errc() && last == end && allowed.holds(value)) return "";
    return fmt::format("'{}' must be {}", printable(text, 40), to_text(allowed));
  };
  return CLI::Validator(complaint, "");
}

// A UsageError for a `--set` that these settings do not have; found before anything is loaded.
template <Configurable Config>
void check_assignments(Config settings, const std::vector<std::string>& assignments) {
  for (const std::string& assignment : assignments) set_assignment(settings, assignment);
}

// --precision, a setting with an option of its own.
inline void add_precision(CLI::App& command, std::string& name) {
  command
      .add_option("--precision", name, "Of products in training steps: float32, or bf16 (needs AVX-512-BF16; docs/performance.md)")
      ->check(CLI::IsMember({"float32", "bf16"}));
}
inline void set_precision(std::vector<std::string>& settings, const std::string& name) {
  if (name.empty()) return;
  require(precision_named(name));
  settings.push_back("precision=" + name);
}

// --help-settings: what --set may change, and the defaults.
template <Configurable Config>
void add_settings_help(CLI::App& command, Config settings, const std::string& remark) {
  command.add_flag_callback(
      "--help-settings",
      [settings, remark] {
        fmt::print("{}\n{}", wrapped("What --set may change, with defaults " + remark + ":"), describe(settings));
        throw CLI::Success();
      },
      "Print what --set may change and exit");
}

// For a flag that stands for a setting: what that may be. Unlike CLI11's own ranges it refuses what is not a number.
template <Configurable Config>
CLI::Validator allowed(const char* key) {
  Config settings;
  const ConfigFields fields(settings);
  return within(fields.find(key)->allowed);
}

}  // namespace neo
