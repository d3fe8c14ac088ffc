#include "serve/api.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <random>

#include "core/base64.h"
#include "core/embedded.h"
#include "core/text.h"
#include "serve/schema.h"
#include "serve/wire.h"

namespace neo {
namespace {
using nlohmann::json;

constexpr size_t kObservations = 3;   // of a request
constexpr size_t kSlack = 16 * 1024;  // for its other fields

const ServedModel& model_of(const Api& api, const json& body) {
  return api.model(body.at("model").get_ref<const std::string&>());
}

Observation observation_at(const ServedModel& model, const json& body, const char* field) {
  return model.observation(body.at(field).get_ref<const std::string&>(), field);
}

template <typename T>
std::optional<T> optional_at(const json& body, const char* field) {
  return body.contains(field) ? std::optional<T>(body.at(field).get<T>()) : std::nullopt;
}

void require_code(const ModelInfo& model, int64_t code) {
  if (code >= model.codes) fail("there is no code {}; {} has codes 0 to {}", code, model.id, model.codes - 1);
}

ExamplePair benchmark_example(const Benchmark& benchmark, int64_t length, uint64_t seed) {
  if (length > benchmark.longest_sample())
    fail("length: {} is more than {} has samples of, {}", length, benchmark.title(),
         benchmark.longest_sample());
  Episode episode = benchmark.sample(length, seed, Benchmark::Inputs::display);
  ExamplePair example{.x = std::move(episode.support_x),
                      .y = std::move(episode.support_y),
                      .query = std::pair{std::move(episode.query_x), std::move(episode.query_y)},
                      .program = {}};
  for (int primitive : episode.program)
    example.program.push_back(benchmark.primitives()[static_cast<size_t>(primitive)]);
  return example;
}

ExamplePair kept_example(Backend& backend, const std::string& model, uint64_t seed) {
  auto example = backend.example(model, seed);
  if (!example)
    throw ApiError(404, fmt::format("no examples are kept with {}; give x and y yourself", model));
  return std::move(*example);
}

using Client = std::function<bool()>;  // has it gone?

json get_models(const Api& api, const json&, const Client&) {
  json list = json::array();
  for (const ServedModel& model : api.models()) list.push_back(model.description());
  return {{"models", list}};
}

json get_openapi(const Api&, const json&, const Client&) { return openapi_document(); }

json post_sample(const Api& api, const json& body, const Client&) {
  const ServedModel& model = model_of(api, body);
  const uint64_t seed = optional_at<uint64_t>(body, "seed").value_or(std::random_device{}());
  const ExamplePair example =
      model.benchmark() ? benchmark_example(*model.benchmark(), body.value("length", int64_t{2}), seed)
                        : kept_example(api.backend(), model.info().id, seed);
  json out{{"x", model.text(example.x)}, {"y", model.text(example.y)}, {"seed", seed}};
  if (example.query) {
    out["query_x"] = model.text(example.query->first);
    out["query_y"] = model.text(example.query->second);
  }
  if (!example.program.empty()) out["program"] = example.program;
  return out;
}

json post_apply(const Api& api, const json& body, const Client&) {
  const ServedModel& model = model_of(api, body);
  const Benchmark* benchmark = model.benchmark();
  if (benchmark == nullptr)
    fail("{} was learned from data that has no named primitives; there are none to apply", model.info().id);
  std::string names;
  for (const json& name : body.at("program")) names += name.get<std::string>() + " ";
  const auto output = benchmark->run(benchmark->parse_program(names), observation_at(model, body, "input"));
  if (!output)
    fail("the result would be no observation of {}: a primitive does not apply", benchmark->title());
  return {{"output", model.text(*output)}};
}

json post_explain(const Api& api, const json& body, const Client&) {
  const ServedModel& model = model_of(api, body);
  ExplainRequest request{.model = model.info().id,
                         .x = observation_at(model, body, "x"),
                         .y = observation_at(model, body, "y"),
                         .steps = optional_at<int64_t>(body, "steps"),
                         .tolerance = optional_at<double>(body, "tolerance"),
                         .alternatives = body.value("alternatives", int64_t{0})};
  for (const json& entry : body.value("override", json::array())) {
    require_code(model.info(), entry.at("code"));
    if (!request.overrides.emplace(entry.at("step"), entry.at("code")).second)
      fail("override: step {} is given twice", entry.at("step").get<int64_t>());
  }
  return api.backend().explain(request);
}

json post_transfer(const Api& api, const json& body, const Client&) {
  const ServedModel& model = model_of(api, body);
  TransferRequest request{.model = model.info().id,
                          .program = body.at("program").get<std::vector<int64_t>>()};
  for (int64_t code : request.program) require_code(model.info(), code);
  for (const json& input : body.at("inputs")) {
    const std::string field = fmt::format("inputs[{}]", request.inputs.size());
    request.inputs.push_back(model.observation(input.get_ref<const std::string&>(), field));
  }
  return api.backend().transfer(request);
}

json post_search(const Api& api, const json& body, const Client& is_abandoned) {
  const ServedModel& model = model_of(api, body);
  const int64_t calls = body.value("calls", std::min<int64_t>(400, model.most_calls()));
  if (calls > model.most_calls())
    fail("calls: {} is more than {}, the most for observations as large as those of {}", calls,
         model.most_calls(), model.info().id);
  return api.backend().search({.model = model.info().id,
                               .x = observation_at(model, body, "x"),
                               .y = observation_at(model, body, "y"),
                               .calls = calls,
                               .steps = optional_at<int64_t>(body, "steps"),
                               .exhaust_calls = body.value("exhaust_calls", false),
                               .is_abandoned = is_abandoned});
}

json post_vocabulary(const Api& api, const json& body, const Client&) {
  return api.backend().vocabulary(model_of(api, body).info().id);
}

json post_training(const Api& api, const json& body, const Client&) {
  return api.backend().training(model_of(api, body).info().id);
}

json get_data(const Api& api, const json&, const Client&) {
  if (api.has_workshop()) return api.workshop().description();
  return {{"enabled", false}, {"minutes", 0}, {"bytes", 0}, {"endings", json::array()}};
}

json post_receive(const Api& api, const json& body, const Client&) {
  const auto content = base64_decode(body.at("content").get_ref<const std::string&>());
  return api.workshop().receive(body.at("name"), {reinterpret_cast<const char*>(content.data()), content.size()});
}

json post_learn(const Api& api, const json& body, const Client&) {
  api.workshop().learn(body.at("data"), body.at("minutes"));
  return json::object();
}

json post_stop(const Api& api, const json& body, const Client&) {
  api.workshop().stop(body.at("data"));
  return json::object();
}

json post_save(const Api& api, const json& body, const Client&) {
  return {{"run", api.workshop().save(body.at("data"), body.at("name"))}};
}

json post_forget(const Api& api, const json& body, const Client&) {
  api.workshop().forget(body.at("data"));
  return json::object();
}

struct Handler {
  Route route;
  json (*handle)(const Api&, const json&, const Client&);
};
constexpr std::array<Handler, 15> kHandlers{{{{"GET", "/api/models"}, get_models},
                                            {{"GET", "/api/openapi.json"}, get_openapi},
                                            {{"POST", "/api/sample"}, post_sample},
                                            {{"POST", "/api/apply"}, post_apply},
                                            {{"POST", "/api/explain"}, post_explain},
                                            {{"POST", "/api/transfer"}, post_transfer},
                                            {{"POST", "/api/search"}, post_search},
                                            {{"POST", "/api/vocabulary"}, post_vocabulary},
                                            {{"POST", "/api/training"}, post_training},
                                            {{"GET", "/api/data"}, get_data},
                                            {{"POST", "/api/data/receive"}, post_receive},
                                            {{"POST", "/api/data/learn"}, post_learn},
                                            {{"POST", "/api/data/stop"}, post_stop},
                                            {{"POST", "/api/data/save"}, post_save},
                                            {{"POST", "/api/data/forget"}, post_forget}}};

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
  for (const std::string_view path : {kDataEvents, kDataTheory}) routes.push_back({"GET", path});
  return routes;
}

Api::Api(Backend& backend, Workshop* workshop) : backend_(backend), workshop_(workshop) {
  for (const ModelInfo& info : backend.models()) models_.emplace_back(info);
}

Workshop& Api::workshop() const {
  if (workshop_ == nullptr) throw ApiError(403, "learning is off on this server; `neo learn FILE` does it on the command line");
  return *workshop_;
}

const ServedModel& Api::model(const std::string& id) const {
  for (const ServedModel& model : models_) {
    if (model.info().id == id) return model;
  }
  throw ApiError(404, fmt::format("there is no model '{}'", printable(id, 60)));
}

size_t Api::largest_body() const {
  size_t longest = 0;
  for (const ServedModel& model : models_) longest = std::max(longest, model.longest_text());
  return kObservations * longest + kSlack;
}

Answer Api::answer(std::string_view method, std::string_view path, std::string_view body,
                   const std::function<bool()>& is_abandoned) {
  try {
    const auto start = std::chrono::steady_clock::now();
    const Handler& handler = handler_for(method, path);
    json result = handler.handle(*this, checked_body(handler, body), is_abandoned);
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
