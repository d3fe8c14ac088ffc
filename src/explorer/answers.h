#pragma once

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "search/best_first.h"
#include "view/view.h"

namespace neo {

// The states that a search visits, in order of discovery, in the form of the API's OpenAPI document.
class SearchTree {
 public:
  SearchTree(const View& view, const Observation& x, const Observation& y, double tolerance);
  void add(const Expansion& expansion);
  bool found() const { return found_; }
  int64_t calls() const { return static_cast<int64_t>(edges_.size()); }
  nlohmann::json to_json() const;

 private:
  const View& view_;
  double tolerance_;
  nlohmann::json nodes_ = nlohmann::json::array();
  nlohmann::json edges_ = nlohmann::json::array();
  std::unordered_map<int64_t, size_t> index_;  // of a node of the search in nodes_
  bool found_ = false;
};

// The likeliest program that explains the pair, else the one that came nearest; empty when no code was tried.
std::vector<int64_t> best_codes(const BestFirst& search);

}  // namespace neo
