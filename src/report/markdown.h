#pragma once

#include <filesystem>
#include <string>

#include "report/tables.h"

namespace neo {

// Everything that the documents and the page show as tables.
struct ReportTables {
  std::vector<ResultTable> results;
  std::vector<PairedRow> paired;
  std::vector<PrimitivenessRow> primitiveness;
  std::vector<AblationRow> ablations;
  std::vector<CostRow> cost;
};
ReportTables make_tables(const std::vector<Record>& records, const std::vector<Method>& methods);

std::string results_markdown(const ReportTables& tables);  // docs/results.md
std::string brief_markdown(const ReportTables& tables);
// The same without the baselines, in lines of a page.
std::string brief_text(const ReportTables& tables);    // the README's table

// Replaces the text between the lines <!-- results --> and <!-- /results --> of a file by the brief table.
void update_brief(const std::filesystem::path& file, const ReportTables& tables);

}  // namespace neo
