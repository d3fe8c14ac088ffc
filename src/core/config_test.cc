#include "core/config.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"
#include "core/testing.h"

namespace neo {
namespace {

using testing::error_of;

struct Codebook {
  int64_t width = 64;
  int codes = 256;
  double commitment = 0.25;

  static void visit(auto& c, auto&& field) {
    field("width", c.width, "size of one code vector");
    field("codes", c.codes, "codebook entries");
    field("commitment", c.commitment, "weight of the commitment loss");
  }
};

struct Config {
  std::string world = "gridworld";
  Codebook quantizer;
  bool grounding = true;
  std::vector<double> betas = {0.9, 0.999};

  static void visit(auto& c, auto&& field) {
    field("world", c.world, "which world");
    field("quantizer", c.quantizer, "the codebook");
    field("grounding", c.grounding, "re-encode decoded states");
    field("betas", c.betas, "AdamW's averages");
  }
};

Config from_toml(std::string_view text) {
  Config config;
  load_toml_text(config, text, "test.toml");
  return config;
}

std::string toml_error(std::string_view text) {
  return error_of([&] { from_toml(text); });
}

std::string set_error(std::string_view assignment) {
  Config config;
  return error_of([&] { set_assignment(config, assignment); });
}

TEST(Config, ReadsEveryTypeFromToml) {
  const Config config = from_toml(R"(
    world = "arithmetic"
    grounding = false
    betas = [0.5, 1]
    [quantizer]
    width = 32
    codes = 16
    commitment = 1
  )");
  EXPECT_EQ(config.world, "arithmetic");
  EXPECT_FALSE(config.grounding);
  EXPECT_EQ(config.betas, (std::vector<double>{0.5, 1.0}));
  EXPECT_EQ(config.quantizer.width, 32);
  EXPECT_EQ(config.quantizer.codes, 16);
  EXPECT_EQ(config.quantizer.commitment, 1.0);
}

TEST(Config, KeepsDefaultsOfUnnamedFields) {
  const Config config = from_toml("quantizer.codes = 8");
  EXPECT_EQ(config.quantizer.codes, 8);
  EXPECT_EQ(config.quantizer.width, 64);
  EXPECT_EQ(config.world, "gridworld");
}

TEST(Config, UnknownKeyNamesLineAndNearestKey) {
  EXPECT_EQ(toml_error("world = \"x\"\n[quantizer]\ncode = 3\n"),
            "test.toml:3: unknown key `quantizer.code`; did you mean `quantizer.codes`?");
  EXPECT_EQ(toml_error("codes = 3"), "test.toml:1: unknown key `codes`; did you mean `quantizer.codes`?");
  EXPECT_EQ(toml_error("[zebra.stripes]\nx = 1"),
            "test.toml:1: unknown key `zebra`; --help lists the known keys");
  EXPECT_THROW(from_toml("code = 3"), UsageError);
}

TEST(Config, UnknownKeyWithControlCharactersStaysOneLine) {
  EXPECT_EQ(toml_error("\"a\\nb\" = 1"), "test.toml:1: unknown key `a\\x0ab`; --help lists the known keys");
}

TEST(Config, QuotedDottedKeyIsNotANestedKey) {
  EXPECT_CONTAINS(toml_error("\"quantizer.codes\" = 3"), "unknown key `quantizer.codes`");
}

TEST(Config, WrongTypeNamesKeyLineAndWhatIsNeeded) {
  EXPECT_EQ(toml_error("\nquantizer.width = 2.5"),
            "test.toml:2: `quantizer.width` (size of one code vector) must be an integer of at most 64 bits, "
            "not 2.5");
  EXPECT_CONTAINS(toml_error("world = 3"), "must be a string, not 3");
  EXPECT_CONTAINS(toml_error("grounding = 1"), "must be true or false, not 1");
  EXPECT_CONTAINS(toml_error("betas = [0.9, \"x\"]"), "must be an array of finite numbers, not this array");
  EXPECT_CONTAINS(toml_error("betas = 0.9"), "not 0.9");
  EXPECT_CONTAINS(toml_error("world = 1979-05-27"), "not null or a date");
  EXPECT_CONTAINS(toml_error("world.x = 1"), "`world` (which world) must be a string, not a table");
  EXPECT_CONTAINS(toml_error("quantizer = 3"), "`quantizer` is a table of keys, it cannot be 3");
}

TEST(Config, OutOfRangeNumbersAreRefusedNotTruncated) {
  EXPECT_CONTAINS(toml_error("quantizer.codes = 3000000000"), "between -2147483648 and 2147483647");
  EXPECT_CONTAINS(toml_error("quantizer.width = 9223372036854775808"), "test.toml:1: not valid TOML");
  EXPECT_CONTAINS(toml_error("quantizer.commitment = 9007199254740993"), "must be a finite number");
  EXPECT_CONTAINS(toml_error("quantizer.commitment = inf"), "must be a finite number, not inf");
  EXPECT_CONTAINS(toml_error("quantizer.commitment = nan"), "must be a finite number, not nan");
  EXPECT_CONTAINS(set_error("quantizer.codes=3000000000"), "not 3000000000");
  EXPECT_CONTAINS(set_error("quantizer.width=99999999999999999999"), "an integer of at most 64 bits");
  EXPECT_CONTAINS(set_error("quantizer.commitment=1e999"), "must be a finite number");
}

TEST(Config, BrokenTomlIsOneLineWithPosition) {
  const std::string message = toml_error("world = \"x\"\nbetas = [1, 2\n");
  EXPECT_CONTAINS(message, "test.toml:2: not valid TOML");
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST(Config, TextBeyondAsciiNeedsQuotes) {
  EXPECT_EQ(from_toml("world = \"α\" # β\n").world, "α");
  EXPECT_EQ(from_toml("world = 'α' # it's\n").world, "α");
  for (const char* text : {"\nα = 1", "\nrα = 1", "\nworld = 0ar.\"ɚ", "\nworld = α", "\n\u00a0world = 1"}) {
    EXPECT_CONTAINS(toml_error(text), "test.toml:2: not valid TOML") << text;
  }
}

TEST(Config, NestingBombsAreRefused) {
  std::string dotted = "a";
  for (int i = 0; i < 100000; ++i) dotted += ".a";
  EXPECT_CONTAINS(toml_error(dotted + " = 1"), "too many dots");
  EXPECT_NE(toml_error("betas = " + std::string(10000, '[')), "");
  EXPECT_CONTAINS(toml_error(std::string(1 << 20, '#')), "more than");
}

TEST(Config, DeepestKeysBelowTheLimitsFitTheStack) {
  std::string path = "a";
  for (int i = 0; i < 990; ++i) path += ".a";
  std::string text = "[" + path + "]\n";
  for (int i = 0; i < 15; ++i) text += path + " = [\n{ ";
  EXPECT_NE(toml_error(text), "");
  text += "a = 1";
  for (int i = 0; i < 15; ++i) text += "}]";
  EXPECT_NE(toml_error(text), "");
}

TEST(Config, SetsKeysFromTheCommandLine) {
  Config config;
  set_key(config, "quantizer.codes", "12");
  set_key(config, "quantizer.commitment", "1e-3");
  set_key(config, "grounding", "false");
  set_assignment(config, "world=a=b");
  set_assignment(config, "betas=[0.5, 2]");
  EXPECT_EQ(config.quantizer.codes, 12);
  EXPECT_EQ(config.quantizer.commitment, 1e-3);
  EXPECT_FALSE(config.grounding);
  EXPECT_EQ(config.world, "a=b");
  EXPECT_EQ(config.betas, (std::vector<double>{0.5, 2.0}));
  set_assignment(config, "betas=0.25,1");
  EXPECT_EQ(config.betas, (std::vector<double>{0.25, 1.0}));
  set_assignment(config, "betas=[]");
  EXPECT_TRUE(config.betas.empty());
}

TEST(Config, SetErrorsSayWhatToWrite) {
  EXPECT_EQ(set_error("quantizer.codes"), "--set quantizer.codes: a value is missing; write key=value");
  EXPECT_EQ(set_error("quantiser.codes=3"),
            "--set: unknown key `quantiser.codes`; did you mean `quantizer.codes`?");
  EXPECT_CONTAINS(set_error("quantizer.codes=many"), "not \"many\"");
  EXPECT_CONTAINS(set_error("quantizer.codes=12x"), "not \"12x\"");
  EXPECT_CONTAINS(set_error("grounding=yes"), "must be true or false, not \"yes\"");
  EXPECT_CONTAINS(set_error("betas=1,,2"), "must be an array of finite numbers");
  EXPECT_CONTAINS(set_error("quantizer=3"), "is a table of keys");
  EXPECT_CONTAINS(set_error("world=\xff"), "must be a string, not \"\\xff\"");
}

struct Limits {
  int64_t layers = 4;
  double share = 0.5;
  std::string search = "beam";
  static void visit(auto& c, auto&& field) {
    field("layers", c.layers, "hidden layers", between(1, 64));
    field("share", c.share, "share of the steps", between(0, 1));
    field("search", c.search, "how to search", one_of({"greedy", "beam"}));
  }
};

TEST(Config, WhatAFieldMayBeIsSaidOnceForFilesFlagsHelpAndErrors) {
  Limits limits;
  const auto of_file = [&](const char* text) {
    return error_of([&] { load_toml_text(limits, text, "test.toml"); });
  };
  EXPECT_EQ(of_file("\nlayers = 1099511627776"),
            "test.toml:2: `layers` (hidden layers) must be from 1 to 64, not 1099511627776");
  EXPECT_CONTAINS(of_file("share = -0.5"), "must be from 0 to 1, not -0.5");
  EXPECT_CONTAINS(of_file("search = \"magic\""), "must be one of: greedy, beam, not \"magic\"");
  EXPECT_CONTAINS(error_of([&] { set_assignment(limits, "layers=0"); }), "must be from 1 to 64, not 0");
  EXPECT_CONTAINS(error_of([&] { from_json(limits, {{"layers", -1}}, "weights"); }), "weights: `layers`");
  EXPECT_CONTAINS(describe(Limits{}), "hidden layers (from 1 to 64)");
  EXPECT_CONTAINS(describe(Limits{}), "how to search (one of: greedy, beam)");
}

TEST(Config, ValuesThatWereNeverReadAreCheckedToo) {
  EXPECT_EQ(error_of([] { check_allowed(Limits{}); }), "");
  EXPECT_EQ(error_of([] { check_allowed(Limits{.layers = 65}, "model."); }),
            "model.layers is 65; it must be from 1 to 64");
  EXPECT_CONTAINS(error_of([] { check_allowed(Limits{.share = std::nan("")}); }), "share is");
  EXPECT_CONTAINS(error_of([] { check_allowed(Limits{.search = "x"}); }), "search is \"x\"; it must be one of");
}

TEST(Config, TomlTextIsStableAndCommented) {
  EXPECT_EQ(to_toml(Config{}), R"(world = "gridworld"             # which world
grounding = true                # re-encode decoded states
betas = [0.9, 0.999]            # AdamW's averages

[quantizer]  # the codebook
width = 64                      # size of one code vector
codes = 256                     # codebook entries
commitment = 0.25               # weight of the commitment loss
)");
}

TEST(Config, TomlAndJsonRoundTripExactly) {
  Config config;
  config.world = "tab\t quote\" back\\slash line\n α";
  config.quantizer.width = INT64_MIN;
  config.quantizer.commitment = 0.1 + 0.2;
  config.betas = {1.0, -0.0, 1e300, 5e-324, 123456789.0, 1e22};
  const Config from_text = from_toml(to_toml(config));
  Config from_object;
  from_json(from_object, nlohmann::json::parse(to_json(config).dump()), "json");
  for (const Config& copy : {from_text, from_object}) {
    EXPECT_EQ(copy.world, config.world);
    EXPECT_EQ(copy.quantizer.width, config.quantizer.width);
    EXPECT_EQ(copy.quantizer.commitment, config.quantizer.commitment);
    EXPECT_EQ(copy.betas, config.betas);
    EXPECT_EQ(to_toml(copy), to_toml(config));
  }
}

TEST(Config, JsonErrorsNameKeyAndOrigin) {
  Config config;
  const auto error = [&](const char* text) {
    return error_of([&] { from_json(config, nlohmann::json::parse(text), "weights.safetensors"); });
  };
  EXPECT_EQ(error(R"({"quantizer": {"cods": 3}})"),
            "weights.safetensors: unknown key `quantizer.cods`; did you mean `quantizer.codes`?");
  EXPECT_CONTAINS(error(R"({"quantizer": {"width": 18446744073709551615}})"), "not 18446744073709551615");
  EXPECT_CONTAINS(error(R"({"quantizer": {"width": null}})"), "not null");
  EXPECT_CONTAINS(error("[1]"), "a table of config keys is needed");
}

TEST(Config, DescribesKeysWithValueAndHelp) {
  EXPECT_CONTAINS(describe(Config{}), "  quantizer.codes = 256\n      codebook entries\n");
}

TEST(Config, LoadsFilesAndNamesThemInErrors) {
  const testing::TemporaryFolder folder;
  Config config;
  write_file_atomically(folder / "a.toml", "quantizer.codes = 7\n");
  load_toml(config, folder / "a.toml");
  EXPECT_EQ(config.quantizer.codes, 7);
  write_file_atomically(folder / "b.toml", "codez = 7\n");
  EXPECT_CONTAINS(error_of([&] { load_toml(config, folder / "b.toml"); }), "b.toml:1: unknown key `codez`");
  EXPECT_CONTAINS(error_of([&] { load_toml(config, folder / "none.toml"); }), "none.toml");
}

}  // namespace
}  // namespace neo
