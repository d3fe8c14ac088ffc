#pragma once

#include <vector>

#include "discover/cell_rule.h"

namespace neo {

// What rules may ask and say, and the nats that each of it takes to write down: what is near costs less.

// Places to look at, the cell's own first, then by their distance.
std::vector<Place> places_of(const CellShape& shape);
// Questions that count neighbours: by kind, then by value, then by how many there are at least.
std::vector<CellTest> counts_of(const CellShape& shape);
size_t neighbours_of(CellTest::Kind kind);  // of a question that counts them

double cost_of(const CellTest& test, const CellShape& shape);
double cost_of(const CellSource& source, const CellShape& shape);
double description_length(const CellRule& rule);

}  // namespace neo
