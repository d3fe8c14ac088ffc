#include "worlds/episode_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "core/error.h"
#include "core/files.h"
#include "worlds/draw.h"
#include "worlds/episode_digest.h"
#include "worlds/h5.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

class EpisodeFiles : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  // `count` numbers times six, as programs *2 *3 and *3 *2 in turn.
  static Episode product(int64_t i) {
    return {number_to_digits(i), number_to_digits(6 * i), number_to_digits(i + 7),
            number_to_digits(6 * (i + 7)), i % 2 == 0 ? Program{0, 1} : Program{1, 0}};
  }
  fs::path write_products(int64_t count) {
    const fs::path path = folder_ / "products.h5";
    EpisodeWriter writer(path, arithmetic(), "train", 0.5);
    for (int64_t i = 0; i < count; ++i) writer.add(product(i));
    writer.finish();
    return path;
  }
  const fs::path folder_ = fs::temp_directory_path() / fmt::format("neo-episodes-{}", getpid());
};

TEST_F(EpisodeFiles, ComeBackAsTheyWereWritten) {
  constexpr int64_t kCount = 100000;  // several blocks
  EpisodeReader reader(write_products(kCount));
  EXPECT_EQ(reader.info().episodes, kCount);
  EXPECT_EQ(reader.info().world, "arithmetic");
  EXPECT_EQ(reader.info().split, "train");
  EXPECT_EQ(reader.info().alpha, 0.5);
  EXPECT_EQ(reader.info().programs, (std::vector<Program>{{0, 1}, {1, 0}}));
  for (int64_t i : {int64_t{0}, int64_t{1}, int64_t{54321}, kCount - 1}) {
    const Episode episode = reader.episode(i);
    EXPECT_EQ(digits_to_number(episode.query_y), 6 * (i + 7));
    EXPECT_EQ(episode.program, product(i).program);
  }
}

TEST_F(EpisodeFiles, SameEpisodesGiveTheSameBytes) {
  const auto first = read_file(write_products(5000));
  EXPECT_EQ(first, read_file(write_products(5000)));
}

TEST_F(EpisodeFiles, NothingIsLeftWhenTheWriterIsAbandoned) {
  {
    EpisodeWriter writer(folder_ / "half.h5", arithmetic(), "train", 1.0);
    writer.add(product(1));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(EpisodeFiles, MissingFolderOrOtherFileIsOneClearError) {
  EXPECT_THROW(EpisodeReader(folder_ / "absent.h5"), Error);
  EXPECT_THROW(EpisodeReader{folder_}, Error);
  write_file_atomically(folder_ / "text.h5", "these are no episodes");
  EXPECT_THROW(EpisodeReader(folder_ / "text.h5"), Error);
}

TEST_F(EpisodeFiles, TruncationIsFoundAtEveryLength) {
  const std::string whole = read_file(write_products(2000));
  for (size_t keep = 0; keep < whole.size(); keep += whole.size() / 40) {
    write_file_atomically(folder_ / "cut.h5", whole.substr(0, keep));
    EXPECT_THROW(
        {
          EpisodeReader reader(folder_ / "cut.h5");
          reader.observations(0, reader.info().episodes);
        },
        Error)
        << keep << " of " << whole.size() << " bytes";
  }
}

TEST_F(EpisodeFiles, FlippedDataBytesAreFoundWhenRead) {
  const std::string whole = read_file(write_products(20000));
  int found = 0;
  for (int k = 1; k <= 8; ++k) {  // the middle of the file is data
    std::string damaged = whole;
    damaged[whole.size() * 4 / 10 + static_cast<size_t>(k) * 97] ^= 0x20;
    write_file_atomically(folder_ / "damaged.h5", damaged);
    try {
      EpisodeReader reader(folder_ / "damaged.h5");
      reader.observations(0, reader.info().episodes);
      reader.program_indices(0, reader.info().episodes);
    } catch (const Error&) {
      ++found;
    }
  }
  EXPECT_EQ(found, 8);
}

// A file as the official release writes it: one group per sample.
void write_release_sample(hid_t file, int64_t index, const std::vector<int32_t>& grids,
                          const std::vector<int64_t>& answer) {
  const h5::Handle group(
      H5Gcreate2(file, fmt::format("sample_{}", index).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Gclose);
  const hsize_t grid_dims[] = {3, 10, 10};
  const hsize_t answer_dims[] = {10, 10};
  const h5::Handle grid_space(H5Screate_simple(3, grid_dims, nullptr), H5Sclose);
  const h5::Handle answer_space(H5Screate_simple(2, answer_dims, nullptr), H5Sclose);
  const h5::Handle g(
      H5Dcreate2(group, "grids", H5T_STD_I32LE, grid_space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  const h5::Handle a(
      H5Dcreate2(group, "answer", H5T_STD_I64LE, answer_space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  H5Dwrite(g, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, grids.data());
  H5Dwrite(a, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, answer.data());
  h5::write_text(group, "transitions", "[['move_right'], []]");
}

TEST_F(EpisodeFiles, TheReleasesLayoutIsReadAsWell) {
  const fs::path path = folder_ / "release.h5";
  std::vector<int32_t> grids(300, 0);
  std::vector<int64_t> answer(100, 0);
  grids[5] = grids[106] = grids[207] = 3;
  answer[8] = 3;
  {
    const h5::Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    for (int64_t i = 0; i < 3; ++i) write_release_sample(file, i, grids, answer);
  }
  EpisodeReader reader(path);
  EXPECT_EQ(reader.info().world, "gridworld");
  EXPECT_EQ(reader.info().episodes, 3);
  const Episode episode = reader.episode(2);
  EXPECT_EQ(episode.program, Program{1});
  EXPECT_EQ(gridworld().run(episode.program, episode.support_x), episode.support_y);
  EXPECT_EQ(gridworld().run(episode.program, episode.query_x), episode.query_y);
}

TEST_F(EpisodeFiles, ReleaseFilesWithImpossibleColoursAreRefused) {
  const fs::path path = folder_ / "release.h5";
  {
    const h5::Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    write_release_sample(file, 0, std::vector<int32_t>(300, 255), std::vector<int64_t>(100, 0));
  }
  EXPECT_THROW(EpisodeReader(path).episode(0), Error);
}

TEST(ReleasePrograms, TextGoesThereAndBack) {
  EXPECT_EQ(release_program_text(gridworld(), {2, 1, 1}), "[['move_down', 'move_right', 'move_right'], []]");
  EXPECT_EQ(release_program_text(arithmetic(), {0, 1}), "*2,*3");
  for (const World* world : {&gridworld(), &arithmetic(), &imaging()}) {
    const Program program{0, 2, 3};
    EXPECT_EQ(parse_release_program(*world, release_program_text(*world, program)), program);
  }
  EXPECT_THROW(parse_release_program(gridworld(), "[['move_diagonally'], []]"), Error);
}

TEST(Drawing, TerminalRowsShowEveryWorld) {
  EXPECT_EQ(terminal_row(arithmetic(), {number_to_digits(73), number_to_digits(0)}, false), "73 → 0\n");
  Observation grid(100, 0);
  grid[0] = 7;
  const std::string text = terminal_row(gridworld(), {grid, grid}, false);
  EXPECT_EQ(text.substr(0, 4), " 7 .");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
}

TEST_F(EpisodeFiles, ContactSheetsArePngFiles) {
  const fs::path path = folder_ / "sheet.png";
  contact_sheet(arithmetic(), {product(3), product(4)}).write_png(path);
  EXPECT_EQ(read_file(path).substr(1, 3), "PNG");
}

}  // namespace
}  // namespace neo
