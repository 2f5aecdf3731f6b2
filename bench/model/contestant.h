/* SPDX-License-Identifier: Apache-2.0 */
/* What a shared library of contestant.cu gives to measure.cu. */
#ifndef SWP_BENCH_MODEL_CONTESTANT_H
#define SWP_BENCH_MODEL_CONTESTANT_H

#include <cuda_runtime.h>

/*
 * A GEMM: inputs A (m x k) and B (n x k), output C (m x n). Attention: Q, K, V and O, with n heads of m queries and
 * k keys. All bf16 and dense.
 */
struct contest {
    const void *inputs[3];
    void *output;
    int m, n, k;
};

struct contestant_shape {
    int head;                 /* elements of a row of attention; 0: a GEMM */
    int rows, columns, depth; /* of a block: of m, n and k; a head of attention is 1 of n */
};

extern "C" {
contestant_shape contestant_describe(void);
int contestant_launch(const contest *contest, cudaStream_t stream); /* a cudaError_t */
int contestant_cycles(unsigned *cycles, int blocks); /* of the last launch; a cudaError_t */
}

#endif
