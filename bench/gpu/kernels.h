/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels that a program of bench/gpu is built with: -DGEMM_KERNELS="X(name) X(name) ...". */
#ifndef SWP_BENCH_GPU_KERNELS_H
#define SWP_BENCH_GPU_KERNELS_H

#include "../../kernels/cuda/gemm.h"

#define X(name) extern const gemm_kernel gemm_##name;
GEMM_KERNELS
#undef X

static const gemm_kernel *const kernels[] = {
#define X(name) &gemm_##name,
    GEMM_KERNELS
#undef X
};

#endif
