#pragma once

#include <cstdint>
#include <string>

#include "core/allowed.h"
#include "data/space.h"
#include "model/config.h"
#include "model/policy.h"

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
    field("rate", c.rate, "base learning rate", between(0, 10));
    field("programmer_scale", c.programmer_scale, "learning rate of the programmer, relative",
          between(0, 1e6));
    field("executor_scale", c.executor_scale, "learning rate of the executor, relative", between(0, 1e6));
    field("codebook_scale", c.codebook_scale, "learning rate of a gradient codebook, relative",
          between(0, 1e6));
    field("decay", c.decay, "decoupled weight decay", between(0, 1000));
    field("clip", c.clip, "largest global gradient norm", between(0, 1e9));
    field("warmup", c.warmup, "share of the steps spent warming up", between(0, 1));
    field("hold", c.hold, "share of the steps before the rate begins to fall", between(0, 1));
    field("floor", c.floor, "learning rate at the end, relative", between(0, 1));
  }
};

// The paper's objective: see RolloutObjective.
struct RolloutConfig {
  int64_t steps = 4;            // K in training
  double reconstruction = 1.0;  // loss weights
  double vq = 1.0;
  double grounding = 0.1;
  double state = 0.0;
  std::string grounding_mean = "steps";  // see grounding_loss()
  std::string choice = "sampled";        // code choice in training: sampled or nearest
  double tau_start = 0.3, tau_end = 0.1, tau_share = 0.5;
  double lambda_start = 0.95, lambda_end = 0.95, lambda_share = 1.0;  // MDL coefficient (Eq. 5)
  static void visit(auto& c, auto&& field) {
    field("steps", c.steps, "K, steps of a training rollout", between(1, 1000));
    field("reconstruction", c.reconstruction, "weight of the reconstruction loss", between(0, 1e6));
    field("vq", c.vq, "weight of the codebook and commitment losses", between(0, 1e6));
    field("grounding", c.grounding, "weight of state grounding (Eq. 6)", between(0, 1e6));
    field("state", c.state, "weight of the state-prediction loss", between(0, 1e6));
    field("grounding_mean", c.grounding_mean, "steps, length or selected: how grounding is averaged",
          one_of({"steps", "length", "selected"}));
    field("choice", c.choice, "code choice in training: sampled or nearest (gaussian: the mean)",
          one_of({"sampled", "nearest"}));
    field("tau_start", c.tau_start, "sampling temperature at the start", between(1e-6, 1e6));
    field("tau_end", c.tau_end, "sampling temperature at the end", between(1e-6, 1e6));
    field("tau_share", c.tau_share, "share of the steps over which it falls", between(0, 1));
    field("lambda_start", c.lambda_start, "MDL length coefficient at the start", between(0.01, 100));
    field("lambda_end", c.lambda_end, "MDL length coefficient at the end", between(0.01, 100));
    field("lambda_share", c.lambda_share, "share of the steps over which it moves", between(0, 1));
  }
};

// What codes cost in a program, in units of the loss.
struct PriceConfig {
  double code = 0.0;            // of every code in a program
  double balance = 0.0;         // frequent codes cost more: log of the relative use
  int64_t balance_steps = 200;  // over which that falls to zero
  static void visit(auto& c, auto&& field) {
    field("code", c.code, "price of every code in a program", between(-1e6, 1e6));
    field("balance", c.balance, "price of frequent codes (log of their relative use)", between(-1e6, 1e6));
    field("balance_steps", c.balance_steps, "steps until that price is gone", between(0, kAnyCount));
  }
};

// See WakeSleepObjective.
struct WakeSleepConfig {
  double reconstruction = 1.0;      // weight of the last step of an explanation
  double grounding = 0.1;           // weight of the earlier ones
  double lambda = 1.0;              // MDL coefficient of the search
  std::string search = "shortest";  // which explanation wins: shortest or cheapest, see BeamOptions
  int64_t depth = 3, width = 4;     // of the beam
  PriceConfig price;                // cheapest only
  int64_t wake_steps = 0;           // 0: wake and sleep in every step; else wake only, then sleep only
  double prune = 0.0;  // at the end of waking, retire codes needed by at most this share of pairs
  int64_t memory = 0;  // past wake steps to keep; each step also learns one of them again; 0: none
  double programmer_weight = 0.2;  // weight of the programmer's loss
  double programmer_temperature = 0.1;
  int64_t replay_batch = 0;  // explanations the programmer learns from per sleep step; 0: all
  int64_t dreams = 32;       // random programs per step
  int64_t dream_length = 8;  // longest of them
  int64_t dream_start = 80;  // steps before the programmer's first
  int64_t dream_shift = 0;   // places by which inputs of dreams may move towards the end
  bool shuffle = false;      // explanations are also learned in random order of their codes
  static void visit(auto& c, auto&& field) {
    field("reconstruction", c.reconstruction, "weight of the last step of each explanation", between(0, 1e6));
    field("grounding", c.grounding, "weight of its earlier steps (Eq. 6)", between(0, 1e6));
    field("lambda", c.lambda, "MDL length coefficient of the search", between(0.01, 100));
    field("search", c.search, "which explanation wins: shortest or cheapest",
          one_of({"shortest", "cheapest"}));
    field("depth", c.depth, "longest program that search proposes", between(1, 64));
    field("width", c.width, "observations kept per step of the search", between(1, 4096));
    field("price", c.price, "cheapest: what codes cost");
    field("wake_steps", c.wake_steps, "steps without sleep, then sleep only; 0: both always",
          between(0, kAnyCount));
    field("prune", c.prune, "at the end of waking, retire codes needed by at most this share of pairs",
          between(0, 1));
    field("memory", c.memory, "past steps to keep; each step also learns one of them again",
          between(0, 1 << 16));
    field("programmer_weight", c.programmer_weight, "weight of the programmer's loss", between(0, 1e6));
    field("programmer_temperature", c.programmer_temperature, "temperature of its distribution",
          between(1e-6, 1e6));
    field("replay_batch", c.replay_batch, "explanations per sleep step; 0: all", between(0, 1 << 20));
    field("dreams", c.dreams, "random programs per step", between(0, 1 << 16));
    field("dream_length", c.dream_length, "longest random program", between(1, 1000));
    field("dream_start", c.dream_start, "steps before the programmer begins to learn", between(0, kAnyCount));
    field("dream_shift", c.dream_shift, "places by which inputs of dreams may move", between(0, 65536));
    field("shuffle", c.shuffle, "explanations are also learned in random order of their codes");
  }
};

// See LatentWakeSleepObjective.
struct LatentWakeSleepConfig {
  PriceConfig price;
  std::string start = "noise";  // noise, or consensus: maps that pairs have in common, found before training
  int64_t wake_steps = 1500;  // then sleep
  int64_t coarse_dims = 12;   // dimensions of the state that explanations begin with
  double coarse_share = 0.6;  // share of the wake steps before finer ones join
  double spread_power = 0.5;  // a dimension counts as its spread to this power; 2: as in pixels
  int64_t split_every = 0;    // coarse steps after which the least used code splits off the worst; 0: never
  int64_t dream_length = 5;   // longest random program
  double programmer_temperature = 0.1;
  static void visit(auto& c, auto&& field) {
    field("price", c.price, "what codes cost, in nats of residual");
    field("start", c.start,
          "what codes do at first: noise, or consensus (maps that pairs have in common; noise where those say little)",
          one_of({"noise", "consensus"}));
    field("wake_steps", c.wake_steps, "steps without sleep, then sleep only", between(0, kAnyCount));
    field("coarse_dims", c.coarse_dims, "state dimensions that explanations begin with", between(1, 65536));
    field("coarse_share", c.coarse_share, "share of the wake steps before more join", between(0, 1));
    field("spread_power", c.spread_power, "a dimension counts as its spread to this power", between(0, 10));
    field("split_every", c.split_every, "steps between splits of the worst code; 0: never",
          between(0, kAnyCount));
    field("dream_length", c.dream_length, "longest random program", between(1, 1000));
    field("programmer_temperature", c.programmer_temperature, "temperature of the programmer's distribution",
          between(1e-6, 1e6));
  }
};

// When codes that are hardly used are re-initialised, see CodeUsage.
struct ResetConfig {
  int64_t every = 0;  // steps between resets; 0: never
  int64_t start = 200;
  int64_t age = 150;               // minimum age of a code before a reset
  double until = 0.998;            // resets end for good when this share of pairs is solved
  double hold_until_solved = 0.0;  // share of solved pairs until which the rate is held; 0: as scheduled
  int64_t patience = 3000;         // but for at most this many steps beyond its schedule
  double skip_when_solved =
      2.0;  // share of solved pairs at which the rest of the held rate is skipped; above 1: never
  static void visit(auto& c, auto&& field) {
    field("every", c.every, "steps between resets; 0: never", between(0, kAnyCount));
    field("start", c.start, "steps before the first", between(0, kAnyCount));
    field("age", c.age, "minimum age of a code, in steps, before it is reset again", between(0, kAnyCount));
    field("hold_until_solved", c.hold_until_solved,
          "share of solved pairs until which the learning rate is held; 0: as scheduled", between(0, 1e6));
    field("patience", c.patience, "most steps that holding the rate may add", between(0, kAnyCount));
    field("skip_when_solved", c.skip_when_solved,
          "share of solved pairs at which the rest of the held rate is skipped; above 1: never",
          between(0, 1e6));
    field("until", c.until, "share of solved pairs at which resets end for good", between(0, 1e6));
  }
};

struct TrainConfig {
  std::string method = "neo";         // see benchmark/methods.h; the settings below make it what it is
  std::string objective = "rollout";  // rollout (the paper's), wake-sleep or latent-wake-sleep
  int64_t batch = 256;                // pairs per step
  int64_t steps = 19550;              // optimiser steps
  bool grouped = false;  // pairs of a group are explained together: supervision, labelled as such
  int64_t checkpoint_every = 500;
  int64_t validate_every = 1000;  // steps between validations for checkpoint selection
  int64_t sampled = 0;            // > 0: episodes per program, drawn in memory for every pass
  int64_t evaluated = 5000;       // episodes or pairs per evaluated file, at most
  std::string precision = "float32";  // of products in training steps: float32 or bf16 (kernels/precision.h)
  NeoConfig model;
  RolloutConfig rollout;
  WakeSleepConfig wake_sleep;
  LatentWakeSleepConfig latent_wake_sleep;
  OptimizerConfig optimizer;
  ResetConfig resets;
  Policy policy;
  static void visit(auto& c, auto&& field) {
    field("method", c.method, "neo, disc-mono or cont-mono: the name of what these settings make",
          one_of({"neo", "disc-mono", "cont-mono"}));
    field("objective", c.objective,
          "rollout (the programmer proposes), wake-sleep or latent-wake-sleep (search proposes)",
          one_of({"rollout", "wake-sleep", "latent-wake-sleep"}));
    field("batch", c.batch, "pairs per step", between(1, 1 << 20));
    field("steps", c.steps, "optimiser steps", between(1, kAnyCount));
    field("grouped", c.grouped,
          "explain pairs of a group together (supervision that the paper does without)");
    field("checkpoint_every", c.checkpoint_every, "steps between checkpoints", between(1, kAnyCount));
    field("validate_every", c.validate_every, "steps between validations", between(1, kAnyCount));
    field("sampled", c.sampled, "episodes per program drawn in memory for every pass; 0: read from files",
          between(0, 1 << 24));
    field("evaluated", c.evaluated, "most episodes or pairs per evaluated file", between(1, kAnyCount));
    field("precision", c.precision, "of products in training steps: float32, or bf16 (needs AVX-512-BF16)",
          one_of({"float32", "bf16"}));
    field("model", c.model, "architecture");
    field("rollout", c.rollout, "objective rollout");
    field("wake_sleep", c.wake_sleep, "objective wake-sleep");
    field("latent_wake_sleep", c.latent_wake_sleep, "objective latent-wake-sleep");
    field("optimizer", c.optimizer, "AdamW and its schedule");
    field("resets", c.resets, "dead codes are re-initialised");
    field("policy", c.policy, "how the theory explains");
  }
};

// A UsageError names the first setting that is not allowed, or does not go with another one.
void check_settings(const TrainConfig& config);

// Bytes that training such a theory takes at least: parameters, their gradients and averages, and the states of a batch.
double training_memory(const TrainConfig& config, const Space& space);
// An Error that names the settings to lower where that is more than there is.
void check_training_memory(const TrainConfig& config, const Space& space, double available);

}  // namespace neo
