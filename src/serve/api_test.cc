#include "serve/api.h"

#include <gtest/gtest.h>

#include <set>

#include "core/files.h"
#include "core/testing.h"
#include "core/text.h"
#include "serve/schema.h"
#include "serve/testing.h"

namespace neo {
namespace {
using nlohmann::json;

class ApiTest : public ::testing::Test {
 protected:
  json ask(const char* method, const std::string& path, const std::string& body = "", int status = 200) {
    const Answer answer = api_.answer(method, path, body);
    EXPECT_EQ(answer.status, status) << answer.json;
    return json::parse(answer.json);
  }
  json post(const std::string& path, const json& body, int status = 200) {
    return ask("POST", path, body.dump(), status);
  }
  std::string error_of(const std::string& path, const json& body, int status = 400) {
    return post(path, body, status).at("error");
  }

  testing::TrueBackend backend_;
  Api api_{backend_};
};

const json& answer_schema(const std::string& path, const std::string& method) {
  return openapi_document()["paths"][path][method]["responses"]["200"]["content"]["application/json"]
                           ["schema"];
}

const json kExample{{"model", "arithmetic"}, {"x", "000007"}, {"y", "000042"}};

TEST_F(ApiTest, DocumentListsExactlyTheRoutes) {
  std::set<std::string> routes;
  for (const Route& route : api_routes())
    routes.insert(lowercase(route.method) + " " + std::string(route.path));
  std::set<std::string> documented;
  for (const auto& [path, methods] : openapi_document()["paths"].items()) {
    for (const auto& [method, ignored] : methods.items()) documented.insert(method + " " + path);
  }
  EXPECT_EQ(routes, documented);
}

TEST_F(ApiTest, AnswersAreAsDocumented) {
  const std::map<std::string, json> bodies{
      {"/api/sample", {{"model", "gridworld"}, {"length", 3}, {"seed", 1}}},
      {"/api/explain",
       {{"model", "arithmetic"},
        {"x", "000007"},
        {"y", "000042"},
        {"override", {{{"step", 1}, {"code", 2}}}}}},
      {"/api/transfer", {{"model", "arithmetic"}, {"program", {0, 1}}, {"inputs", {"000007", "000008"}}}},
      {"/api/apply", {{"model", "arithmetic"}, {"program", {"*2", "*3"}}, {"input", "000007"}}},
      {"/api/search", kExample},
      {"/api/vocabulary", {{"model", "imaging"}}},
      {"/api/training", {{"model", "imaging"}}}};
  for (const Route& route : api_routes()) {
    const std::string path(route.path);
    if (path.starts_with("/api/data")) continue;  // WorkshopTest asks for these
    const json answer = route.method == "GET" ? ask("GET", path) : post(path, bodies.at(path));
    EXPECT_EQ(schema_error(answer, answer_schema(path, lowercase(route.method)), openapi_document()), "")
        << path;
  }
}

TEST_F(ApiTest, OverridesGiveACounterfactual) {
  json body = kExample;
  body["override"] = {{{"step", 2}, {"code", 3}}};
  const json answer = post("/api/explain", body);
  EXPECT_EQ(answer["explanation"]["run"]["trace"], json({"000007", "000014", "000042"}));
  EXPECT_EQ(answer["counterfactual"]["trace"], json({"000007", "000014", "000098"}));
}

TEST_F(ApiTest, ModelsSayWhatTheirObservationsAre) {
  const json models = ask("GET", "/api/models").at("models");
  ASSERT_EQ(models.size(), benchmarks().size() + 1);
  for (size_t i = 0; i < benchmarks().size(); ++i) {
    const Benchmark& benchmark = *benchmarks()[i];
    EXPECT_EQ(models[i]["title"], benchmark.title());
    EXPECT_EQ(models[i]["benchmark"], benchmark.name());
    EXPECT_EQ(models[i]["primitives"], json(benchmark.primitives()));
    EXPECT_EQ(space_from_json(models[i]["space"], "test"), benchmark.space());
    EXPECT_EQ(models[i]["palette"].size(),
              benchmark.space().is_categorical() ? static_cast<size_t>(benchmark.space().most_values()) : 0);
  }
  const json own = models.back();
  EXPECT_EQ(own["title"], "own");
  EXPECT_EQ(own["benchmark"], "");
  EXPECT_EQ(own["primitives"], json::array());
  EXPECT_EQ(own["longest"], 0);
  EXPECT_EQ(own["names"], json({"reverse"}));
}

TEST_F(ApiTest, SamplesOfABenchmarkAreMadeByTheirHiddenProgram) {
  for (const Benchmark* benchmark : benchmarks()) {
    const std::string model(benchmark->name());
    const json sample = post("/api/sample", {{"model", model}, {"length", 2}, {"seed", 7}});
    json body{{"model", model}, {"program", sample.at("program")}, {"input", sample.at("x")}};
    EXPECT_EQ(sample["program"].size(), 2) << model;
    EXPECT_EQ(post("/api/apply", body)["output"], sample["y"]) << model;
    body["input"] = sample.at("query_x");
    EXPECT_EQ(post("/api/apply", body)["output"], sample["query_y"]) << model;
    json again = post("/api/sample", {{"model", model}, {"length", 2}, {"seed", 7}});
    again["milliseconds"] = sample["milliseconds"];
    EXPECT_EQ(again, sample) << model;
  }
}

TEST_F(ApiTest, SamplesOfOwnDataAreThePairsKeptWithTheTheory) {
  const json sample = post("/api/sample", {{"model", "own"}, {"seed", 1}});
  const auto view = make_view(backend_.models().back().space);
  const auto text = [&](const std::vector<double>& values) {
    return view->text(observation_of(view->space(), values));
  };
  EXPECT_EQ(sample["x"], text({1, 2, 3, 4, 5}));
  EXPECT_EQ(sample["y"], text({5, 4, 3, 2, 1}));
  EXPECT_EQ(sample["query_x"], sample["y"]);
  EXPECT_FALSE(sample.contains("program"));
  const json answer = post("/api/explain", {{"model", "own"}, {"x", sample["x"]}, {"y", sample["y"]}});
  EXPECT_EQ(answer["explanation"]["run"]["codes"], json::array({0}));
  EXPECT_EQ(answer["explanation"]["explained"], true);
}

TEST_F(ApiTest, TheoriesWithoutExamplesSaySo) {
  struct Bare : testing::TrueBackend {
    std::optional<ExamplePair> example(const std::string&, uint64_t) override { return std::nullopt; }
  } backend;
  const Answer answer = Api(backend).answer("POST", "/api/sample", R"({"model": "own"})");
  EXPECT_EQ(answer.status, 404);
  EXPECT_CONTAINS(answer.json, "no examples are kept with own");
}

TEST_F(ApiTest, TruePrimitivesAreApplied) {
  const auto body = [](const std::string& program, const char* input) {
    return json{{"model", "arithmetic"}, {"program", {program}}, {"input", input}};
  };
  const std::string name = benchmark_named("arithmetic").primitives()[0];
  EXPECT_EQ(post("/api/apply", body(name, "000007"))["output"], "000014");
  EXPECT_CONTAINS(error_of("/api/apply", body(name, "999999")), "a primitive does not apply");
  EXPECT_CONTAINS(error_of("/api/apply", body("divide", "000007")), "divide");
}

TEST_F(ApiTest, OwnDataHaveNoTruePrimitives) {
  const json x = post("/api/sample", {{"model", "own"}})["x"];
  EXPECT_CONTAINS(error_of("/api/apply", {{"model", "own"}, {"program", {"reverse"}}, {"input", x}}),
                  "none to apply");
}

// Own data that call themselves after a benchmark but look different are still own data.
TEST_F(ApiTest, ABenchmarkIsKnownByItsSpaceToo) {
  ModelInfo info = backend_.models().back();
  info.benchmark = "gridworld";
  EXPECT_EQ(ServedModel(info).benchmark(), nullptr);
  EXPECT_EQ(ServedModel(info).description()["benchmark"], "");
}

TEST_F(ApiTest, LimitsFollowTheLargestObservations) {
  ModelInfo info = backend_.models().back();
  info.space = {.kind = Kind::pixels, .layout = Layout::image, .shape = {128, 128, 4}};
  EXPECT_EQ(ServedModel(info).longest_text(), 87384);  // base64
  EXPECT_EQ(ServedModel(info).most_calls(), 191);
  EXPECT_EQ(ServedModel(backend_.models().back()).most_calls(), 2000);
  info.space = {.kind = Kind::real, .layout = Layout::vector, .shape = {1000}};
  EXPECT_GT(ServedModel(info).longest_text(), 10'000);
  EXPECT_GT(api_.largest_body(), 3 * api_.models().front().longest_text());
}

TEST_F(ApiTest, UnknownPathsMethodsAndModelsAreTold) {
  EXPECT_CONTAINS(ask("GET", "/api/secrets", "", 404).at("error").get<std::string>(), "nothing here");
  EXPECT_CONTAINS(ask("GET", "/api/explain", "", 405).at("error").get<std::string>(), "does not take GET");
  EXPECT_CONTAINS(error_of("/api/vocabulary", {{"model", "../../etc/passwd"}}, 404), "no model");
}

TEST_F(ApiTest, BadFieldsAreNamed) {
  EXPECT_EQ(ask("POST", "/api/explain", "{", 400).at("error"), "the body is not JSON");
  EXPECT_EQ(error_of("/api/explain", {{"model", "arithmetic"}, {"x", "000007"}}), "'y' is missing");
  const auto view = make_view(benchmark_named("arithmetic").space());
  EXPECT_EQ(error_of("/api/explain", {{"model", "arithmetic"}, {"x", "7"}, {"y", "000042"}}),
            "x: " + testing::error_of([&] { view->from_text("7"); }));
  EXPECT_EQ(error_of("/api/transfer", {{"model", "arithmetic"}, {"program", {9}}, {"inputs", {"000007"}}}),
            "there is no code 9; arithmetic has codes 0 to 3");
  EXPECT_EQ(error_of("/api/sample", {{"model", "imaging"}, {"length", 8}}),
            "length: 8 is more than Imaging has samples of, 4");
  EXPECT_CONTAINS(error_of("/api/transfer", {{"model", "own"}, {"program", {0}}, {"inputs", {"?"}}}),
                  "inputs[0]: ");
  json twice = kExample;
  twice["override"] = {{{"step", 1}, {"code", 0}}, {{"step", 1}, {"code", 1}}};
  EXPECT_EQ(error_of("/api/explain", twice), "override: step 1 is given twice");
}

// What the page writes is what the server reads: web/test/observations.test.mjs takes the same list.
TEST(Observations, TravelAsThePageWritesThem) {
  const json list =
      json::parse(read_file(std::filesystem::path(NEO_SOURCE_DIR) / "web/test/observations.json"));
  ASSERT_GT(list.size(), 10);
  for (const json& entry : list) {
    const auto view = make_view(space_from_json(entry["space"], "test"));
    const Observation observation =
        observation_of(view->space(), entry["values"].get<std::vector<double>>());
    EXPECT_EQ(view->text(observation), entry["text"]);
    EXPECT_EQ(view->from_text(entry["text"].get<std::string>()), observation) << entry["text"];
  }
}

TEST_F(ApiTest, TextThatIsNoUtf8IsAnsweredKindly) {
  EXPECT_EQ(ask("POST", "/api/vocabulary", "{\"model\": \"\xff\"}", 400).at("error"), "the body is not JSON");
  ask("PO\xffST", "/api/vocabulary", "", 405);
}

}  // namespace
}  // namespace neo
