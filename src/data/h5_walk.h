#pragma once

#include <hdf5.h>

namespace neo::h5 {

// Opens everything in a file and reads it once, so that whatever makes libhdf5 fail does so here. Never leaves the
// file; what a reader has to refuse is left to it.
void read_everything(hid_t file);

}  // namespace neo::h5
