#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/execute.h"
#include "core/child.h"
#include "core/embedded.h"
#include "core/error.h"
#include "core/files.h"
#include "core/theory_files.h"
#include "explorer/theories.h"
#include "neo/theory.h"
#include "serve/server.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

std::vector<fs::path> chosen_models(const ServeCommand& options) {
  if (!options.models.empty()) return options.models;
  auto shipped = shipped_theories();
  if (shipped.empty())
    fail(
        "no theories found in weights/; name a weights file or a run folder, as in `neo serve "
        "runs/quickstart`");
  return shipped;
}

// Where a browser on this machine finds the server.
std::string url_of(const ServerOptions& server, int port) {
  const bool everywhere = server.host == "0.0.0.0" || server.host == "::";
  const bool v6 = server.host.find(':') != std::string::npos;
  const std::string host = everywhere ? "127.0.0.1" : v6 ? "[" + server.host + "]" : server.host;
  const std::string token = server.token.empty() ? "" : "?token=" + server.token;
  return fmt::format("http://{}:{}/{}", host, port, token);
}

void announce(const ServeCommand& options, const std::string& url, const Theories& theories) {
  if (options.json) {
    nlohmann::json ids = nlohmann::json::array();
    for (const ModelInfo& model : theories.models()) ids.push_back(model.id);
    fmt::print("{}\n", nlohmann::json{{"url", url}, {"models", ids}}.dump());
  } else {
    fmt::print("Theory Explorer with {} theories: {}  (Ctrl-C ends it)\n", theories.models().size(), url);
  }
  std::fflush(stdout);
  if (!is_loopback(options.server.host) && options.server.token.empty())
    fmt::print(stderr, "neo: {} is open to the network; anyone who reaches this machine can use it\n",
               options.server.host);
}

}  // namespace

void execute(const ServeCommand& given) {
  ServeCommand options = given;
  if (!options.token_file.empty()) options.server.token = read_token(options.token_file);
  check_exposure(options.server);
  Theories theories(named_theories(chosen_models(options)));
  const bool may_learn = options.train_minutes > 0 && (is_loopback(options.server.host) || options.allow_training);
  std::optional<Workshop> workshop;
  if (may_learn)
    workshop.emplace(WorkshopOptions{.minutes = options.train_minutes,
                                     .vocabulary = [&](const fs::path& theory) { return theories.vocabulary_of(theory); }});
  Api api(theories, workshop ? &*workshop : nullptr);
  Server server(options.server, api, embedded_file("explorer.html"));
  const std::string url = url_of(options.server, server.bind());
  announce(options, url, theories);
  // In whatever browser the desktop has; a machine without one just goes on serving.
  if (options.open) start_detached({"xdg-open", url});
  server.run([&] {
    if (workshop) workshop->tend();
    return interrupted();
  });
}

}  // namespace neo
