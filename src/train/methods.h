#pragma once

#include <string>
#include <vector>

namespace neo {

// A way of explaining that the paper compares: NEO, and the baselines that put a whole program into one
// vector. Trained by `neo train WORLD --method <trained as>`, judged by `neo eval RUN --method <name>`.
struct Method {
  std::string name;        // neo, disc-mono, cont-mono, cont-mono-opt
  std::string trained_as;  // the method whose run it judges; another one where only the evaluation differs
  std::string title;       // as in the paper's tables
  bool is_trained() const { return name == trained_as; }
};
const std::vector<Method>& methods();                 // in the order of the paper's tables
const Method& method_named(const std::string& name);  // a UsageError lists them all

// A row of the paper's ablation table (or one of ours): `neo train WORLD --preset P --alpha A --set s1 --set
// s2`, then `neo eval RUN --search greedy --soft`, whose record holds every split with hard grounding on and
// off.
struct Ablation {
  std::string name;  // also the end of its run folder's name
  std::string title;
  std::string preset;
  double alpha = 0.33;
  std::vector<std::string> settings;  // "key=value"
};
const std::vector<Ablation>& ablations(const std::string& world);  // none outside GridWorld

}  // namespace neo
