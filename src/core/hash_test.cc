#include "core/hash.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "core/testing.h"

namespace neo {
namespace {

constexpr const char* kSha256OfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(Sha256, GivesTheKnownAnswers) {
  EXPECT_EQ(Sha256().finish_hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  Sha256 hash;
  hash.update("abc");
  EXPECT_EQ(hash.finish_hex(), kSha256OfAbc);
}

TEST(Sha256, PiecesHashLikeTheWhole) {
  Sha256 hash;
  hash.update("a");
  hash.update("");
  Sha256 moved = std::move(hash);
  moved.update("bc");
  EXPECT_EQ(moved.finish_hex(), kSha256OfAbc);
}

TEST(Sha256, NumbersHashAsLittleEndianBytes) {
  Sha256 hash;  // Python: hashlib.sha256(struct.pack('<Id', 7, 0.5))
  hash.update_le(uint32_t{7});
  hash.update_le(0.5);
  EXPECT_EQ(hash.finish_hex(), "5317955c8d48ae0166dc5326ca43770879e02feff4fcf8a92c6e91a633731a7b");
}

TEST(FileDigest, HashesFilesLargerThanItsBuffer) {
  const testing::TemporaryFolder folder;
  write_file_atomically(folder / "a", std::string(3'000'000, 'a'));
  EXPECT_EQ(sha256_of_file(folder / "a"), "2a152c894398719c0570f83fac34ac03a0f6e8e474b995c2403aa5434f7b9dd4");
  EXPECT_EQ(md5_of_file(folder / "a"), "99ddc9a3a46ea62c95652bdf937a1fb8");
}

TEST(FileDigest, MissingFileIsAnError) {
  EXPECT_CONTAINS(testing::error_of([] { sha256_of_file("/nonexistent/a"); }), "cannot read /nonexistent/a");
}

}  // namespace
}  // namespace neo
