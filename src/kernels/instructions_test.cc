#include "kernels/instructions.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace neo {
namespace {

TEST(Instructions, EveryFormIsFoundByItsName) {
  EXPECT_EQ(available_instructions().front(), Instructions::portable);
  for (const Instructions form : available_instructions()) EXPECT_EQ(instructions_named(name_of(form)), form);
}

TEST(Instructions, AnUnknownNameIsAnErrorThatListsWhatThereIs) {
  try {
    instructions_named("abacus");
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("abacus"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("portable"), std::string::npos);
  }
}

TEST(Instructions, AnotherFormEndsWithItsScope) {
  const Instructions before = instructions();
  {
    const ScopedInstructions scope(Instructions::portable);
    EXPECT_EQ(instructions(), Instructions::portable);
  }
  EXPECT_EQ(instructions(), before);
}

}  // namespace
}  // namespace neo
