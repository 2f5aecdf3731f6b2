/* SPDX-License-Identifier: Apache-2.0 */
/* C = A * B in bf16 with fp32 accumulation: what gemm_sm80.cu makes of one schedule. */
#ifndef SWP_KERNELS_CUDA_GEMM_H
#define SWP_KERNELS_CUDA_GEMM_H

#include <cuda_bf16.h>
#include <cuda_runtime.h>

/*
 * A is m x k and row-major, B is k x n and column-major (k runs fastest in both: "TN" to cuBLAS), C is
 * m x n and row-major. Strides in elements, each a multiple of 8; pointers aligned to 16 bytes; m, n
 * and k at least 1, k at most 2^30.
 */
struct gemm_problem {
    const __nv_bfloat16 *a;
    const __nv_bfloat16 *b;
    __nv_bfloat16 *c;
    int m, n, k;
    int lda, ldb, ldc;
};

struct gemm_kernel {
    const char *name; /* of its schedule */
    int block_m, block_n, block_k;
    int min_tiles,
        tile_multiple; /* of K that the schedule takes; fewer are padded by masked loads */
    int shared_bytes;
    /* cudaErrorInvalidValue for a problem that breaks the rules above. */
    cudaError_t (*launch)(const gemm_problem *problem, cudaStream_t stream);
};

#endif
