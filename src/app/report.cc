#include <fmt/format.h>

#include <memory>

#include "app/commands.h"
#include "core/error.h"
#include "core/files.h"
#include "report/learned.h"
#include "report/markdown.h"
#include "report/page.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

struct ReportOptions {
  std::vector<fs::path> places{"results"};
  fs::path out, markdown, readme;
  bool json = false;
};

void run_report(const ReportOptions& options) {
  const auto records = collect_records(options.places);
  const auto learned = collect_learned(options.places);
  if (records.empty() && learned.empty())
    fail("no records in {}; make some with `neo reproduce` or `neo eval RUN`",
         options.places.front().string());
  const ReportTables tables = make_tables(records, methods());
  if (options.json) fmt::print("{}\n", report_data(records, tables, learned).dump());
  if (!options.markdown.empty()) write_output(options.markdown, results_markdown(tables));
  if (!options.readme.empty()) update_brief(options.readme, tables);
  const bool page =
      !options.out.empty() || (options.markdown.empty() && options.readme.empty() && !options.json);
  const fs::path out = options.out.empty() ? "report.html" : options.out;
  if (page) write_output(out, report_page(report_data(records, tables, learned)));
  if (options.json) return;
  for (const fs::path& path : {options.markdown, options.readme, page ? out : fs::path()}) {
    if (!path.empty() && !is_standard_output(path)) fmt::print("wrote {}\n", path.string());
  }
}

}  // namespace

void setup_report(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand(
      "report", "Tables and figures from evaluation records, as one page that needs no network");
  command->add_option("places", options->places,
                      "Results folders, run folders, or single records (default: results)");
  command->add_option("--out", options->out,
                      "The page (default: report.html, unless other output is requested)");
  command->add_option("--markdown", options->markdown, "Write the tables as Markdown");
  command->add_option("--readme", options->readme,
                      "Put the brief table between <!-- results --> and <!-- /results --> of this file");
  command->add_flag("--json", options->json, "Print the data of the page as JSON");
  command->footer(
      "Example:\n  neo report results --out report.html\n  neo report results --markdown docs/results.md "
      "--readme "
      "README.md\n  neo report runs/my-run");
  command->callback([options] {
    try {
      run_report(*options);
    } catch (const nlohmann::json::exception& error) {
      fail("a record holds something that neo never writes: {}", error.what());
    }
  });
}

}  // namespace neo
