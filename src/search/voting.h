#pragma once

#include "search/candidates.h"

namespace neo {

// How to choose among the programs that explain a pair:
//   sequence     a vote in which programs with the same codes count as one (NEO-S)
//   behaviour    a vote in which programs that do the same to unlabelled inputs ("probes") count as one
//   description  the program of least description length, see below
enum class Choice { sequence, behaviour, description };
Choice choice_named(const std::string& name);
std::string name_of(Choice choice);

// The results of the candidates of E pairs on P inputs of each pair. Every distinct program of a pair runs
// once.
struct Replay {
  torch::Tensor program;  // [E, M] which of the D distinct ones a candidate is; -1: does not explain its pair
  torch::Tensor ends;     // [D, P, N]
  torch::Tensor uncertainty;  // [D, P] nats, the executor's, summed over the observations on the way
};
Replay replay(NeoImpl& model, HardExecutor& executor, const Candidates& candidates,
              const torch::Tensor& inputs);  // [E, P, N]
// Executor calls that the replay of the first `budget` candidates of each pair takes, in all.
double replay_calls(const Replay& run, const Candidates& candidates, int64_t budget);

// Which candidates count as one program: class numbers [E, M], from 0 in order of appearance for each pair;
// -1 where a candidate does not explain its pair.
torch::Tensor spelling_classes(
    const Candidates& candidates);                         // the same codes up to the solving step (NEO-S)
torch::Tensor behaviour_classes(const Replay& on_probes);  // the same result on every probe

// The class of greatest weight among the first `budget` candidates of each pair, as the index of its first
// member; -1: no candidate explains the pair. A draw with replacement weighs 1, any other candidate its
// probability: either way the sum estimates the programmer's posterior. Ties go to the class seen first.
torch::Tensor vote(const Candidates& candidates, const torch::Tensor& classes, int64_t budget);  // [E]

// The program of least description length among the first `budget` candidates of each pair: `price` nats for
// every code, plus the executor's uncertainty about what the program does to the probes. The price favours
// short programs; the uncertainty decides between orders of the same codes, of which the executor may know
// one better. Index or -1, ties as above.
torch::Tensor shortest_description(const Candidates& candidates, const Replay& on_probes, double price,
                                   int64_t budget);  // [E]

// Program `index[e]` of each pair; length 0 where the index is -1.
Programs pick(const Candidates& candidates, const torch::Tensor& index);

}  // namespace neo
