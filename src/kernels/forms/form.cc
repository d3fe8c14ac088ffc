#include "kernels/forms/form.h"

namespace neo {

const Form& form_of(Instructions instructions) {
#if defined(__x86_64__)
  if (instructions == Instructions::avx512) return kAvx512Form;
  if (instructions == Instructions::avx2) return kAvx2Form;
#endif
  static_cast<void>(instructions);
  return kPortableForm;
}

}  // namespace neo
