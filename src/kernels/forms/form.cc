#include "kernels/forms/form.h"

#include <cstdlib>

#include "kernels/precision.h"

namespace neo {

const Form& form_of(Instructions instructions) {
#if defined(__x86_64__)
  if (instructions == Instructions::avx512) return kAvx512Form;
  if (instructions == Instructions::avx2) return kAvx2Form;
#endif
  static_cast<void>(instructions);
  return kPortableForm;
}

const RoundedForm& rounded_form() {
  require(Precision::bf16);
#if defined(__x86_64__)
  return kAvx512Bf16Form;
#else
  std::abort();  // nothing else has it
#endif
}

}  // namespace neo
