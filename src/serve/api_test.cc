#include "serve/api.h"

#include <gtest/gtest.h>

#include <set>

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
  Samples samples_;
  Api api_{backend_, samples_};
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
      {"/api/sample", {{"world", "gridworld"}, {"length", 3}, {"seed", 1}}},
      {"/api/explain",
       {{"model", "arithmetic"},
        {"x", "000007"},
        {"y", "000042"},
        {"override", {{{"step", 1}, {"code", 2}}}}}},
      {"/api/transfer", {{"model", "arithmetic"}, {"program", {0, 1}}, {"inputs", {"000007", "000008"}}}},
      {"/api/apply", {{"world", "arithmetic"}, {"program", {"*2", "*3"}}, {"input", "000007"}}},
      {"/api/search", kExample},
      {"/api/vocabulary", {{"model", "imaging"}}}};
  for (const Route& route : api_routes()) {
    const std::string path(route.path);
    const json answer = route.method == "GET" ? ask("GET", path) : post(path, bodies.at(path));
    EXPECT_EQ(schema_error(answer, answer_schema(path, lowercase(route.method)), openapi_document()), "")
        << path;
  }
}

TEST_F(ApiTest, OverridesGiveACounterfactual) {
  json body = kExample;
  body["override"] = {{{"step", 2}, {"code", 3}}};
  const json answer = post("/api/explain", body);
  EXPECT_EQ(answer["explanation"]["theory"]["trace"], json({"000007", "000014", "000042"}));
  EXPECT_EQ(answer["counterfactual"]["trace"], json({"000007", "000014", "000098"}));
}

TEST_F(ApiTest, TruePrimitivesAreApplied) {
  const auto body = [](const char* program, const char* input) {
    return json{{"world", "arithmetic"}, {"program", {program}}, {"input", input}};
  };
  const std::string name = arithmetic().primitives()[0];
  EXPECT_EQ(post("/api/apply", body(name.c_str(), "000007"))["output"], "000014");
  EXPECT_CONTAINS(error_of("/api/apply", body(name.c_str(), "999999")), "leave the world");
  EXPECT_CONTAINS(error_of("/api/apply", body("divide", "000007")), "divide");
}

TEST_F(ApiTest, UnknownPathsMethodsAndModelsAreTold) {
  EXPECT_CONTAINS(ask("GET", "/api/secrets", "", 404).at("error").get<std::string>(), "nothing here");
  EXPECT_CONTAINS(ask("GET", "/api/explain", "", 405).at("error").get<std::string>(), "does not take GET");
  EXPECT_CONTAINS(error_of("/api/vocabulary", {{"model", "../../etc/passwd"}}, 404), "no model");
}

TEST_F(ApiTest, BadFieldsAreNamed) {
  EXPECT_EQ(ask("POST", "/api/explain", "{", 400).at("error"), "the body is not JSON");
  EXPECT_EQ(error_of("/api/explain", {{"model", "arithmetic"}, {"x", "000007"}}), "'y' is missing");
  EXPECT_EQ(error_of("/api/explain", {{"model", "arithmetic"}, {"x", "7"}, {"y", "000042"}}),
            "x: an observation of arithmetic has 6 digits, not 1");
  EXPECT_EQ(error_of("/api/transfer", {{"model", "arithmetic"}, {"program", {9}}, {"inputs", {"000007"}}}),
            "there is no code 9; arithmetic has codes 0 to 3");
  EXPECT_EQ(error_of("/api/sample", {{"world", "imaging"}, {"length", 8}}),
            "length: 8 is more than imaging has samples of, 4");
  json twice = kExample;
  twice["override"] = {{{"step", 1}, {"code", 0}}, {{"step", 1}, {"code", 1}}};
  EXPECT_EQ(error_of("/api/explain", twice), "override: step 1 is there twice");
}

TEST_F(ApiTest, TextThatIsNoUtf8IsAnsweredKindly) {
  EXPECT_EQ(ask("POST", "/api/vocabulary", "{\"model\": \"\xff\"}", 400).at("error"), "the body is not JSON");
  ask("PO\xffST", "/api/vocabulary", "", 405);
}

}  // namespace
}  // namespace neo
