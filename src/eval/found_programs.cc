#include "eval/found_programs.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"
#include "core/text.h"

namespace neo {
namespace {

constexpr int64_t kExplainedAtOnce = 128;  // a beam takes times its width, codes and D floats

// The first code is the innermost: it is applied to the input.
std::string s_expression(const std::vector<int64_t>& codes) {
  std::string text = "$0";
  for (int64_t code : codes) text = fmt::format("(z{} {})", code, text);
  return "(lam " + text + ")";
}

std::string json_lines(const std::vector<FoundProgram>& programs) {
  std::string text;
  for (const FoundProgram& p : programs)
    text += nlohmann::json{{"pair", p.name}, {"codes", p.codes}, {"explained", p.explained}}.dump() + "\n";
  return text;
}

std::string s_expressions(const std::vector<FoundProgram>& programs) {
  nlohmann::json list = nlohmann::json::array();
  for (const FoundProgram& p : programs)
    if (p.explained) list.push_back(s_expression(p.codes));
  return list.dump(1) + "\n";
}

}  // namespace

std::vector<FoundProgram> found_programs(NeoImpl& model, const Episodes& episodes, const Policy& policy) {
  if (!model.has_codes()) fail("this theory has no codes, so its programs cannot be written down");
  torch::NoGradGuard no_grad;
  const auto executor = policy.hard_grounding ? make_hard_executor(model) : nullptr;
  std::vector<FoundProgram> programs;
  for (int64_t begin = 0; begin < episodes.size(); begin += kExplainedAtOnce) {
    const Episodes part = narrow(episodes, begin, std::min(kExplainedAtOnce, episodes.size() - begin));
    const Explanations found = explain_pairs(model, part.support_x, part.support_y, policy, executor.get());
    for (int64_t row = 0; row < part.size(); ++row) {
      const auto codes =
          found.programs.codes[row].narrow(0, 0, found.programs.lengths[row].item<int64_t>()).contiguous();
      programs.push_back({fmt::format("{}:{}", episodes.name, begin + row),
                          {codes.data_ptr<int64_t>(), codes.data_ptr<int64_t>() + codes.size(0)},
                          found.solved[row].item<bool>()});
    }
  }
  return programs;
}

void write_programs(const std::filesystem::path& path, const std::vector<FoundProgram>& programs) {
  const bool for_stitch = lowercase(path.string()).ends_with(".json");
  write_file_atomically(path, for_stitch ? s_expressions(programs) : json_lines(programs));
}

}  // namespace neo
