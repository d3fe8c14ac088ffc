#include "core/pages.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files.h"

namespace neo {
namespace {

TEST(Pages, ReportIsTheFileInDist) {
  EXPECT_EQ(embedded_page("report"), read_file(NEO_SOURCE_DIR "/web/dist/report.html"));
}

TEST(Pages, UnknownPageIsAnError) { EXPECT_THROW(embedded_page("none"), Error); }

}  // namespace
}  // namespace neo
