#if defined(__x86_64__)
#include "model/head_kernels_body.h"

namespace signalbox {

extern const HeadKernels kHeadKernelsAvx512;
const HeadKernels kHeadKernelsAvx512 = {"avx512vnni", sweep_body,     add_row_body,
                                        score_body,   add_bytes_body, dense_body};

}  // namespace signalbox
#endif
