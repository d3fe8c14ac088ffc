#pragma once

#include <vector>

#include "benchmark/benchmark.h"
#include "benchmark/imaging/sampler.h"

namespace neo {

// The splits of a profile, and how many episodes of each program they hold (N = request.episodes):
//   otib         train 20,000 (15,000 at alpha 1), id 1/5 of that, on CIFAR's test images, comp as train;
//                with N: N, N/5 rounded up, N
//   length       1,000 or N; in exact mode hard programs stay short of that: 196,943 in all, as published
//   pretraining  1,116 or N, and 1/10 of it in pretrain-test, on CIFAR's test images
// The pretraining set is not part of the release. The paper's has 1.74 million single images, half of them
// edited by programs of length 1 or 2. Ours holds the same in episodes, four images each, of all such
// programs alike, at a tenth of the size; --episodes 11154 gives the full one. It is always made in fast
// mode. Throws UsageError on a bad request.
std::vector<ImagingPlan> plan_imaging(const DataRequest& request);

// Opens the splits in order and fills each. Memory: CIFAR-10 and a few thousand episodes, whatever the size.
void generate_imaging(const DataRequest& request, const OpenSplit& open);

}  // namespace neo
