#pragma once

#include <memory>

#include "model/hard_executor.h"

namespace neo {

// A recurrent executor runs from the last token to the first, so its state after a few tokens depends on
// the code and those tokens alone: with ten digits, three of them make a thousand states a code. They are
// computed once; a step starts from there, and only if its losses are not above its limit already.
// Null if it does not apply.
std::unique_ptr<HardExecutor> make_suffix_executor(NeoImpl& model);

}  // namespace neo
