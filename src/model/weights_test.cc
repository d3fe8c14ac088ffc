#include "model/weights.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/config.h"
#include "core/testing.h"
#include "model/size.h"
#include "model/testing.h"
#include "observe/pretrain.h"

namespace neo {
namespace {

NeoConfig small_grid_config() {
  NeoConfig config;
  config.observation = {.kind = "tokens", .width = 8};
  config.programmer = {.kind = "projections", .hidden = 16, .layers = 1, .features = 4};
  config.executor = {.kind = "local", .hidden = 16};
  config.quantizer = {.codes = 4, .width = 6};
  return config;
}

TEST(Theory, ComesBackFromItsFileWithTheSameBehaviour) {
  testing::TemporaryFolder folder;
  Neo model(small_grid_config(), testing::grid_space());
  model->observation().freeze();
  model->eval();
  save_theory(folder / "t.safetensors", *model, {.preset = "fast", .alpha = 0.33, .seed = 42, .step = 100});
  LoadedTheory loaded = load_theory(folder / "t.safetensors");
  EXPECT_EQ(loaded.info.alpha, 0.33);
  EXPECT_EQ(loaded.info.step, 100);
  torch::NoGradGuard no_grad;
  const auto grids = torch::randint(0, 9, {4, 100}, torch::kUInt8);
  const auto codes = torch::tensor({0, 1, 2, 3});
  EXPECT_TRUE(torch::equal(model->step(model->observation().encode(grids), codes),
                           loaded.model->step(loaded.model->observation().encode(grids), codes)));
}

TEST(Theory, FilesOfAnotherKindAreOneClearError) {
  testing::TemporaryFolder folder;
  write_safetensors(folder / "x.safetensors", {{{"format", "something"}}, {}});
  EXPECT_NE(testing::error_of([&] { load_theory(folder / "x.safetensors"); }).find("neo train"),
            std::string::npos);
}

TEST(Theory, ATensorOfTheWrongShapeIsNamed) {
  testing::TemporaryFolder folder;
  Neo model(small_grid_config(), testing::grid_space());
  save_theory(folder / "t.safetensors", *model, {.preset = "fast", .alpha = 0.33, .seed = 42, .step = 100});
  TensorFile file = read_safetensors(folder / "t.safetensors");
  file.tensors["executor.taps.bias"] = to_tensor_data(torch::zeros({3}));
  write_safetensors(folder / "t.safetensors", file);
  EXPECT_NE(testing::error_of([&] { load_theory(folder / "t.safetensors"); }).find("executor.taps.bias"),
            std::string::npos);
}

// Saves a theory of `config`, changes its file, and says what loading it then complains about.
std::string complaint_about(const NeoConfig& config, const std::function<void(TensorFile&)>& change) {
  testing::TemporaryFolder folder;
  Neo model(config, testing::grid_space());
  save_theory(folder / "t.safetensors", *model, {.preset = "fast", .alpha = 0.33, .seed = 42, .step = 100});
  TensorFile file = read_safetensors(folder / "t.safetensors");
  change(file);
  write_safetensors(folder / "t.safetensors", file);
  return testing::error_of([&] { load_theory(folder / "t.safetensors"); });
}

TEST(Theory, AWeightThatIsNotFiniteIsNamed) {
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    const auto spoil = [bad](TensorFile& file) {
      auto values = to_tensor(file.tensors.at("executor.taps.bias"));
      values[1] = bad;
      file.tensors["executor.taps.bias"] = to_tensor_data(values);
    };
    EXPECT_CONTAINS(complaint_about(small_grid_config(), spoil), "'executor.taps.bias' holds a value that is not a finite");
  }
}

TEST(Theory, SettingsThatClaimMoreThanTheFileHoldsAreRefusedBeforeAnythingIsAllocated) {
  const auto claim = [](const char* part, const char* key, const nlohmann::json& value) {
    return complaint_about(small_grid_config(), [&](TensorFile& file) {
      auto config = nlohmann::json::parse(file.metadata.at("config"));
      config[part][key] = value;
      file.metadata["config"] = config.dump();
    });
  };
  EXPECT_CONTAINS(claim("programmer", "hidden", 8192), "its settings describe a model of");
  EXPECT_CONTAINS(claim("quantizer", "codes", 4096), "its settings describe a model of");
  EXPECT_CONTAINS(claim("executor", "kind", "bilinear"), "its settings describe a model of");
  EXPECT_CONTAINS(claim("programmer", "layers", int64_t{1} << 40), "must be from 0 to 64");
  EXPECT_CONTAINS(claim("programmer", "heads", 0), "must be from 1 to 256");
  EXPECT_CONTAINS(claim("executor", "kind", "nonsense"), "must be one of");
}

// No architecture may be refused for lack of tensors that it does not have.
TEST(Size, IsNeverMoreThanTheParametersThatAreMade) {
  for (const char* programmer : {"mlp", "products", "projections", "transformer"}) {
    for (const char* executor : {"film", "bilinear", "local", "recurrent", "attention"}) {
      for (const int64_t layers : {1, 3}) {
        NeoConfig config = small_grid_config();
        config.observation.width = 2;
        config.programmer = {.kind = programmer, .hidden = 16, .layers = layers, .features = 3, .heads = 2};
        config.executor = {.kind = executor, .hidden = 16, .blocks = layers, .layers = layers};
        Neo model(config, testing::grid_space());
        double made = 0;
        for (const auto& parameter : model->parameters()) made += static_cast<double>(parameter.numel());
        EXPECT_LE(least_parameters(config, testing::grid_space()), made) << programmer << " " << executor;
      }
    }
  }
}

// A pair in which one cell moves up.
Pair example(int row, int32_t group) {
  return {testing::grid_with(row, 3), testing::grid_with(row - 1, 3), group, ""};
}

TEST(Theory, ItsFileTellsEverythingAboutIt) {
  testing::TemporaryFolder folder;
  Neo model = testing::grid_theory();
  TheoryInfo info{.benchmark = "mars",
                  .source = "400 pairs of moves.npz",
                  .preset = "fast",
                  .alpha = 0.66,
                  .grouped = true,
                  .seed = 18446744073709551615ULL,
                  .step = 12,
                  .data_digest = "abc",
                  .settings = "batch = 3\n",
                  .policy = {.steps = 9,
                             .lambda = 0.97,
                             .fallback = "mdl",
                             .tolerance = 0.125,
                             .search = "beam",
                             .width = 5,
                             .temperature = 0.2},
                  .names = {"up", "", "\"down\"", "left"},
                  .examples = {example(4, -1), example(7, 2)}};
  save_theory(folder / "t.safetensors", *model, info);
  const LoadedTheory loaded = load_theory(folder / "t.safetensors");
  EXPECT_EQ(loaded.model->space(), testing::grid_space());
  EXPECT_EQ(loaded.info.benchmark, info.benchmark);
  EXPECT_EQ(loaded.info.source, info.source);
  EXPECT_EQ(loaded.info.preset, info.preset);
  EXPECT_EQ(loaded.info.alpha, info.alpha);
  EXPECT_TRUE(loaded.info.grouped);
  EXPECT_EQ(loaded.info.seed, info.seed);
  EXPECT_EQ(loaded.info.step, info.step);
  EXPECT_EQ(loaded.info.data_digest, info.data_digest);
  EXPECT_EQ(loaded.info.settings, info.settings);
  EXPECT_EQ(to_json(loaded.info.policy), to_json(info.policy));
  EXPECT_EQ(loaded.info.names, info.names);
  ASSERT_EQ(loaded.info.examples.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(loaded.info.examples[i].x, info.examples[i].x);
    EXPECT_EQ(loaded.info.examples[i].y, info.examples[i].y);
    EXPECT_EQ(loaded.info.examples[i].group, info.examples[i].group);
  }
}

TEST(Theory, KeepsItsSpaceWhateverTheObservations) {
  testing::TemporaryFolder folder;
  NeoConfig config = small_grid_config();
  config.programmer.kind = "mlp";
  config.executor.kind = "film";
  const Space text{.layout = Layout::sequence,
                   .shape = {5},
                   .values = {4},
                   .padded = true,
                   .symbols = {"a", "b", "\u00e9", " "}};
  const Space channels{.layout = Layout::grid, .shape = {5, 4, 3}, .values = {6, 2, 4}};
  const Space reals{.kind = Kind::real, .layout = Layout::vector, .shape = {3}};
  for (const Space& space : {text, channels, reals}) {
    config.observation.kind = space.is_categorical() ? "tokens" : "linear";
    Neo model(config, space);
    save_theory(folder / "t.safetensors", *model, {});
    EXPECT_EQ(load_theory(folder / "t.safetensors").model->space(), space);
  }
}

// What loading says about the file of a theory in which something was changed.
template <typename Change>
std::string message_after(Change&& change) {
  testing::TemporaryFolder folder;
  Neo model = testing::grid_theory();
  save_theory(folder / "t.safetensors", *model, {.examples = {example(4, -1)}});
  TensorFile file = read_safetensors(folder / "t.safetensors");
  change(file);
  write_safetensors(folder / "t.safetensors", file);
  return testing::error_of([&] { load_theory(folder / "t.safetensors"); });
}

TEST(Theory, AFileOfAnotherVersionIsOneClearLine) {
  EXPECT_EQ(message_after([](TensorFile&) {}), "");
  for (const char* version : {"1", "3"}) {
    const std::string message = message_after([&](TensorFile& f) { f.metadata["version"] = version; });
    EXPECT_CONTAINS(message, fmt::format("version {}", version));
    EXPECT_CONTAINS(message, "train it again");
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
  EXPECT_CONTAINS(message_after([](TensorFile& f) { f.metadata.erase("version"); }), "version ?");
}

TEST(Theory, ExamplesThatAreNoneOfItsObservationsAreRefused) {
  EXPECT_CONTAINS(message_after([](TensorFile& f) {
                    f.tensors["examples.x"] = to_tensor_data(torch::zeros({1, 99}, torch::kByte));
                    f.tensors["examples.y"] = f.tensors["examples.x"];
                  }),
                  "examples");
  EXPECT_CONTAINS(message_after([](TensorFile& f) {
                    f.tensors["examples.y"] = to_tensor_data(torch::zeros({2, 100}, torch::kByte));
                  }),
                  "examples");
  EXPECT_CONTAINS(message_after([](TensorFile& f) {
                    f.tensors["examples.group"] = to_tensor_data(torch::zeros({2}, torch::kInt));
                  }),
                  "examples");
  EXPECT_CONTAINS(message_after([](TensorFile& f) {  // the theory knows nine values
                    f.tensors["examples.x"] = to_tensor_data(torch::full({1, 100}, 9, torch::kByte));
                  }),
                  "t.safetensors");
}

TEST(Theory, WhatItsHeaderLacksOrGarblesIsNamed) {
  EXPECT_CONTAINS(message_after([](TensorFile& f) { f.metadata.erase("policy"); }), "'policy'");
  for (const char* key : {"policy", "names", "space", "config", "alpha", "seed"}) {
    const std::string message = message_after([&](TensorFile& f) { f.metadata[key] = "{"; });
    EXPECT_CONTAINS(message, "t.safetensors");
    EXPECT_CONTAINS(message, "damaged");
  }
  EXPECT_CONTAINS(message_after([](TensorFile& f) { f.metadata["policy"] = R"({"steps": 0})"; }),
                  "policy: `steps`");
}

TEST(ObservationWeights, OfOtherObservationsAreRefused) {
  testing::TemporaryFolder folder;
  const ObservationConfig config{.kind = "tokens", .width = 4};
  save_observation_model(folder / "o.safetensors", *make_observation_model(config, testing::grid_space()),
                         config);
  const auto numbers = make_observation_model(config, testing::number_space());
  EXPECT_CONTAINS(
      testing::error_of([&] { load_observation_model(folder / "o.safetensors", *numbers, config); }),
      "number of 6 digits");
}

TEST(ObservationWeights, TheResidualVaeComesBackAsItWasPretrained) {
  testing::TemporaryFolder folder;
  torch::manual_seed(1);
  const Space space = testing::image_space();
  const ObservationConfig config{.kind = "residual-vae", .width = 4, .beta = 1e-4};
  const auto images = torch::randint(0, 256, {6, space.size()}, torch::kUInt8);
  const auto model = make_observation_model(config, space);
  pretrain(*model, images, {.steps = 3, .batch = 3, .rate = 5e-4}, 1);
  save_observation_model(folder / "vae.safetensors", *model, config);

  const auto loaded = make_observation_model(config, space);
  load_observation_model(folder / "vae.safetensors", *loaded, config);
  loaded->freeze();
  const auto states = model->encode(images);  // by the running statistics of BatchNorm, which are in the file
  EXPECT_TRUE(torch::equal(loaded->encode(images), states));
  EXPECT_TRUE(torch::equal(loaded->decode(states), model->decode(states)));

  ObservationConfig wider = config;
  wider.width = 5;
  EXPECT_NE(testing::error_of([&] {
              load_observation_model(folder / "vae.safetensors", *make_observation_model(wider, space),
                                     wider);
            }).find("neo pretrain"),
            std::string::npos);
}

}  // namespace
}  // namespace neo
