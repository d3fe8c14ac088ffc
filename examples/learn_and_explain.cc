// Learns a theory of a user's own pairs and explains one of them:
//   learn_and_explain pairs.jsonl runs/mine
#include <cstdio>
#include <exception>

#include "neo/neo.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: learn_and_explain SOURCE RUN\n");
    return 2;
  }
  try {
    const neo::LearnResult learned = neo::learn({.sources = {argv[1]}, .run = argv[2], .minutes = 1});
    std::printf("explains %.1f %% of %ld pairs that were held out\n", 100 * learned.score.explained,
                static_cast<long>(learned.score.episodes));

    const neo::Theory theory = neo::Theory::open(learned.run);
    const neo::Pair& pair = theory.info().examples.front();
    const neo::Explanation explanation = theory.explain(pair.x, pair.y);
    for (int64_t code : explanation.run.codes) std::printf("%s\n", theory.code_title(code).c_str());

    const neo::ProgramRun again = theory.run(explanation.run.codes, theory.info().examples.back().x);
    std::printf("%s\n", theory.view().text(again.trace.back()).c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "learn_and_explain: %s\n", error.what());
    return 1;
  }
}
