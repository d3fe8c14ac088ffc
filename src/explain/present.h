#pragma once

#include <optional>

#include "explain/program_run.h"
#include "explain/program_text.h"
#include "view/strip.h"

namespace neo {

// Explanations in human-readable form, as pictures and text.

// The result of a program where y is known: "gives y exactly", "does not give y", "error 0.021".
std::string verdict(const Space& space, double error);

// The steps whose codes differ from those of `other`, from 1.
std::vector<size_t> changed_steps(const ProgramRun& run, const ProgramRun& other);

// Every state under its code, with the losses below where there are any.
Strip strip_of(const std::string& title, const ProgramRun& run, const std::optional<Observation>& y,
               const CodeNames& names, const std::vector<size_t>& marked = {});

// A code and its examples.
std::string title_of(const CodeReport& report);  // "z3 (flip)"
PanelRow panels_of(const CodeReport& report);

// Why the program has its length, and alternatives: a few lines.
std::string length_text(const Explanation& explanation);
std::string alternatives_text(const Explanation& explanation, const CodeNames& names);  // empty without any

}  // namespace neo
