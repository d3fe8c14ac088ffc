#pragma once

#include <optional>

#include "explain/theory.h"
#include "worlds/strip.h"

namespace neo {

// How theories are shown to people, in pictures and words.

// Images are never met exactly; they are judged by their mean distance on [0, 1].
bool is_image(const World& world);
double l1(const Observation& a, const Observation& b);

// What came of a program where y is known: "gives y exactly", "does not give y", "L1 0.021".
std::string verdict(const World& world, const Theory& theory, const Observation& y);

// The steps whose codes differ from those of `other`, from 1.
std::vector<size_t> changed_steps(const Theory& theory, const Theory& other);

// Every state under its code, with the losses below where there are any.
Strip strip_of(const std::string& title, const Theory& theory, const std::optional<Observation>& y,
               const std::vector<size_t>& marked = {});

// Why the program has its length, and what else was possible: a few lines.
std::string length_text(const Explanation& explanation);
std::string alternatives_text(const Explanation& explanation);  // empty where nothing else was looked at

}  // namespace neo
