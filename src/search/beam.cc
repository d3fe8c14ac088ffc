#include "search/beam.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <set>
#include <string_view>

namespace neo {
namespace {

// One pair's beam: the observations to expand, each with the codes that lead there.
struct Beam {
  std::vector<std::vector<int64_t>> programs;
  std::set<std::string> seen;
};

struct Best {
  std::vector<int64_t> program;
  float score = std::numeric_limits<float>::infinity();
  bool exact = false;
};

std::vector<int64_t> extended(std::vector<int64_t> program, int64_t code) {
  program.push_back(code);
  return program;
}

}  // namespace

Found beam_search(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                  const BeamOptions& options) {
  torch::NoGradGuard no_grad;
  auto& observation = model.observation();
  const Readout readout = observation.readout();
  const int64_t rows = x.size(0);
  const int64_t size = x.size(1);
  const int64_t codes = model.quantizer().config().codes;
  const auto actions = model.quantizer().vectors(torch::arange(codes));
  std::vector<Beam> beams(static_cast<size_t>(rows));
  std::vector<Best> best(static_cast<size_t>(rows));
  std::vector<int64_t> owner(
      static_cast<size_t>(rows));  // which pair each observation of `frontier` belongs to
  std::iota(owner.begin(), owner.end(), int64_t{0});
  for (Beam& beam : beams) beam.programs = {{}};
  auto frontier = x.contiguous();
  int64_t calls = 0;
  float discount = 1;
  for (int64_t k = 0; k < options.depth && frontier.size(0) > 0; ++k) {
    discount *= static_cast<float>(options.lambda);
    calls += frontier.size(0) * codes;
    const auto next = model.executor().every_action(observation.encode(frontier), actions).flatten(0, 1);
    const auto owners = torch::tensor(owner, torch::kLong).repeat_interleave(codes);
    const Reading reading = readout.read(observation.decode(next), y.index_select(0, owners));
    const auto hard = reading.hard.contiguous();
    const auto* loss = reading.loss.data_ptr<float>();
    const auto* exact = reading.exact.data_ptr<bool>();
    const auto bytes = [&](int64_t candidate) {
      return std::string(reinterpret_cast<const char*>(hard.data_ptr<uint8_t>()) + candidate * size,
                         static_cast<size_t>(size));
    };
    std::vector<int64_t> next_owner, kept;
    int64_t begin = 0;  // candidates of one pair are consecutive
    for (int64_t row = 0; row < rows; ++row) {
      Beam& beam = beams[static_cast<size_t>(row)];
      Best& found = best[static_cast<size_t>(row)];
      const auto count = static_cast<int64_t>(beam.programs.size()) * codes;
      std::vector<int64_t> order(static_cast<size_t>(count));
      std::iota(order.begin(), order.end(), begin);
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return loss[a] < loss[b]; });
      const auto program_of = [&](int64_t candidate) {
        return extended(beam.programs[static_cast<size_t>((candidate - begin) / codes)],
                        (candidate - begin) % codes);
      };
      for (int64_t candidate : order) {
        const float score = loss[candidate] * discount;
        if (exact[candidate] ? !found.exact : (!found.exact && score < found.score))
          found = {program_of(candidate), score, exact[candidate]};
      }
      std::vector<std::vector<int64_t>> programs;
      for (size_t i = 0;
           i < order.size() && !found.exact && static_cast<int64_t>(programs.size()) < options.width; ++i) {
        if (!beam.seen.insert(bytes(order[i])).second) continue;
        programs.push_back(program_of(order[i]));
        kept.push_back(order[i]);
        next_owner.push_back(row);
      }
      beam.programs = std::move(programs);
      begin += count;
    }
    frontier = hard.index_select(0, torch::tensor(kept, torch::kLong));
    owner = std::move(next_owner);
  }
  Found result{{torch::zeros({rows, options.depth}, torch::kLong), torch::zeros({rows}, torch::kLong)},
               torch::zeros({rows}, torch::kBool),
               torch::zeros({rows}),
               calls / std::max<int64_t>(rows, 1)};
  for (int64_t row = 0; row < rows; ++row) {
    const Best& found = best[static_cast<size_t>(row)];
    for (size_t k = 0; k < found.program.size(); ++k)
      result.programs.codes[row][static_cast<int64_t>(k)] = found.program[k];
    result.programs.lengths[row] = static_cast<int64_t>(found.program.size());
    result.exact[row] = found.exact;
    result.score[row] = found.score;
  }
  return result;
}

}  // namespace neo
