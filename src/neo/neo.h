#pragma once

// The library: what the command line, the explorer and other programs call.
//
//   const neo::LearnResult learned = neo::learn({.sources = {"pairs.npz"}});   // files to a theory
//   const neo::Theory theory = neo::Theory::open(learned.run);
//   const neo::Explanation e = theory.explain(x, y);                           // one pair
//   const neo::ProgramRun run = theory.run(e.run.codes, other_x);              // its program on another input
//
// An Observation is the bytes of its elements; theory.view() reads, writes and draws them.

#include "data/import.h"
#include "neo/evaluation.h"
#include "neo/learn.h"
#include "neo/theory.h"
#include "neo/training.h"
