#include "core/embedded.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files.h"

namespace neo {
namespace {

TEST(Embedded, PageIsTheFileInDist) {
  EXPECT_EQ(embedded_file("report.html"), read_file(NEO_SOURCE_DIR "/web/dist/report.html"));
}

TEST(Embedded, UnknownNameIsAnError) { EXPECT_THROW(embedded_file("none"), Error); }

}  // namespace
}  // namespace neo
