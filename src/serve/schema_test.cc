#include "serve/schema.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace neo {
namespace {
using nlohmann::json;

const json kDocument = json::parse(
    R"({"components": {"schemas": {"Steps": {"type": "integer", "minimum": 1, "maximum": 16}}}})");
const json kSchema = json::parse(R"({
  "type": "object", "additionalProperties": false, "required": ["model"],
  "properties": {
    "model": {"type": "string", "minLength": 1, "maxLength": 5},
    "steps": {"$ref": "#/components/schemas/Steps"},
    "world": {"type": "string", "enum": ["gridworld", "imaging"]},
    "program": {"type": "array", "maxItems": 2, "minItems": 1, "items": {"type": "integer", "minimum": 0}}
  }})");

std::string error_of(const char* text) { return schema_error(json::parse(text), kSchema, kDocument); }

TEST(Schema, WhatFitsIsFine) {
  EXPECT_EQ(error_of(R"({"model": "a", "steps": 16, "world": "imaging", "program": [0, 3]})"), "");
}

TEST(Schema, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of("[]"), "[] is no object");
  EXPECT_EQ(error_of("{}"), "'model' is missing");
  EXPECT_EQ(error_of(R"({"model": "a", "stepz": 1})"),
            "'stepz' is not known here; there are: model, program, steps, world");
  EXPECT_EQ(error_of(R"({"model": "a", "steps": 40})"), "steps: 40 is more than 16");
  EXPECT_EQ(error_of(R"({"model": "a", "steps": 0})"), "steps: 0 is less than 1");
  EXPECT_EQ(error_of(R"({"model": "a", "steps": 1.5})"), "steps: 1.5 is no integer");
  EXPECT_EQ(error_of(R"({"model": "a", "steps": 18446744073709551615})"),
            "steps: 18446744073709551615 is more than 16");
  EXPECT_EQ(error_of(R"({"model": ""})"), "model: the text is too short");
  EXPECT_EQ(error_of(R"({"model": "abcdef"})"), "model: the text has 6 characters, more than 5");
  EXPECT_EQ(error_of(R"({"model": "a", "world": "moon"})"),
            "world: \"moon\" is none of \"gridworld\", \"imaging\"");
  EXPECT_EQ(error_of(R"({"model": "a", "program": [1, 2, 3]})"), "program: it has 3 entries, more than 2");
  EXPECT_EQ(error_of(R"({"model": "a", "program": []})"), "program: it needs at least 1 entries");
  EXPECT_EQ(error_of(R"({"model": "a", "program": [1, -2]})"), "program[1]: -2 is less than 0");
}

TEST(Schema, UncheckedKeywordsAreAMistake) {
  EXPECT_THROW(schema_error("a", {{"pattern", "b"}}, kDocument), std::logic_error);
}

}  // namespace
}  // namespace neo
