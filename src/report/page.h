#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/markdown.h"

namespace neo {

// The data of web/report: the tables, and the parts of each record that the figures need.
nlohmann::json report_data(const std::vector<Record>& records, const ReportTables& tables,
                           const std::vector<nlohmann::json>& learned = {});

// The page of web/dist with the data in it.
std::string report_page(const nlohmann::json& data);

}  // namespace neo
