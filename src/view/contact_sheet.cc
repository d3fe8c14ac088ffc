#include <algorithm>
#include <map>

#include "view/panels.h"
#include "view/style.h"

namespace neo {
namespace {

constexpr int kSheetWidth = 1100;  // pixels that are filled, unless one pair needs more

// Indices of pairs that stand beside each other: those of a group, or one alone; in order of appearance.
std::vector<std::vector<size_t>> runs_of(const std::vector<Pair>& pairs) {
  std::vector<std::vector<size_t>> runs;
  std::map<int32_t, size_t> run_of_group;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].group >= 0) {
      const auto [found, is_new] = run_of_group.emplace(pairs[i].group, runs.size());
      if (!is_new) {
        runs[found->second].push_back(i);
        continue;
      }
    }
    runs.push_back({i});
  }
  return runs;
}

// Part of a run in one row of the sheet.
struct Block {
  std::vector<size_t> pairs;
  int row, column;  // the column counts pairs
};

std::vector<Block> place(const std::vector<std::vector<size_t>>& runs, int per_row) {
  std::vector<Block> blocks;
  int row = 0, column = 0;
  for (const auto& run : runs) {
    if (column > 0 && column + static_cast<int>(run.size()) > per_row) ++row, column = 0;
    for (size_t begin = 0; begin < run.size();) {
      if (column == per_row) ++row, column = 0;
      const size_t count = std::min(run.size() - begin, static_cast<size_t>(per_row - column));
      const auto first = run.begin() + static_cast<int64_t>(begin);
      blocks.push_back({{first, first + static_cast<int64_t>(count)}, row, column});
      column += static_cast<int>(count);
      begin += count;
    }
  }
  return blocks;
}

}  // namespace

Canvas contact_sheet(const View& view, const std::vector<Pair>& pairs) {
  constexpr int kArrow = kGap + 4;  // from x to y
  const Extent extent = view.extent();
  const int pair_width = 2 * extent.width + kArrow, step = pair_width + 2 * kGap;
  const bool has_programs =
      std::any_of(pairs.begin(), pairs.end(), [](const Pair& pair) { return !pair.program.empty(); });
  const int text_height = has_programs ? kTextLine + 2 : 0;
  const int row_height = text_height + extent.height + 2 * kGap;
  const auto blocks = place(runs_of(pairs), std::max(1, kSheetWidth / step));
  int rows = 1, columns = 1;
  for (const Block& block : blocks) {
    rows = std::max(rows, block.row + 1);
    columns = std::max(columns, block.column + static_cast<int>(block.pairs.size()));
  }
  Canvas canvas(columns * step, rows * row_height, kPaper);
  for (const Block& block : blocks) {
    const int left = kGap + block.column * step, top = kGap + block.row * row_height;
    const int width = static_cast<int>(block.pairs.size()) * step - 2 * kGap;
    const std::string& program = pairs[block.pairs[0]].program;
    canvas.text(left, top, Surface::clipped(program, width, kTextScale), kTextScale, kInk);
    if (block.pairs.size() > 1)  // what belongs together has a line above it
      canvas.fill(left, top + text_height - 4, width, 1, kLine);
    int x = left;
    for (size_t i : block.pairs) {
      const int y = top + text_height;
      view.draw(canvas, x, y, pairs[i].x);
      canvas.text(x + extent.width + (kArrow - 3 * kTextScale) / 2, y + extent.height / 2 - 5, ">",
                  kTextScale, kInk);
      view.draw(canvas, x + extent.width + kArrow, y, pairs[i].y);
      x += step;
    }
  }
  return canvas;
}

}  // namespace neo
