#pragma once

#include <cstdint>
#include <string>

#include "model/neo.h"
#include "train/resets.h"

namespace neo {

struct OptimizerConfig {
  double rate = 5e-4;
  double programmer_scale = 0.25;  // two timescales: the programmer follows the executor slowly
  double executor_scale = 1.0;
  double codebook_scale = 1.0;
  double decay = 0.01;
  double clip = 1.0;
  double warmup = 0.05;  // share of the steps
  double hold = 0.0;     // share of the steps before the rate begins to fall
  double floor = 0.1;    // final learning rate, as a share of the base rate
  static void visit(auto& c, auto&& field) {
    field("rate", c.rate, "base learning rate");
    field("programmer_scale", c.programmer_scale, "learning rate of the programmer, relative");
    field("executor_scale", c.executor_scale, "learning rate of the executor, relative");
    field("codebook_scale", c.codebook_scale, "learning rate of a gradient codebook, relative");
    field("decay", c.decay, "decoupled weight decay");
    field("clip", c.clip, "largest global gradient norm");
    field("warmup", c.warmup, "share of the steps spent warming up");
    field("hold", c.hold, "share of the steps before the rate begins to fall");
    field("floor", c.floor, "learning rate at the end, relative");
  }
};

struct ObjectiveConfig {
  std::string kind = "rollout";  // rollout (the paper's), wake-sleep or latent-wake-sleep
  int64_t steps = 4;             // K in training
  double reconstruction = 1.0;   // loss weights
  double vq = 1.0;
  double grounding = 0.1;
  double state = 0.0;
  std::string grounding_mean = "steps";  // see grounding_loss() in objective.h
  std::string choice = "sampled";        // code choice in training: sampled or nearest
  double tau_start = 0.3, tau_end = 0.1, tau_share = 0.5;
  double lambda_start = 0.95, lambda_end = 0.95, lambda_share = 1.0;  // MDL coefficient (Eq. 5)
  // wake-sleep only:
  std::string search = "shortest";  // which explanation wins: shortest or cheapest, see BeamOptions
  int64_t search_depth = 3, search_width = 4;
  double price = 0.0;               // cheapest: of every code in a program
  double balance = 0.0;             // cheapest: price of often used codes (log of the relative use)
  int64_t balance_steps = 200;      // over which that falls to nothing
  int64_t wake_steps = 0;           // 0: wake and sleep in every step; else sleep only after so many
  double prune = 0.0;               // at wake_steps, codes retire that so small a share of pairs needs
  double naming = 0.2;              // weight of naming programs
  double naming_temperature = 0.1;  // of the programmer's distribution
  int64_t memory = 0;               // wake steps of which one is learnt again in every step; 0: none
  int64_t replays = 0;              // explanations named per step; 0: all
  int64_t dreams = 32;              // random programs per step
  int64_t dream_length = 8;         // longest of them
  int64_t dream_start = 80;         // steps before the first naming
  int64_t dream_shift = 0;          // places by which inputs of dreams may move towards the end
  bool shuffle = false;             // name explanations in random order too
  // latent-wake-sleep only:
  int64_t coarse = 12;        // dimensions of the state that explanations begin with
  double coarse_share = 0.6;  // share of the wake steps before finer ones join
  double spread_power = 0.5;  // a dimension counts as its spread to this power; 2: as in pixels
  int64_t split_every = 0;    // coarse steps after which the least used code splits off the worst; 0: never
  static void visit(auto& c, auto&& field) {
    field("kind", c.kind,
          "rollout (the programmer proposes), wake-sleep or latent-wake-sleep (search proposes)");
    field("steps", c.steps, "K, steps of a training rollout");
    field("reconstruction", c.reconstruction, "weight of the reconstruction loss");
    field("vq", c.vq, "weight of the codebook and commitment losses");
    field("grounding", c.grounding, "weight of state grounding (Eq. 6)");
    field("state", c.state, "weight of the state-prediction loss");
    field("grounding_mean", c.grounding_mean, "steps, length or selected: how grounding is averaged");
    field("choice", c.choice, "code choice in training: sampled or nearest (gaussian: the mean)");
    field("tau_start", c.tau_start, "sampling temperature at the start");
    field("tau_end", c.tau_end, "sampling temperature at the end");
    field("tau_share", c.tau_share, "share of the steps over which it falls");
    field("lambda_start", c.lambda_start, "MDL length coefficient at the start");
    field("lambda_end", c.lambda_end, "MDL length coefficient at the end");
    field("lambda_share", c.lambda_share, "share of the steps over which it moves");
    field("search", c.search, "wake-sleep: which explanation wins, shortest or cheapest");
    field("search_depth", c.search_depth, "wake-sleep: longest program that search proposes");
    field("search_width", c.search_width, "wake-sleep: observations kept per step of the search");
    field("price", c.price, "cheapest: price of every code in a program");
    field("balance", c.balance, "cheapest: price of often used codes");
    field("balance_steps", c.balance_steps, "cheapest: steps until that price is gone");
    field("wake_steps", c.wake_steps, "wake-sleep: steps without sleep, then sleep only; 0: both always");
    field("prune", c.prune, "wake-sleep: codes retire after waking if no larger share of pairs needs them");
    field("naming", c.naming, "wake-sleep: weight of naming programs");
    field("naming_temperature", c.naming_temperature,
          "wake-sleep: temperature of the programmer's distribution");
    field("memory", c.memory, "wake-sleep: last steps of which one is learnt again with every new one");
    field("replays", c.replays, "wake-sleep: explanations named per step; 0: all");
    field("dreams", c.dreams, "wake-sleep: random programs per step");
    field("dream_length", c.dream_length, "wake-sleep: longest random program");
    field("dream_start", c.dream_start, "wake-sleep: steps before the first naming");
    field("dream_shift", c.dream_shift, "wake-sleep: places by which inputs of dreams may move");
    field("coarse", c.coarse, "latent-wake-sleep: state dimensions to begin with");
    field("coarse_share", c.coarse_share, "latent-wake-sleep: share of the wake steps before more join");
    field("spread_power", c.spread_power,
          "latent-wake-sleep: a dimension counts as its spread to this power");
    field("split_every", c.split_every,
          "latent-wake-sleep: steps between splits of the worst code; 0: never");
    field("shuffle", c.shuffle, "wake-sleep: name explanations in random order");
  }
};

struct EvaluationConfig {
  int64_t steps = 4;          // K for ID and compositional OOD
  int64_t length_steps = 10;  // K for length OOD
  bool hard_grounding = true;
  std::string fallback = "all";  // without an exact match: all steps, or mdl
  int64_t draws = 64;            // NEO-S
  double temperature = 0.3;
  int64_t refine_steps = 5;  // Cont-Mono-Opt
  double refine_rate = 1.0;
  int64_t episodes = 5000;  // at most, per split
  static void visit(auto& c, auto&& field) {
    field("steps", c.steps, "K for ID and compositional OOD");
    field("length_steps", c.length_steps, "K for length OOD");
    field("hard_grounding", c.hard_grounding, "continue from the re-encoded hard observation");
    field("fallback", c.fallback, "program when nothing matches: all steps, or mdl");
    field("draws", c.draws, "NEO-S sampling budget");
    field("temperature", c.temperature, "NEO-S sampling temperature");
    field("refine_steps", c.refine_steps, "cont-mono-opt: gradient steps on the support pair");
    field("refine_rate", c.refine_rate, "cont-mono-opt: size of such a step");
    field("episodes", c.episodes, "most episodes per split");
  }
};

struct TrainConfig {
  std::string world = "gridworld";
  std::string method = "neo";  // see methods.h; the settings below make it what it is
  int64_t batch = 128;         // episodes per step, two pairs each
  int64_t steps = 19550;       // optimiser steps
  int64_t checkpoint_every = 500;
  int64_t validate_every = 1000;  // steps between ID checks for checkpoint selection
  int64_t sampled = 0;  // > 0: so many episodes per program, made in memory instead of read (Imaging)
  NeoConfig model;
  ObjectiveConfig objective;
  OptimizerConfig optimizer;
  ResetConfig resets;
  EvaluationConfig evaluation;
  static void visit(auto& c, auto&& field) {
    field("world", c.world, "gridworld, arithmetic or imaging");
    field("method", c.method, "neo, disc-mono or cont-mono: the name of what these settings make");
    field("batch", c.batch, "episodes per step; each gives two pairs");
    field("steps", c.steps, "optimiser steps");
    field("checkpoint_every", c.checkpoint_every, "steps between checkpoints");
    field("validate_every", c.validate_every, "steps between ID validations");
    field("sampled", c.sampled, "imaging: episodes per program made in memory; 0: read from files");
    field("model", c.model, "architecture");
    field("objective", c.objective, "what is minimised");
    field("optimizer", c.optimizer, "AdamW and its schedule");
    field("resets", c.resets, "dead codes start afresh");
    field("evaluation", c.evaluation, "how theories are judged");
  }
};

// Counts that must not be zero, and words that choose between two ways; UsageError names what is wrong. Kinds
// of parts are checked by whoever makes them.
void check_settings(const TrainConfig& config);

}  // namespace neo
