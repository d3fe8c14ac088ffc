#pragma once

namespace neo {

// How many threads computations use unless told otherwise: OMP_NUM_THREADS where it is set, else all there are.
int default_threads();

}  // namespace neo
