#include "data/pair_file.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "core/testing.h"
#include "data/h5.h"
#include "data/import.h"

// HDF5 cannot close a file on a full disk, and keeps what it holds of it.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace neo {
namespace {
namespace fs = std::filesystem;

const Space kSixDigits{.layout = Layout::number, .shape = {6}, .values = {10}};

Observation digits(int64_t value) {
  Observation d(6);
  for (size_t i = 6; i-- > 0; value /= 10) d[i] = static_cast<uint8_t>(value % 10);
  return d;
}

// Numbers times six, their programs "2 3" and "3 2" in turn, two in a group; every tenth is held out.
Pair product(int64_t i) {
  return {digits(i), digits(6 * i), static_cast<int32_t>(i / 2), i % 2 == 0 ? "2 3" : "3 2"};
}

class PairFiles : public ::testing::Test {
 protected:
  fs::path write_products(int64_t count, const std::string& name = "products.h5") {
    PairWriter writer(
        folder_ / name,
        {.space = kSixDigits, .split = "train", .source = "a test", .alpha = 0.5, .grouped = true});
    for (int64_t i = 0; i < count; ++i) writer.add(product(i), i % 10 == 9 ? Part::held_out : Part::main);
    writer.finish();
    return folder_ / name;
  }
  static void read_all(PairReader& reader) {
    for (Part part : {Part::main, Part::held_out}) reader.read(part, 0, reader.count(part));
  }
  std::string complaint(const fs::path& path) {
    return testing::error_of([&] {
      PairReader reader(path);
      read_all(reader);
    });
  }
  testing::TemporaryFolder folder_;
};

TEST_F(PairFiles, ComeBackAsTheyWereWritten) {
  constexpr int64_t kCount = 100000;  // several blocks
  PairReader reader(write_products(kCount));
  const PairFileInfo& info = reader.info();
  EXPECT_EQ(info.space, kSixDigits);
  EXPECT_EQ(info.pairs, kCount / 10 * 9);
  EXPECT_EQ(info.held_out, kCount / 10);
  EXPECT_EQ(info.split, "train");
  EXPECT_EQ(info.source, "a test");
  EXPECT_EQ(info.alpha, 0.5);
  EXPECT_TRUE(info.grouped);
  EXPECT_EQ(info.programs, (std::vector<std::string>{"2 3", "3 2"}));
  for (int64_t i : {int64_t{0}, int64_t{1}, int64_t{5432}, kCount / 10 - 1}) {
    const Pair pair = reader.pair(Part::held_out, i), expected = product(10 * i + 9);
    EXPECT_EQ(pair.x, expected.x);
    EXPECT_EQ(pair.y, expected.y);
    EXPECT_EQ(pair.group, expected.group);
    EXPECT_EQ(pair.program, expected.program);
  }
  EXPECT_CONTAINS(testing::error_of([&] { reader.pair(Part::held_out, kCount); }), "held out");
}

TEST_F(PairFiles, EveryElementIsStored) {
  for (const Space& space : {Space{.layout = Layout::sequence, .shape = {3}, .values = {1000}},
                             Space{.kind = Kind::real, .layout = Layout::vector, .shape = {3}},
                             Space{.kind = Kind::pixels, .layout = Layout::image, .shape = {1, 1, 3}}}) {
    const Observation a = observation_of(space, std::vector<double>{1, 2, 3}),
                      b = observation_of(space, std::vector<double>{3, 250, 0});
    {
      PairWriter writer(folder_ / "one.h5", {.space = space});
      writer.add({a, b});
      writer.finish();
    }
    const Pair pair = PairReader(folder_ / "one.h5").pair(Part::main, 0);
    EXPECT_EQ(pair.x, a) << describe(space);
    EXPECT_EQ(pair.y, b);
    EXPECT_EQ(pair.group, -1);
    EXPECT_EQ(pair.program, "");
  }
}

TEST_F(PairFiles, GroupsAreForgottenWhereThereAreNone) {
  {
    PairWriter writer(folder_ / "one.h5", {.space = kSixDigits});
    writer.add(product(8));
    writer.finish();
  }
  EXPECT_EQ(PairReader(folder_ / "one.h5").pair(Part::main, 0).group, -1);
}

TEST_F(PairFiles, SamePairsGiveTheSameBytesAndDigest) {
  const auto first = read_file(write_products(5000, "a.h5"));
  EXPECT_TRUE(first == read_file(write_products(5000, "b.h5")));  // not EXPECT_EQ: it would print both
  EXPECT_NE(PairReader(folder_ / "a.h5").info().digest,
            PairReader(write_products(5001, "c.h5")).info().digest);
}

TEST_F(PairFiles, NothingIsLeftWhenTheWriterIsAbandoned) {
  {
    PairWriter writer(folder_ / "half.h5", {.space = kSixDigits});
    writer.add(product(1));
  }
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(PairFiles, MissingFolderOrOtherFileIsOneClearError) {
  EXPECT_CONTAINS(complaint(folder_ / "absent.h5"), "does not exist");
  EXPECT_CONTAINS(complaint(folder_.path()), "folder");
  write_file_atomically(folder_ / "text.h5", "these are no pairs");
  EXPECT_CONTAINS(complaint(folder_ / "text.h5"), "no HDF5 file");
  EXPECT_FALSE(is_pair_file(folder_ / "text.h5"));
  EXPECT_FALSE(is_pair_file(folder_.path()));
  EXPECT_TRUE(is_pair_file(write_products(3)));
}

TEST_F(PairFiles, FilesOfEarlierVersionsSaySo) {
  {
    const h5::Handle file = h5::create_file(folder_ / "old.h5");
    h5::write_text(file, "format", "neo-episodes");
  }
  EXPECT_CONTAINS(complaint(folder_ / "old.h5"), "earlier version");
}

TEST_F(PairFiles, TruncationIsFoundAtEveryLength) {
  const std::string whole = read_file(write_products(2000));
  for (size_t keep = 0; keep < whole.size(); keep += whole.size() / 40) {
    write_file_atomically(folder_ / "cut.h5", whole.substr(0, keep));
    EXPECT_NE(complaint(folder_ / "cut.h5"), "") << keep << " of " << whole.size() << " bytes";
  }
}

TEST_F(PairFiles, FlippedDataBytesAreFoundWhenRead) {
  const fs::path path = write_products(20000);
  const std::string whole = read_file(path);
  // Where the compressed observations of the larger part lie.
  haddr_t at = 0;
  {
    const h5::Handle file = h5::open_file(path);
    const h5::Handle x = h5::dataset(h5::group(file, "main"), "x");
    hsize_t size = 0;
    const std::vector<hsize_t> first{0, 0};
    unsigned filters = 0;
    ASSERT_GE(H5Dget_chunk_info_by_coord(x, first.data(), &filters, &at, &size), 0);
    ASSERT_GT(size, 2000u);
  }
  for (size_t k = 1; k <= 8; ++k) {
    std::string damaged = whole;
    damaged[static_cast<size_t>(at) + k * 97] ^= 0x20;
    write_file_atomically(folder_ / "damaged.h5", damaged);
    EXPECT_CONTAINS(complaint(folder_ / "damaged.h5"), "damaged") << k;
  }
}

// Another program may change values and leave every checksum right.
TEST_F(PairFiles, ContentThatIsNotWhatItsDigestSaysIsRefused) {
  const fs::path path = write_products(100);
  {
    const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const h5::Handle x = h5::dataset(h5::group(file, "main"), "x");
    const std::vector<uint8_t> row(6, 1);
    ASSERT_TRUE(h5::append_rows(x, H5T_NATIVE_UINT8, h5::dimensions(x)[0] - 1, {1, 6}, row.data()));
  }
  EXPECT_CONTAINS(complaint(path), "does not have the digest that it claims");
}

// Also where such a file was read before, and was in order.
TEST_F(PairFiles, AFileThatChangesIsReadAnew) {
  const fs::path path = write_products(100);
  EXPECT_EQ(complaint(path), "");
  std::string content = read_file(path);
  content.resize(content.size() - 100);
  write_file_atomically(path, content);
  EXPECT_NE(complaint(path), "");
}

// Half of such a small file is what libhdf5 wrote about the data.
TEST_F(PairFiles, NoFlippedBitChangesWhatIsRead) {
  const std::string whole = read_file(write_products(10));
  const fs::path path = folder_ / "flipped.h5";
  const auto content = [&] {
    PairReader reader(path);
    return fmt::format("{} {}", reader.content_digest(), describe(reader.info().space));
  };
  write_file_atomically(path, whole);
  const std::string intact = content();
  size_t refused = 0;
  for (size_t at = 0; at < whole.size(); at += 37) {
    std::string flipped = whole;
    flipped[at] ^= static_cast<char>(1 << at % 8);
    write_file_atomically(path, flipped);
    std::string read = intact;
    if (!testing::error_of([&] { read = content(); }).empty()) ++refused;
    EXPECT_EQ(read, intact) << "byte " << at;
  }
  EXPECT_GT(refused, 20u);
}

TEST_F(PairFiles, AFullDiskLeavesNothing) {
  const testing::FullDisk disk(1 << 12);
  const std::string said = testing::error_of([&] { write_products(20000); });
  EXPECT_CONTAINS(said, "free some");
  EXPECT_EQ(said.find(".tmp."), std::string::npos) << said;
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

// ---------------------------------------------------------------- files from outside

TEST_F(PairFiles, LinksOutOfTheFileAreRefused) {
  const fs::path target = write_products(10);
  for (const bool is_external : {true, false}) {
    const fs::path path = folder_ / "links.h5";
    fs::copy_file(target, path, fs::copy_options::overwrite_existing);
    {
      const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
      H5Ldelete(file, "main/x", H5P_DEFAULT);
      if (is_external)
        H5Lcreate_external(target.c_str(), "/main/x", file, "main/x", H5P_DEFAULT, H5P_DEFAULT);
      else
        H5Lcreate_soft("/main/y", file, "main/x", H5P_DEFAULT, H5P_DEFAULT);
    }
    EXPECT_CONTAINS(complaint(path), "is a link to elsewhere");
    EXPECT_CONTAINS(complaint(path), path.string());
  }
}

TEST_F(PairFiles, DataKeptInOtherFilesAreRefused) {
  const fs::path path = folder_ / "external.h5";
  fs::copy_file(write_products(10), path);
  write_file_atomically(folder_ / "secret", std::string(1000, '\1'));
  {
    const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    H5Ldelete(file, "main/x", H5P_DEFAULT);
    const h5::Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_external(options, (folder_ / "secret").c_str(), 0, H5F_UNLIMITED);
    const hsize_t dims[] = {9, 6};
    const h5::Handle space(H5Screate_simple(2, dims, nullptr), H5Sclose);
    const h5::Handle x(H5Dcreate2(file, "main/x", H5T_STD_U8LE, space, H5P_DEFAULT, options, H5P_DEFAULT),
                       H5Dclose);
    ASSERT_TRUE(x.valid());
  }
  EXPECT_CONTAINS(complaint(path), "keeps its data in other files");
}

TEST_F(PairFiles, ClaimsBeyondTheFileAreRefused) {
  const fs::path path = folder_ / "claims.h5";
  fs::copy_file(write_products(10), path);
  {
    const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    H5Ldelete(file, "main/x", H5P_DEFAULT);
    const h5::Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const hsize_t dims[] = {hsize_t{1} << 39, 6}, chunk[] = {64, 6};
    H5Pset_chunk(options, 2, chunk);
    const h5::Handle space(H5Screate_simple(2, dims, nullptr), H5Sclose);
    const h5::Handle x(H5Dcreate2(file, "main/x", H5T_STD_U8LE, space, H5P_DEFAULT, options, H5P_DEFAULT),
                       H5Dclose);
    ASSERT_TRUE(x.valid());
  }
  EXPECT_CONTAINS(complaint(path), "claims to hold more");
}

// A sample as the official release writes it: one group with two pairs, the last observation aside.
void write_release_sample(hid_t file, int64_t index, const std::vector<hsize_t>& shape,
                          const std::vector<int32_t>& grids, const std::vector<int64_t>& answer,
                          const char* attribute, const char* program) {
  const h5::Handle group = h5::create_group(file, fmt::format("sample_{}", index).c_str());
  std::vector<hsize_t> dims = shape;
  const h5::Handle grid_space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr),
                              H5Sclose);
  const h5::Handle answer_space(H5Screate_simple(static_cast<int>(dims.size()) - 1, dims.data() + 1, nullptr),
                                H5Sclose);
  const h5::Handle g(
      H5Dcreate2(group, "grids", H5T_STD_I32LE, grid_space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  const h5::Handle a(
      H5Dcreate2(group, "answer", H5T_STD_I64LE, answer_space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  H5Dwrite(g, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, grids.data());
  H5Dwrite(a, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, answer.data());
  h5::write_text(group, attribute, program);
}

TEST_F(PairFiles, TheReleasesGridsAreTwoPairsOfAGroup) {
  const fs::path path = folder_ / "release.h5";
  std::vector<int32_t> grids(300, 0);
  std::vector<int64_t> answer(100, 0);
  grids[5] = grids[106] = grids[207] = 3;
  answer[8] = 3;
  {
    const h5::Handle file = h5::create_file(path);
    for (int64_t i = 0; i < 3; ++i)
      write_release_sample(file, i, {3, 10, 10}, grids, answer, "transitions", "[['move_right', 'up'], []]");
  }
  PairReader reader(path);
  EXPECT_EQ(describe(reader.info().space), "10x10 grid of 4 values");
  EXPECT_EQ(reader.info().pairs, 6);
  EXPECT_EQ(reader.info().programs, std::vector<std::string>{"move_right up"});
  const Pair support = reader.pair(Part::main, 4), query = reader.pair(Part::main, 5);
  EXPECT_EQ(support.group, 2);
  EXPECT_EQ(query.group, 2);
  EXPECT_EQ(support.x[5], 3);
  EXPECT_EQ(support.y[6], 3);
  EXPECT_EQ(query.x[7], 3);
  EXPECT_EQ(query.y[8], 3);
}

TEST_F(PairFiles, TheReleasesNumbersAreDigits) {
  const fs::path path = folder_ / "release.h5";
  {
    const h5::Handle file = h5::create_file(path);
    write_release_sample(file, 0, {3, 1, 2}, {0, 7, 1, 4, 0, 8}, {1, 6}, "program", "*2");
  }
  PairReader reader(path);
  EXPECT_EQ(describe(reader.info().space), "number of 2 digits");
  EXPECT_EQ(reader.pair(Part::main, 1).y, (Observation{1, 6}));
  EXPECT_EQ(reader.pair(Part::main, 1).program, "*2");
}

TEST_F(PairFiles, ReleaseFilesWithImpossibleValuesAreRefused) {
  const fs::path path = folder_ / "release.h5";
  {
    const h5::Handle file = h5::create_file(path);
    write_release_sample(file, 0, {3, 10, 10}, std::vector<int32_t>(300, -1), std::vector<int64_t>(100, 0),
                         "transitions", "[]");
  }
  EXPECT_CONTAINS(complaint(path), "sample_0");
}

}  // namespace
}  // namespace neo
