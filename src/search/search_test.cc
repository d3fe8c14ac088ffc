#include <gtest/gtest.h>

#include "search/beam.h"
#include "search/sampling.h"
#include "search/testing.h"

namespace neo {
namespace {

TEST(BeamSearch, FindsTheShortestProgram) {
  Neo model = true_theory();
  const auto x = torch::cat({grid_with(5, 5), grid_with(5, 5), grid_with(2, 2)});
  const auto y = torch::cat({grid_with(3, 6), grid_with(5, 6), grid_with(2, 5)});
  const BeamResult found =
      beam_search(*make_hard_executor(*model), model->quantizer().active(), x, y, {.depth = 4, .width = 8});
  EXPECT_TRUE(found.exact.all().item<bool>());
  EXPECT_TRUE(torch::equal(found.programs.lengths, torch::tensor({3, 1, 3})));
  EXPECT_TRUE(torch::equal(ends_of(*model, x, found.programs), y));
}

TEST(BeamSearch, TheCheapestProgramWeighsPricesAgainstLoss) {
  Neo model = true_theory();
  const auto executor = make_hard_executor(*model);
  const auto x = grid_with(5, 5);
  const auto y = grid_with(4, 6);  // one up, one right, in either order
  BeamOptions options{
      .depth = 2, .width = 8, .shortest = false, .price = torch::tensor({0.0, 0.0, 0.0, 0.0})};
  const BeamResult cheap = beam_search(*executor, model->quantizer().active(), x, y, options);
  EXPECT_TRUE(cheap.exact[0].item<bool>());
  options.price = torch::full({4}, 10.0);  // two codes cost more than any loss saves
  const BeamResult dear = beam_search(*executor, model->quantizer().active(), x, y, options);
  EXPECT_EQ(dear.programs.lengths[0].item<int64_t>(), 1);
}

TEST(BeamSearch, ItsLengthFollowsTheRule) {
  Neo model = true_theory();
  const auto x = grid_with(5, 5), y = grid_with(0, 0);  // ten steps away
  const auto length = [&](const LengthRule& rule) {
    return beam_search(*make_hard_executor(*model), model->quantizer().active(), x, y,
                       {.depth = 3, .width = 8, .rule = rule})
        .programs.lengths[0]
        .item<int64_t>();
  };
  EXPECT_EQ(length({Fallback::all_steps}), 3);
  EXPECT_EQ(length({Fallback::mdl, /*lambda=*/100.0}), 1);
  EXPECT_EQ(length({Fallback::mdl, /*lambda=*/1e-3}), 3);
  EXPECT_EQ(length({Fallback::all_steps, 1.0, /*tolerance=*/1e9}), 1);
}

TEST(BeamSearch, UsesOnlyTheCodesItIsGiven) {
  Neo model = true_theory();
  const BeamResult found = beam_search(*make_hard_executor(*model), {0, 3}, grid_with(5, 5), grid_with(5, 6),
                                       {.depth = 3, .width = 8});
  EXPECT_FALSE(found.exact[0].item<bool>());  // right is code 1
}

TEST(BeamSearch, GivesTheClosestProgramWhenNoneIsExact) {
  Neo model = true_theory();
  const BeamResult found = beam_search(*make_hard_executor(*model), model->quantizer().active(),
                                       grid_with(5, 1), grid_with(5, 8), {.depth = 3, .width = 4});
  EXPECT_FALSE(found.exact[0].item<bool>());
  EXPECT_GE(found.programs.lengths[0].item<int64_t>(), 1);
}

TEST(Vote, CountsProgramsUpToTheirSolvingStep) {
  // Draws 1 and 2 spell the same program before its solving step; draw 0 never solves.
  Candidates c{torch::tensor({{{3, 3, 3}, {0, 1, 2}, {0, 1, 3}, {2, 2, 2}}}), torch::tensor({{0, 2, 2, 3}})};
  EXPECT_EQ(vote(c, spelling_classes(c), 4)[0].item<int64_t>(), 1);
  EXPECT_EQ(vote(c, spelling_classes(c), 1)[0].item<int64_t>(), -1);
}

TEST(Vote, TiesGoToTheFirstSeen) {
  Candidates c{torch::tensor({{{3, 0}, {1, 0}, {1, 0}, {3, 0}}}), torch::tensor({{1, 1, 1, 1}})};
  EXPECT_EQ(vote(c, spelling_classes(c), 4)[0].item<int64_t>(), 0);
}

TEST(DrawCandidates, AreTheSameForTheSameSeed) {
  Neo model = true_theory();
  SamplingOptions options{.draws = 8, .steps = 3};
  RngStream a(1, "x"), b(1, "x");
  const auto first = draw_candidates(*model, grid_with(5, 5), grid_with(4, 5), options, a);
  const auto second = draw_candidates(*model, grid_with(5, 5), grid_with(4, 5), options, b);
  EXPECT_TRUE(torch::equal(first.codes, second.codes));
}

}  // namespace
}  // namespace neo
