#include <memory>

#include "app/commands.h"

namespace neo {

void setup_serve(CLI::App& app, const Act& act) {
  auto options = std::make_shared<ServeCommand>();
  CLI::App* command = app.add_subcommand(
      "serve", "Explore theories in the browser: explain, override, transfer, search, compare");
  command
      ->add_option("theories", options->models,
                   "Run folders, weights files or names that `neo models` lists (default: all that come with neo)")
      ->transform(names_theory());
  command->add_option("--port", options->server.port, "0: any that is free")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command->add_option("--host", options->server.host, "Address to listen on")->capture_default_str();
  command->add_option(
      "--allow-host", options->server.names,
      "A host name under which browsers may reach the server, besides addresses and localhost");
  command->add_option("--token-file", options->token_file,
                      "A file with a token that clients must know; the printed link contains it");
  command->add_flag("--insecure", options->server.insecure, "Answer anyone, also beyond this machine (--host)");
  command->add_option("--train-minutes", options->train_minutes,
                      "How long a training may take that the page begins with a user's file; 0: none is begun")
      ->check(CLI::Range(0.0, 1440.0))
      ->capture_default_str();
  command->add_flag("--allow-training", options->allow_training, "Let pages learn also when the server is open to the network");
  command->add_flag("--open", options->open, "Open the page in a browser");
  command->add_flag("--json", options->json, "Print the server's address as JSON");
  command->footer(
      "Example:\n"
      "  neo serve --open\n"
      "  neo serve runs/mine runs/other --port 9000\n"
      "The JSON API is described at /api/openapi.json; docs/serve.md has more.");
  command->callback([options, act] { act(*options); });
}

}  // namespace neo
