#include "search/best_first.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "observe/tensors.h"
#include "search/visited.h"

namespace neo {
namespace {

// log of PHS's cost (g + h) / pi^(1 + h / g): Levin's g / pi where h is 0.
double log_cost(double length, double log_probability, double ahead) {
  return std::log(length + ahead) - (1 + ahead / length) * log_probability;
}

torch::Tensor rows_of(const std::vector<int64_t>& index) { return torch::tensor(index, torch::kLong); }

}  // namespace

// The search of one pair.
class BestFirst::Pair {
 public:
  struct Choice {
    int64_t code = 0;
    double log_probability = 0;
  };
  struct Call {
    int64_t node = 0;
    Choice choice;
    double score = 0;
  };

  Pair(ObservationView x, ObservationView y, const BestFirstOptions& options)
      : options_(options), y_(y.begin(), y.end()), visited_(x) {
    enter(-1, -1, 0, 0, x);
  }

  int64_t calls() const { return calls_; }
  bool is_done() const { return queue_.empty() || (options_.stop_early && found_outweighs_untried()); }
  const Visited& visited() const { return visited_; }
  const Observation& observation(int64_t node) const { return at(node).observation; }

  // The best untried code.
  Call next() {
    const Waiting best = queue_.top();
    queue_.pop();
    ++calls_;
    Node& node = nodes_[static_cast<size_t>(best.node)];
    const Call call{best.node, node.choices[node.tried++], best.score};
    offer(best.node, false);
    return call;
  }

  // True if the programmer has to be asked about this node.
  bool is_open(int64_t node) const { return !at(node).exact && at(node).depth < options_.depth; }
  // What the programmer said, likeliest first.
  void open(int64_t node, std::vector<Choice> choices) {
    nodes_[static_cast<size_t>(node)].choices = std::move(choices);
    // As long as every call has led one step on, the programmer's first choice is followed: K calls are
    // enough for what greedy induction finds.
    offer(node, at(node).depth == calls_);
  }

  // Where a call led.
  Expansion arrive(const Call& call, ObservationView reached, double loss, bool exact) {
    const Node& from = at(call.node);
    const int64_t depth = from.depth + 1;
    const double log_probability = from.log_probability + call.choice.log_probability;
    const auto [node, is_new] =
        visited_.add(call.node, call.choice.code, call.choice.log_probability, reached, exact);
    if (is_new) {
      enter(call.node, call.choice.code, depth, log_probability, reached);
      nodes_.back().exact = exact;
    }
    if (exact) solutions_.push_back(log_probability);
    if (calls_ == 1 || loss < least_loss_) {
      least_loss_ = loss;
      nearest_ = call;
    }
    Expansion e{.call = calls_, .parent = call.node, .code = call.choice.code, .node = node};
    e.is_new = is_new;
    e.exact = exact;
    e.depth = depth;
    e.log_probability = log_probability;
    e.loss = loss;
    e.score = call.score;
    e.observation.assign(reached.begin(), reached.end());
    return e;
  }

  // Codes of the call of least loss and of the way to it.
  std::vector<int64_t> nearest() const {
    std::vector<int64_t> codes;
    if (calls_ == 0) return codes;
    codes.push_back(nearest_.choice.code);
    for (int64_t node = nearest_.node; node > 0; node = at(node).parent) codes.push_back(at(node).code);
    std::reverse(codes.begin(), codes.end());
    return codes;
  }

 private:
  // A visited observation with a code left to try on it.
  struct Waiting {
    bool first = false;  // goes before all others
    double score = 0;
    int64_t order = 0;  // of entering the queue: the older one of equals goes first
    int64_t node = 0;
    bool operator<(const Waiting& other) const {
      if (first != other.first) return other.first;
      return score > other.score || (score == other.score && order > other.order);
    }
  };
  struct Node {
    int64_t parent = -1, code = -1, depth = 0;
    double log_probability = 0, ahead = 0;
    bool exact = false;
    Observation observation;
    std::vector<Choice> choices;
    size_t tried = 0;
  };
  const Node& at(int64_t node) const { return nodes_[static_cast<size_t>(node)]; }

  void enter(int64_t parent, int64_t code, int64_t depth, double log_probability,
             ObservationView observation) {
    // All K steps are ahead where nothing fits yet, none where everything does.
    double differ = 0;
    for (size_t i = 0; i < y_.size(); ++i) differ += observation[i] != y_[i];
    const double ahead = static_cast<double>(options_.depth) * differ / static_cast<double>(y_.size());
    nodes_.push_back({parent, code, depth, log_probability, options_.heuristic ? ahead : 0.0, false,
                      Observation(observation.begin(), observation.end())});
  }

  void offer(int64_t node, bool first) {
    const Node& from = at(node);
    if (from.tried == from.choices.size()) return;
    const double log_probability = from.log_probability + from.choices[from.tried].log_probability;
    const double score = log_cost(static_cast<double>(from.depth + 1), log_probability, from.ahead);
    queue_.push({first, score, entered_++, node});
  }

  // Whether the programs found are likelier, in sum, than all that begin with an untried code.
  bool found_outweighs_untried() const {
    if (solutions_.empty()) return false;
    const double scale = *std::max_element(solutions_.begin(), solutions_.end());
    double found = 0, untried = 0;
    for (double solution : solutions_) found += std::exp(solution - scale);
    for (const Node& node : nodes_) {
      for (size_t i = node.tried; i < node.choices.size(); ++i)
        untried += std::exp(node.log_probability + node.choices[i].log_probability - scale);
    }
    return found >= untried;
  }

  const BestFirstOptions& options_;
  Observation y_;
  Visited visited_;
  std::vector<Node> nodes_;  // numbered as in visited_
  std::priority_queue<Waiting> queue_;
  std::vector<double> solutions_;  // log-probabilities of the ways to y
  int64_t calls_ = 0, entered_ = 0;
  double least_loss_ = std::numeric_limits<double>::infinity();
  Call nearest_;
};

BestFirst::~BestFirst() = default;

BestFirst::BestFirst(NeoImpl& model, HardExecutor& executor, const torch::Tensor& x, const torch::Tensor& y,
                     const BestFirstOptions& options, Watcher watcher)
    : model_(model),
      executor_(executor),
      options_(options),
      watcher_(std::move(watcher)),
      y_(y.contiguous()) {
  torch::NoGradGuard no_grad;
  target_ = model.programmer().encode_target_observation(model.observation(), y_);
  const auto from = x.contiguous();
  std::vector<Place> places;
  for (int64_t row = 0; row < from.size(0); ++row) {
    pairs_.push_back(std::make_unique<Pair>(row_bytes(from, row), row_bytes(y_, row), options_));
    if (options_.depth > 0) places.push_back({row, 0});
  }
  ask(places);
}

torch::Tensor BestFirst::observations(const std::vector<Place>& places) const {
  auto all = torch::empty({static_cast<int64_t>(places.size()), y_.size(1)}, y_.options());
  auto* to = static_cast<uint8_t*>(all.data_ptr());
  for (const Place& place : places) {
    const Observation& o = pairs_[static_cast<size_t>(place.pair)]->observation(place.node);
    to = std::copy(o.begin(), o.end(), to);
  }
  return all;
}

void BestFirst::ask(const std::vector<Place>& places) {
  if (places.empty()) return;
  std::vector<int64_t> owners;
  for (const Place& place : places) owners.push_back(place.pair);
  auto& programmer = model_.programmer();
  const auto state = programmer.encode_state_observation(model_.observation(), observations(places));
  const auto distance =
      model_.quantizer().distances(programmer.propose(state, target_.index_select(0, rows_of(owners))));
  const auto log_probability = torch::log_softmax(-distance / options_.temperature, -1).contiguous();
  const auto* p = log_probability.data_ptr<float>();
  const std::vector<int64_t> active = model_.quantizer().active();
  for (const Place& place : places) {
    std::vector<Pair::Choice> choices;
    for (int64_t code : active) choices.push_back({code, p[code]});
    std::stable_sort(choices.begin(), choices.end(),
                     [](const auto& a, const auto& b) { return a.log_probability > b.log_probability; });
    pairs_[static_cast<size_t>(place.pair)]->open(place.node, std::move(choices));
    p += log_probability.size(1);
  }
}

bool BestFirst::step(int64_t limit) {
  std::vector<Place> places;
  std::vector<Pair::Call> calls;
  std::vector<int64_t> owners, codes;
  for (size_t i = 0; i < pairs_.size(); ++i) {
    if (pairs_[i]->calls() >= limit || pairs_[i]->is_done()) continue;
    calls.push_back(pairs_[i]->next());
    owners.push_back(static_cast<int64_t>(i));
    codes.push_back(calls.back().choice.code);
    places.push_back({owners.back(), calls.back().node});
  }
  if (places.empty()) return false;
  const Reading reading = executor_.step({observations(places),
                                          y_.index_select(0, rows_of(owners)),
                                          torch::arange(static_cast<int64_t>(places.size())),
                                          rows_of(codes),
                                          {}});
  const auto hard = reading.hard.contiguous();
  std::vector<Place> fresh;
  for (size_t i = 0; i < places.size(); ++i) {
    Pair& pair = *pairs_[static_cast<size_t>(owners[i])];
    Expansion e = pair.arrive(calls[i], row_bytes(hard, static_cast<int64_t>(i)),
                              reading.loss.data_ptr<float>()[i], reading.exact.data_ptr<bool>()[i]);
    e.pair = owners[i];
    if (e.is_new && pair.is_open(e.node)) fresh.push_back({e.pair, e.node});
    if (watcher_) watcher_(e);
  }
  ask(fresh);
  return true;
}

void BestFirst::run(int64_t calls) {
  torch::NoGradGuard no_grad;
  while (step(calls)) {
  }
}

torch::Tensor BestFirst::calls() const {
  std::vector<int64_t> spent;
  for (const auto& pair : pairs_) spent.push_back(pair->calls());
  return rows_of(spent);
}

Candidates BestFirst::programs(int64_t most) const {
  const auto rows = static_cast<int64_t>(pairs_.size());
  Candidates all{torch::zeros({rows, most, options_.depth}, torch::kLong),
                 torch::zeros({rows, most}, torch::kLong),
                 torch::full({rows, most}, -std::numeric_limits<double>::infinity(), torch::kDouble)};
  auto codes = all.codes.accessor<int64_t, 3>();
  auto lengths = all.lengths.accessor<int64_t, 2>();
  auto log_probability = all.log_probability.accessor<double, 2>();
  for (int64_t row = 0; row < rows; ++row) {
    const auto found = pairs_[static_cast<size_t>(row)]->visited().paths(options_.depth, most);
    for (size_t i = 0; i < found.size(); ++i) {
      const auto m = static_cast<int64_t>(i);
      lengths[row][m] = static_cast<int64_t>(found[i].codes.size());
      log_probability[row][m] = found[i].log_probability;
      std::copy(found[i].codes.begin(), found[i].codes.end(), codes[row][m].data());
    }
  }
  return all;
}

Programs BestFirst::closest() const {
  const auto rows = static_cast<int64_t>(pairs_.size());
  Programs programs{torch::zeros({rows, options_.depth}, torch::kLong), torch::zeros({rows}, torch::kLong)};
  for (int64_t row = 0; row < rows; ++row) {
    const auto codes = pairs_[static_cast<size_t>(row)]->nearest();
    programs.lengths.data_ptr<int64_t>()[row] = static_cast<int64_t>(codes.size());
    std::copy(codes.begin(), codes.end(), programs.codes.data_ptr<int64_t>() + row * options_.depth);
  }
  return programs;
}

}  // namespace neo
