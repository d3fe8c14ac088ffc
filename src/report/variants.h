#pragma once

#include "report/records.h"

namespace neo {

// Fills Variant::settings. Of records with the same benchmark, preset, method, ablation and alpha: the
// settings given on the command line, and whatever else differs between them, as "key=value", where it is not
// what most of them have.
void name_differences(std::vector<Record>& records);

}  // namespace neo
