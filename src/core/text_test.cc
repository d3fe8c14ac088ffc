#include "core/text.h"

#include <gtest/gtest.h>

namespace neo {
namespace {

TEST(Text, AcceptsWellFormedUtf8Only) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("plain, α, 网, 🙂"));
  EXPECT_FALSE(is_utf8("\xff"));
  EXPECT_FALSE(is_utf8("\xc0\x80"));          // overlong
  EXPECT_FALSE(is_utf8("\xed\xa0\x80"));      // surrogate
  EXPECT_FALSE(is_utf8("\xf4\x90\x80\x80"));  // beyond U+10FFFF
  EXPECT_FALSE(is_utf8("\xe2\x82"));          // cut short
}

TEST(Text, CountsAndCutsByCharacter) {
  EXPECT_EQ(utf8_columns("α=█"), 3u);
  EXPECT_EQ(utf8_prefix("α=█", 2), "α=");
  EXPECT_EQ(utf8_prefix("ab", 5), "ab");
}

TEST(Text, PrintableIsOneLineWithoutEscapes) {
  EXPECT_EQ(printable("a\nb\x1b[0m"), "a\\x0ab\\x1b[0m");
  EXPECT_EQ(printable("\xff\xc2\x85"), "\\xff\\xc2\\x85");
  EXPECT_EQ(printable("abcdef", 3), "abc…");
  EXPECT_EQ(printable("α"), "α");
}

TEST(Text, PrintableShowsWhatCannotBeSeen) {
  EXPECT_EQ(printable("a\u202eb"), "a\\xe2\\x80\\xaeb");  // right to left
  EXPECT_EQ(printable("a\u200bb\ufeff"), "a\\xe2\\x80\\x8bb\\xef\\xbb\\xbf");
  EXPECT_EQ(printable("häßlich, 网, 🙂, ‘x’"), "häßlich, 网, 🙂, ‘x’");
}

TEST(Text, WrapsAtBlanks) {
  EXPECT_EQ(wrapped("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrapped("αβγ δεζ", 7), "αβγ δεζ");
  EXPECT_EQ(wrapped("a verylongword b", 6), "a\nverylongword\nb");
  EXPECT_EQ(wrapped(""), "");
}

TEST(Text, CountsWithTheRightNoun) {
  EXPECT_EQ(counted(1, "pair"), "1 pair");
  EXPECT_EQ(counted(0, "pair"), "0 pairs");
}

TEST(Text, TrimsBlanksAtEitherEnd) {
  EXPECT_EQ(trimmed(" \ta b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(" a\n", " "), "a\n");
}

TEST(Text, LowercaseChangesAsciiLettersOnly) { EXPECT_EQ(lowercase("AbZ[-Ä"), "abz[-Ä"); }

TEST(Text, NearestFindsTyposAndNothingElse) {
  const std::vector<std::string> names = {"gridworld", "arithmetic", "imaging"};
  EXPECT_EQ(nearest("gridwrld", names), "gridworld");
  EXPECT_EQ(nearest("imagine", names), "imaging");
  EXPECT_EQ(nearest("trian", {"train", "learn"}), "train");
  EXPECT_EQ(nearest("sudoku", names), std::nullopt);
  EXPECT_EQ(nearest("", names), std::nullopt);
  EXPECT_EQ(nearest(std::string(1 << 20, 'g'), names), std::nullopt);
}

}  // namespace
}  // namespace neo
