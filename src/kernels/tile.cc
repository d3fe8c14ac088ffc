#include "kernels/tile.h"

#include "kernels/forms/form.h"

namespace neo {

void run_tile(const Tile& tile, int64_t images) { form().tile(tile, images); }
int64_t tile_columns() { return form().columns; }

}  // namespace neo
