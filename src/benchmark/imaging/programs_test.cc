#include "benchmark/imaging/programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "benchmark/imaging/imaging.h"
#include "core/error.h"

namespace neo {
namespace {

// The paper's abbreviations, in the order of the sorted names.
std::vector<std::string> abbreviated(std::vector<Program> programs) {
  const char* names[] = {"br_m", "br_p", "h_flip", "hue_m", "hue_p", "mask", "rot", "v_flip"};
  std::vector<std::string> texts;
  for (const Program& program : programs) {
    std::string text;
    for (const int edit : program) {
      if (!text.empty()) text += ',';
      text += names[edit];
    }
    texts.push_back(text);
  }
  return texts;
}

std::vector<std::string> sorted(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

// The paper's tables of the programs seen and held out.
const std::vector<std::string> kSeen33{
    "h_flip",      "mask",       "v_flip",     "br_m,br_m",  "br_p,br_p",  "hue_m,hue_m",
    "hue_p,hue_p", "rot,rot",    "br_m,hue_m", "br_m,hue_p", "br_m,mask",  "br_m,rot",
    "br_m,v_flip", "br_p,hue_m", "br_p,hue_p", "h_flip,rot", "hue_p,mask", "rot,v_flip"};
const std::vector<std::string> kHeldOut33{
    "br_m",       "br_p",      "hue_m",        "hue_p",        "rot",          "br_m,h_flip", "br_p,h_flip",
    "br_p,mask",  "br_p,rot",  "br_p,v_flip",  "h_flip,hue_m", "h_flip,hue_p", "h_flip,mask", "h_flip,v_flip",
    "hue_m,mask", "hue_m,rot", "hue_m,v_flip", "hue_p,rot",    "hue_p,v_flip", "mask,rot",    "mask,v_flip"};
const std::vector<std::string> kHeldOut66{"br_m",        "hue_m",        "rot",         "br_p,mask",
                                          "br_p,v_flip", "h_flip,hue_m", "h_flip,mask", "h_flip,v_flip",
                                          "hue_p,rot",   "mask,rot",     "mask,v_flip"};

TEST(ImagingPrograms, AlphaThirdIsThePapersTable) {
  const ImagingSplit split = split_imaging_programs(0.33);
  EXPECT_EQ(sorted(abbreviated(split.in_distribution)), sorted(kSeen33));
  EXPECT_EQ(sorted(abbreviated(split.compositional)), sorted(kHeldOut33));
}

TEST(ImagingPrograms, AlphaTwoThirdsIsThePapersTable) {
  const ImagingSplit split = split_imaging_programs(0.66);
  EXPECT_EQ(sorted(abbreviated(split.compositional)), sorted(kHeldOut66));
  auto seen = sorted(abbreviated(split.in_distribution));
  seen.insert(seen.end(), kHeldOut66.begin(), kHeldOut66.end());
  EXPECT_EQ(sorted(seen), sorted(abbreviated(imaging_programs(1, 2))));
}

TEST(ImagingPrograms, AlphaOneIsTheWholeTableInPlainOrder) {
  const ImagingSplit split = split_imaging_programs(1.0);
  auto table = kSeen33;
  table.insert(table.end(), kHeldOut33.begin(), kHeldOut33.end());
  EXPECT_EQ(sorted(abbreviated(split.in_distribution)), sorted(table));
  EXPECT_EQ(split.in_distribution.size(), 39U);
  EXPECT_TRUE(split.compositional.empty());
  EXPECT_EQ(split.in_distribution, imaging_programs(1, 2));
  EXPECT_TRUE(std::ranges::is_sorted(split.in_distribution, [](const Program& a, const Program& b) {
    return std::pair(a.size(), a) < std::pair(b.size(), b);
  }));
}

TEST(ImagingPrograms, AnchorsThenSingleFlipsAndMaskComeFirstBelowAlphaOne) {
  const auto programs = abbreviated(split_imaging_programs(0.0).in_distribution);
  EXPECT_EQ(programs, (std::vector<std::string>{"br_m,br_m", "br_p,br_p", "hue_m,hue_m", "hue_p,hue_p",
                                                "rot,rot", "h_flip", "mask", "v_flip"}));
}

TEST(ImagingPrograms, AnyAlphaSplitsAllPrograms) {
  for (const double alpha : {0.0, 0.1, 0.5, 0.99}) {
    const ImagingSplit split = split_imaging_programs(alpha);
    EXPECT_EQ(split.in_distribution.size(), 8 + static_cast<size_t>(31 * alpha)) << alpha;
    EXPECT_EQ(split.in_distribution.size() + split.compositional.size(), 39U) << alpha;
  }
  EXPECT_THROW(split_imaging_programs(-0.1), UsageError);
  EXPECT_THROW(split_imaging_programs(1.1), UsageError);
  EXPECT_THROW(split_imaging_programs(std::nan("")), UsageError);
}

TEST(ImagingPrograms, LengthSetHasTheReleasesCounts) {
  EXPECT_EQ(imaging_programs(3, 3).size(), 79U);
  EXPECT_EQ(imaging_programs(4, 4).size(), 152U);
  EXPECT_EQ(imaging_length_programs().size(), 231U);
}

TEST(ImagingPrograms, ReadBackFromTheirText) {
  for (const Program& program : imaging_programs(1, 4)) {
    EXPECT_EQ(imaging().parse_program(imaging().program_text(program)), program);
  }
}

}  // namespace
}  // namespace neo
