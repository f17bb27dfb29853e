#if defined(__x86_64__)
#include "model/head_kernels_body.h"

namespace signalbox {

extern const HeadKernels kHeadKernelsAvx2;
const HeadKernels kHeadKernelsAvx2 = {"avx2",     sweep_body,     add_row_body,
                                      score_body, add_bytes_body, dense_body};

}  // namespace signalbox
#endif
