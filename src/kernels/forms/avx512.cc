#if defined(__x86_64__)
#include "kernels/forms/avx512.h"

#include "kernels/forms/make_form.h"

namespace neo {

const Form kAvx512Form = make_form<Avx512>();

}  // namespace neo
#endif
