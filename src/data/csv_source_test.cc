#include "data/csv_source.h"

#include <gtest/gtest.h>

#include "data/testing.h"

namespace neo {
namespace {

class CsvImport : public testing::ImportTest {
 protected:
  std::string complaint_about(const std::string& content) const {
    put("pairs.csv", content);
    return complaint("pairs.csv");
  }
  std::string all_notes() const { return fmt::format("{}", fmt::join(import({"pairs.csv"}).notes, "|")); }
  Space space_of(const std::string& content) const {
    put("pairs.csv", content);
    return import({"pairs.csv"}).info.space;
  }
};

TEST_F(CsvImport, NumbersAreAsLongAsTheLongest) {
  const Space space = space_of("x,y\r\n12,00024\r\n999999999,0\r\n");
  EXPECT_EQ(describe(space), "number of 9 digits");
  EXPECT_EQ(x(0), (std::vector<double>{0, 0, 0, 0, 0, 0, 0, 1, 2}));
  EXPECT_EQ(y(0), (std::vector<double>{0, 0, 0, 0, 0, 0, 0, 2, 4}));
  EXPECT_EQ(y(1), std::vector<double>(9, 0));
}

TEST_F(CsvImport, NumbersHaveTheBaseThatIsAskedFor) {
  put("pairs.csv", "x,y\n101,1010\n");
  ImportOptions binary = options({"pairs.csv"});
  binary.values = 2;
  EXPECT_EQ(import_pairs(binary).info.space.values, std::vector<int64_t>{2});
  put("pairs.csv", "x,y\n101,1020\n");
  EXPECT_CONTAINS(complaint(binary), "pairs.csv, line 2, y is no number in base 2");
  put("pairs.csv", "x,y\nff,Fe\n");
  ImportOptions hexadecimal = options({"pairs.csv"});
  hexadecimal.values = 16;
  hexadecimal.as = Layout::number;
  import_pairs(hexadecimal);
  EXPECT_EQ(y(0), (std::vector<double>{15, 14}));
}

TEST_F(CsvImport, QuotedFieldsHoldSeparatorsQuotesAndLineBreaks) {
  const Space space = space_of("\"x\",y,program\n\"a,b\",\"\"\"\r\n\",\"swap, then \"\"it\"\"\"\nab,ba,\n");
  EXPECT_EQ(space.symbols, (std::vector<std::string>{"\n", "\r", "\"", ",", "a", "b", ""}));
  EXPECT_EQ(x(0), (std::vector<double>{4, 3, 5}));
  EXPECT_EQ(y(0), (std::vector<double>{2, 1, 0}));
  EXPECT_EQ(pair(0).program, "swap, then \"it\"");
}

TEST_F(CsvImport, ShorterTextsArePaddedAtTheirEnd) {
  const Space space = space_of("x,y\nabc,cb\n");
  EXPECT_EQ(describe(space), "sequence of 3 tokens, 4 values");
  EXPECT_TRUE(space.padded);
  EXPECT_EQ(y(0), (std::vector<double>{2, 1, 3}));
}

TEST_F(CsvImport, SignsAndFractionsMakeVectors) {
  put("pairs.csv", "x;y\n-1;2\n0.5;1e3\n");
  const ImportReport report = import({"pairs.csv"});
  EXPECT_EQ(describe(report.info.space), "vector of 1 real number");
  EXPECT_CONTAINS(report.paragraph(), "sign or a fraction");
  EXPECT_EQ(y(1), std::vector<double>{1000});
}

TEST_F(CsvImport, NumberedColumnsAreVectors) {
  EXPECT_EQ(describe(space_of("x1,x2,y1,y2,z\n0.5,1,-1,2,q\n")), "vector of 2 real numbers");
  EXPECT_EQ(y(0), (std::vector<double>{-1, 2}));
  EXPECT_CONTAINS(complaint_about("x1,x2,y1,y2\n0.5,nan,1,2\n"), "pairs.csv, line 2: 'nan' in x2");
  EXPECT_CONTAINS(complaint_about("x1,x3,y1,y3\n1,2,3,4\n"), "line 1: there is a column x3 and no x2; add it");
  EXPECT_CONTAINS(complaint_about("x2,y1\n1,2\n"), "there is a column x2 and no x1");
  EXPECT_EQ(describe(space_of("y0,x0,x1,y1\n0.5,1,-1,2\n")), "vector of 2 real numbers");
  EXPECT_CONTAINS(complaint_about("x1,x2,y1\n0.5,1,1\n"), "2 columns of x and 1 of y");
}

TEST_F(CsvImport, ListsAreSequencesOrVectors) {
  EXPECT_EQ(describe(space_of("x,y\n1 2 3,3 2 49\n")), "sequence of 3 tokens, 50 values");
  EXPECT_EQ(describe(space_of("x,y\n1.0 2.0,2.5 1.0\n")), "vector of 2 real numbers");
  EXPECT_EQ(describe(space_of("x,y\n\"[1.0, 2.0]\",\"[2.5, 1.0]\"\n")), "vector of 2 real numbers");
  EXPECT_CONTAINS(complaint_about("x,y\n1.5 2.5,1.5 2.5\n1.5 2.5,1.5\n"), "line 2, x is 2 and");
}

TEST_F(CsvImport, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_CONTAINS(complaint_about(""), "is empty");
  EXPECT_CONTAINS(complaint_about("x,y\n"), "only a header");
  EXPECT_CONTAINS(complaint_about("1,2\n3,4\n"), "line 1: the first line must name columns x and y");
  EXPECT_CONTAINS(complaint_about("x,z\n3,4\n"), "columns x and y");
  EXPECT_CONTAINS(complaint_about("x,y,x\n3,4,5\n"), "two columns 'x'");
  EXPECT_CONTAINS(complaint_about("x,y\n1,2\n3\n"), "line 3: 1 field where the header has 2");
  EXPECT_CONTAINS(complaint_about("x,y\n1,2\n3,\n"), "line 3: y is missing");
  EXPECT_CONTAINS(complaint_about("x,y\n1,2\n\"3,4\n5,6\n"), "line 3: a quote is opened and never closed");
  EXPECT_CONTAINS(complaint_about("x,y\n1,2\n\"3\"a,4\n"), "line 3: text follows a closing quote");
  EXPECT_CONTAINS(complaint_about("x,y\n1,2\n3,inf\n"), "line 3, y is no finite number");
  EXPECT_CONTAINS(complaint_about("x,y\na,b\n\xff,c\n"), "line 3, x: the text is not UTF-8");
}

TEST_F(CsvImport, OneBadCellAmongNumbersIsNamed) {
  EXPECT_CONTAINS(complaint_about("x,y\n1,2\n3,a\n"),
                  "line 3, y is no number, and most others are; correct the row, or give --as sequence");
  EXPECT_CONTAINS(complaint_about("x,y\n1,2\n1e999,4\n5,6\n"), "line 3, x is no number");
  EXPECT_CONTAINS(complaint_about("x,y\n1 2,2 1\n1 #,4 3\n"), "line 3, x is no number");
  put("pairs.csv", "x,y\n1,2\n3,a\n");
  ImportOptions texts = options({"pairs.csv"});
  texts.as = Layout::sequence;
  EXPECT_EQ(describe(import_pairs(texts).info.space), "sequence of 1 token, 4 values");
  EXPECT_EQ(describe(space_of("x,y\n1+2,3\n2+2,4\n5,5\n")), "sequence of 3 tokens, 7 values") << "texts and numbers";
}

TEST_F(CsvImport, NumbersWithCommasAreListsAndSaidToBe) {
  for (const char* content : {"x,y\n\"1,000\",\"2,000\"\n", "x;y\n1,5;2,5\n", "x;y\n1,000,000;2,000,000\n"}) {
    put("pairs.csv", content);
    EXPECT_CONTAINS(all_notes(), "were taken as lists; write single numbers without a comma") << content;
  }
  put("pairs.csv", "x;y\n1,0,1,0;0,0,1,1\n");
  EXPECT_EQ(all_notes(), "");
}

TEST_F(CsvImport, DigitsOfALargerBaseSuggestIt) {
  put("pairs.csv", "x,y\nff,10\n");
  ImportOptions number = options({"pairs.csv"});
  number.as = Layout::number;
  EXPECT_CONTAINS(complaint(number), "line 2, x is no number in base 10; leave it out, or give --values 16");
  put("pairs.csv", "x,y\n#f,10\n");
  EXPECT_CONTAINS(complaint(number), "or give another --as");
}

TEST_F(CsvImport, RowsAreCountedInLinesOfTheFile) {
  EXPECT_CONTAINS(complaint_about("x,y\n\"a\nb\",c\n\nd\n"), "line 5");
}

TEST_F(CsvImport, ColumnsMayNameGroups) {
  put("pairs.csv", "x,y,task,program\n1,2,a,up\n2,3,a,up\n5,4,b,down\n");
  ImportOptions by_task = options({"pairs.csv"});
  by_task.group = "task";
  const ImportReport report = import_pairs(by_task);
  EXPECT_EQ(report.groups, 2);
  EXPECT_EQ(report.info.programs, (std::vector<std::string>{"up", "down"}));
  EXPECT_EQ(pair(0).group, pair(1).group);
  by_task.group = "none";
  EXPECT_CONTAINS(complaint(by_task), "no column 'none'");
}

TEST_F(CsvImport, TooManySymbolsOrTooLongTextsAreRefusedWithTheirLine) {
  EXPECT_CONTAINS(complaint_about("x,y\na,b\n" + std::string(300, 'a') + ",b\n"),
                  "line 3, x: a sequence of 300");
  EXPECT_CONTAINS(complaint_about("x,y\n1," + std::string(65, '9') + "\n"), "line 2, y: a number of 65");
  put("pairs.csv", "x,y\nab,ba\nac,d\n");
  ImportOptions three = options({"pairs.csv"});
  three.values = 3;
  EXPECT_CONTAINS(complaint(three), "line 3, y brings the number of different symbols to over 3");
}

}  // namespace
}  // namespace neo
