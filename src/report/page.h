#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/markdown.h"

namespace neo {

// What web/report draws: the tables, and of each record what the figures need.
nlohmann::json report_data(const std::vector<Record>& records, const ReportTables& tables);

// The page of web/dist with the data in it.
std::string report_page(const nlohmann::json& data);

}  // namespace neo
