#include "serve/workshop.h"

#include <gtest/gtest.h>

#include <thread>

#include "core/base64.h"
#include "core/error.h"
#include "core/files.h"
#include "core/testing.h"
#include "serve/api.h"
#include "serve/schema.h"
#include "serve/testing.h"

namespace neo {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

std::string pairs_text(int pairs = 40) {
  std::string text;
  for (int i = 0; i < pairs; ++i) {
    const int a = i % 3, b = i / 3 % 3, c = i / 9 % 3;
    text += fmt::format("{{\"x\": [{}, {}, {}], \"y\": [{}, {}, {}]}}\n", a, b, c, c, a, b);
  }
  return text;
}

// Learns without learning: writes what a run writes, one step every moment until it is told to stop.
constexpr const char* kLearner = R"(#!/bin/sh
run=$4
mkdir -p "$run"
echo '{}' > "$run/manifest.json"; echo > "$run/config.toml"
echo a theory > "$run/best.safetensors"
trap 'exit 130' TERM
step=0
while [ $step -lt ${STEPS:-1000} ]; do
  step=$((step + 1))
  echo "{\"step\": $step, \"loss\": 0.5, \"solved\": 0.25}" >> "$run/metrics.jsonl"
  sleep 0.02
done
echo '{"run": "/somewhere", "codes": 3, "explained": 1.0}' > "$run/learned.json"
)";

class WorkshopTest : public ::testing::Test {
 protected:
  WorkshopTest() {
    write_file_atomically(program_, kLearner);
    fs::permissions(program_, fs::perms::owner_all);
    setenv("STEPS", "1000", 1);
  }
  std::string sent() { return workshop_.receive("moves.jsonl", pairs_text())["data"]; }
  json awaited(const std::string& id, const std::string& state) {
    json progress;
    for (int i = 0; i < 500; ++i) {
      progress = workshop_.progress(id);
      if (progress["state"] == state) return progress;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ADD_FAILURE() << "never " << state << ": " << progress;
    return progress;
  }

  testing::TemporaryFolder folder_;
  const fs::path program_ = folder_ / "learner";
  int named_ = 0;
  Workshop workshop_{{.minutes = 1,
                      .program = program_,
                      .saved = folder_ / "runs",
                      .patience = std::chrono::seconds(0),
                      .vocabulary = [this](const fs::path&) { return json{{"codes", ++named_}}; }}};
};

TEST_F(WorkshopTest, AFileIsUnderstoodAndShown) {
  const json found = workshop_.receive("Moves.JSONL", pairs_text());
  EXPECT_EQ(found["pairs"], 40);
  EXPECT_EQ(found["samples"].size(), 24U);
  EXPECT_EQ(found["space"]["shape"], json({3}));
  EXPECT_FALSE(found["description"].get<std::string>().empty());
}

TEST_F(WorkshopTest, WhatIsNoDataIsRefusedInOneLine) {
  for (const auto& [name, content] : std::map<std::string, std::string>{
           {"a.exe", "x"}, {"a.jsonl", ""}, {"a.jsonl", "{"}, {"../../x.npz", "PK\3\4nonsense"}, {"a.h5", std::string(2000, 'x')}, {"noending", "x"}}) {
    try {
      workshop_.receive(name, content);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(workshop_.receive("a.csv", std::string(Workshop::kMostBytes + 1, '1')), ApiError);
}

TEST_F(WorkshopTest, ATrainingIsWatchedStoppedResumedAndFinished) {
  const std::string id = sent();
  EXPECT_EQ(workshop_.progress(id)["state"], "ready");
  workshop_.learn(id, 0.5);
  const json running = awaited(id, "training");
  EXPECT_EQ(running["points"][0], json({1, 0.5, 0.25}));
  workshop_.stop(id);
  EXPECT_GT(awaited(id, "stopped")["step"], 0);
  setenv("STEPS", "3", 1);
  workshop_.learn(id, 0.5);
  const json finished = awaited(id, "finished");
  EXPECT_EQ(finished["result"]["codes"], 3);
  EXPECT_FALSE(finished["result"].contains("run"));
  EXPECT_EQ(workshop_.theory(id), "a theory\n");
  EXPECT_THROW(workshop_.learn(id, 0.5), ApiError);  // there is nothing left to learn
}

TEST_F(WorkshopTest, OneTrainingAtATimeAndNoneBeyondTheLimit) {
  const std::string one = sent(), other = sent();
  EXPECT_THROW(workshop_.learn(one, 2), Error);
  workshop_.learn(one, 1);
  EXPECT_THROW(workshop_.learn(other, 1), ApiError);
  workshop_.stop(one);
  awaited(one, "stopped");
  workshop_.learn(other, 1);
}

TEST_F(WorkshopTest, TheVocabularyComesWhenItHasChanged) {
  const std::string id = sent();
  int64_t stamp = 0;
  EXPECT_TRUE(workshop_.vocabulary(id, stamp).is_null());
  workshop_.learn(id, 1);
  awaited(id, "training");
  EXPECT_EQ(workshop_.vocabulary(id, stamp)["codes"], 1);
  EXPECT_TRUE(workshop_.vocabulary(id, stamp).is_null());
  int64_t another = 0;
  EXPECT_EQ(workshop_.vocabulary(id, another)["codes"], 1);
}

TEST_F(WorkshopTest, NothingIsKeptUnlessItIsSaved) {
  const std::string id = sent();
  setenv("STEPS", "2", 1);
  EXPECT_THROW(workshop_.save(id, "mine"), ApiError);
  workshop_.learn(id, 1);
  awaited(id, "finished");
  for (const std::string bad : {"", "../up", "a/b", ".", "a b"}) EXPECT_THROW(workshop_.save(id, bad), Error) << bad;
  workshop_.save(id, "mine");
  EXPECT_TRUE(fs::exists(folder_ / "runs" / "mine" / "best.safetensors"));
  EXPECT_THROW(workshop_.save(id, "mine"), ApiError);
  workshop_.forget(id);
  EXPECT_THROW(workshop_.progress(id), ApiError);
}

TEST_F(WorkshopTest, WhatNobodyLooksAtIsStoppedAndForgotten) {
  const std::string id = sent();
  workshop_.learn(id, 1);
  awaited(id, "training");
  bool is_there = true;
  for (int i = 0; i < 100 && is_there; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    workshop_.tend();
    try {
      workshop_.theory(id);
    } catch (const ApiError&) {
      is_there = false;
    }
  }
  EXPECT_FALSE(is_there);
}

TEST_F(WorkshopTest, AnswersAreAsDocumented) {
  testing::TrueBackend backend;
  Api api(backend, &workshop_);
  const auto ask = [&](const char* method, const std::string& path, const json& body) {
    const Answer answer = api.answer(method, path, body.is_null() ? "" : body.dump());
    EXPECT_EQ(answer.status, 200) << path << answer.json;
    const json parsed = json::parse(answer.json);
    const json& schema = openapi_document()["paths"][path][std::string(method) == "GET" ? "get" : "post"]["responses"]["200"]
                                           ["content"]["application/json"]["schema"];
    EXPECT_EQ(schema_error(parsed, schema, openapi_document()), "") << path;
    return parsed;
  };
  ask("GET", "/api/data", nullptr);
  const std::string text = pairs_text();
  const json found = ask("POST", "/api/data/receive", {{"name", "a.jsonl"}, {"content", base64_encode(std::vector<uint8_t>(text.begin(), text.end()))}});
  const json id{{"data", found["data"]}};
  setenv("STEPS", "2", 1);
  ask("POST", "/api/data/learn", {{"data", found["data"]}, {"minutes", 1}});
  const json progress = awaited(found["data"], "finished");
  EXPECT_EQ(schema_error(progress, openapi_document()["components"]["schemas"]["DataProgress"], openapi_document()), "");
  ask("POST", "/api/data/save", {{"data", found["data"]}, {"name", "kept"}});
  ask("POST", "/api/data/stop", id);
  ask("POST", "/api/data/forget", id);
}

TEST(Learning, IsOffWithoutAWorkshop) {
  testing::TrueBackend backend;
  Api api(backend);
  EXPECT_NE(api.answer("GET", "/api/data", "").json.find("\"enabled\":false"), std::string::npos);
  EXPECT_EQ(api.answer("POST", "/api/data/learn", R"({"data": "a", "minutes": 1})").status, 403);
}

}  // namespace
}  // namespace neo
