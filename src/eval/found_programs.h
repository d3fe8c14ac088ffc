#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "eval/episodes.h"
#include "search/explanations.h"

namespace neo {

// The program that a theory finds for one pair.
struct FoundProgram {
  std::string name;  // of the pair: "id:17"
  std::vector<int64_t> codes;
  bool explained = false;  // y is met, exactly or to within the policy's tolerance
};

// Of every support pair, many at once. An Error where the theory has no codes.
std::vector<FoundProgram> found_programs(NeoImpl& model, const Episodes& episodes, const Policy& policy);

// As JSON lines, {"pair": "id:17", "codes": [4, 6], "explained": true}; or, where the file's name ends with
// .json, as the list of S-expressions that Stitch reads, ["(lam (z6 (z4 $0)))", ...], of explained pairs
// only.
void write_programs(const std::filesystem::path& path, const std::vector<FoundProgram>& programs);

}  // namespace neo
