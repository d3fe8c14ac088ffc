#pragma once

#include <CLI/CLI.hpp>

namespace neo {

// Each subcommand lives in a file of its own: setup adds its options and what to run to the parser.
void setup_data(CLI::App& app);
void setup_import(CLI::App& data);  // of `neo data`
void setup_learn(CLI::App& app);
void setup_pretrain(CLI::App& app);
void setup_train(CLI::App& app);
void setup_eval(CLI::App& app);
void setup_explain(CLI::App& app);
void setup_transfer(CLI::App& app);
void setup_inspect(CLI::App& app);
void setup_bench(CLI::App& app);
void setup_reproduce(CLI::App& app);
void setup_report(CLI::App& app);
void setup_serve(CLI::App& app);
void setup_signature(CLI::App& app);

}  // namespace neo
