#include "serve/api.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <random>

#include "core/embedded.h"
#include "core/text.h"
#include "serve/schema.h"
#include "serve/wire.h"
#include "worlds/draw.h"

namespace neo {
namespace {
using nlohmann::json;

const ModelInfo& model_named(const Backend& backend, const std::string& id) {
  for (const ModelInfo& model : backend.models()) {
    if (model.id == id) return model;
  }
  throw ApiError(404, fmt::format("there is no model '{}'", printable(id, 60)));
}

Observation observation_at(const World& world, const json& body, const char* field) {
  try {
    return observation_from_text(world, body.at(field).get_ref<const std::string&>());
  } catch (const Error& error) {
    fail("{}: {}", field, error.what());
  }
}

template <typename T>
std::optional<T> optional_at(const json& body, const char* field) {
  return body.contains(field) ? std::optional<T>(body.at(field).get<T>()) : std::nullopt;
}

void require_code(const ModelInfo& model, int64_t code) {
  if (code >= model.codes) fail("there is no code {}; {} has codes 0 to {}", code, model.id, model.codes - 1);
}

json get_models(Backend& backend, Samples&, const json&) {
  json list = json::array();
  for (const ModelInfo& model : backend.models()) {
    json entry{{"id", model.id}, {"world", model.world->name()}, {"codes", model.codes}};
    entry.update(model.about);
    list.push_back(std::move(entry));
  }
  return {{"models", list}};
}

json describe(const World& world) {
  json entry{{"name", world.name()},
             {"shape", world.shape()},
             {"values", world.values()},
             {"primitives", world.primitives()},
             {"longest", Samples::longest(world)},
             {"palette", json::array()}};
  for (int value = 0; world.shape().size() == 2 && value < world.values(); ++value) {
    const Colour c = cell_colour(value);
    entry["palette"].push_back(fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]));
  }
  return entry;
}

json get_worlds(Backend&, Samples&, const json&) {
  json list = json::array();
  for (const std::string& name : world_names()) list.push_back(describe(world_named(name)));
  return {{"worlds", list}};
}

json post_sample(Backend&, Samples& samples, const json& body) {
  const World& world = world_named(body.at("world").get<std::string>());
  const auto seed = optional_at<uint64_t>(body, "seed").value_or(std::random_device{}());
  const int64_t length = body.value("length", int64_t{2});
  if (length > Samples::longest(world))
    fail("length: {} is more than {} has samples of, {}", length, world.name(), Samples::longest(world));
  const Episode episode = samples.draw(world, length, seed);
  const auto text = [&](const Observation& o) { return observation_text(world, o); };
  json program = json::array();
  for (int primitive : episode.program) program.push_back(world.primitives()[static_cast<size_t>(primitive)]);
  return {
      {"x", text(episode.support_x)},     {"y", text(episode.support_y)}, {"query_x", text(episode.query_x)},
      {"query_y", text(episode.query_y)}, {"program", program},           {"seed", seed}};
}

json post_apply(Backend&, Samples&, const json& body) {
  const World& world = world_named(body.at("world").get<std::string>());
  std::string names;
  for (const json& name : body.at("program")) names += name.get<std::string>() + " ";
  const auto output = world.run(world.parse_program(names), observation_at(world, body, "input"));
  if (!output) fail("the result would leave the world: off the grid, or over six digits");
  return {{"output", observation_text(world, *output)}};
}

json post_explain(Backend& backend, Samples&, const json& body) {
  const ModelInfo& model = model_named(backend, body.at("model"));
  ExplainRequest request{.model = model.id,
                         .x = observation_at(*model.world, body, "x"),
                         .y = observation_at(*model.world, body, "y"),
                         .steps = optional_at<int64_t>(body, "steps"),
                         .epsilon = optional_at<double>(body, "epsilon"),
                         .alternatives = body.value("alternatives", int64_t{0})};
  for (const json& entry : body.value("override", json::array())) {
    require_code(model, entry.at("code"));
    if (!request.overrides.emplace(entry.at("step"), entry.at("code")).second)
      fail("override: step {} is there twice", entry.at("step").get<int64_t>());
  }
  return backend.explain(request);
}

json post_transfer(Backend& backend, Samples&, const json& body) {
  const ModelInfo& model = model_named(backend, body.at("model"));
  TransferRequest request{.model = model.id, .program = body.at("program").get<std::vector<int64_t>>()};
  for (int64_t code : request.program) require_code(model, code);
  for (const json& input : body.at("inputs"))
    request.inputs.push_back(observation_from_text(*model.world, input.get_ref<const std::string&>()));
  return backend.transfer(request);
}

json post_search(Backend& backend, Samples&, const json& body) {
  const ModelInfo& model = model_named(backend, body.at("model"));
  return backend.search({.model = model.id,
                         .x = observation_at(*model.world, body, "x"),
                         .y = observation_at(*model.world, body, "y"),
                         .calls = body.value("calls", int64_t{400}),
                         .steps = optional_at<int64_t>(body, "steps"),
                         .go_on = body.value("go_on", false)});
}

json post_vocabulary(Backend& backend, Samples&, const json& body) {
  return backend.vocabulary(model_named(backend, body.at("model")).id);
}

json get_openapi(Backend&, Samples&, const json&) { return openapi_document(); }

struct Handler {
  Route route;
  json (*handle)(Backend&, Samples&, const json&);
};
constexpr std::array<Handler, 9> kHandlers{{{{"GET", "/api/models"}, get_models},
                                            {{"GET", "/api/worlds"}, get_worlds},
                                            {{"GET", "/api/openapi.json"}, get_openapi},
                                            {{"POST", "/api/sample"}, post_sample},
                                            {{"POST", "/api/apply"}, post_apply},
                                            {{"POST", "/api/explain"}, post_explain},
                                            {{"POST", "/api/transfer"}, post_transfer},
                                            {{"POST", "/api/search"}, post_search},
                                            {{"POST", "/api/vocabulary"}, post_vocabulary}}};

const Handler& handler_for(std::string_view method, std::string_view path) {
  bool known = false;
  for (const Handler& handler : kHandlers) {
    if (handler.route.path != path) continue;
    if (handler.route.method == method) return handler;
    known = true;
  }
  if (known) throw ApiError(405, fmt::format("{} does not take {}", path, printable(method, 20)));
  throw ApiError(404, "there is nothing here; /api/openapi.json lists what there is");
}

json checked_body(const Handler& handler, std::string_view body) {
  if (handler.route.method != "POST") return nullptr;
  json parsed = parse_json(body);
  const json& schema = openapi_document()["paths"][std::string(handler.route.path)]["post"]["requestBody"]
                                         ["content"]["application/json"]["schema"];
  const std::string error = schema_error(parsed, schema, openapi_document());
  if (!error.empty()) fail("{}", error);
  return parsed;
}

}  // namespace

const json& openapi_document() {
  static const json document = json::parse(embedded_file("openapi.json"));
  return document;
}

std::string error_json(std::string_view message) {
  return json{{"error", message}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<Route> api_routes() {
  std::vector<Route> routes;
  for (const Handler& handler : kHandlers) routes.push_back(handler.route);
  return routes;
}

Answer Api::answer(std::string_view method, std::string_view path, std::string_view body) {
  try {
    const auto start = std::chrono::steady_clock::now();
    const Handler& handler = handler_for(method, path);
    json result = handler.handle(backend_, samples_, checked_body(handler, body));
    if (handler.route.method == "POST") {
      const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
      result["milliseconds"] = taken.count();
    }
    return {200, result.dump()};
  } catch (const ApiError& error) {
    return {error.status(), error_json(error.what())};
  } catch (const Error& error) {
    return {400, error_json(error.what())};
  } catch (const std::bad_alloc&) {
    return {503, error_json("out of memory; try again later")};
  } catch (const std::exception& error) {  // what went wrong inside is no client's business
    fmt::print(stderr, "neo serve: internal error in {}, please report it: {}\n", path, error.what());
    return {500, error_json("internal error; the server's terminal says more")};
  }
}

}  // namespace neo
