#pragma once

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "eval/inspection.h"
#include "explain/theory.h"
#include "search/best_first.h"

namespace neo {

// What the API tells, as its OpenAPI document describes it: JSON as elsewhere, but observations as one text
// each.
nlohmann::json to_wire(const World& world, const Theory& theory);
nlohmann::json to_wire(const World& world, const Explanation& explanation);
nlohmann::json to_wire(const World& world, const Inspection& inspection);

// The states that a search visits, as they come.
class SearchTree {
 public:
  SearchTree(const World& world, const Observation& x, const Observation& y);
  void add(const Expansion& expansion);
  bool found() const { return found_; }
  int64_t calls() const { return static_cast<int64_t>(edges_.size()); }
  nlohmann::json to_json() const;

 private:
  const World& world_;
  nlohmann::json nodes_ = nlohmann::json::array();
  nlohmann::json edges_ = nlohmann::json::array();
  std::unordered_map<int64_t, size_t> index_;  // of a node of the search in nodes_
  bool found_ = false;
};

// The likeliest program that explains the pair, else the one that came nearest; empty when no code was tried.
std::vector<int64_t> best_codes(const BestFirst& search);

}  // namespace neo
