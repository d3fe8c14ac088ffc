#pragma once

#include <string>
#include <vector>

namespace neo {

// A way of explaining that the paper compares: NEO, and the baselines that put a whole program into one
// vector. Trained by `neo train BENCHMARK --method <trained as>`, evaluated by `neo eval RUN --method
// <name>`.
struct Method {
  std::string name;        // neo, disc-mono, cont-mono, cont-mono-opt
  std::string trained_as;  // the method whose run it evaluates; another one where only the evaluation differs
  std::string title;       // as in the paper's tables
  bool is_trained() const { return name == trained_as; }
};
const std::vector<Method>& methods();                 // in the order of the paper's tables
const Method& method_named(const std::string& name);  // a UsageError lists them all

}  // namespace neo
