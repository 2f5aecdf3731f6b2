/* SPDX-License-Identifier: Apache-2.0 */
/* What gemm.cu makes of one description, and what it is given. */
#ifndef SWP_KERNELS_CUDA_HOPPER_GEMM_VARIANT_H
#define SWP_KERNELS_CUDA_HOPPER_GEMM_VARIANT_H

#include "swp_kernels.h"
#include "variant.h"

#include <cuda_bf16.h>

/* Blocks are done in bands of so many rows of C: what is read of A stays in L2 for all of B. */
constexpr int GEMM_BAND_ROWS = 1024;

struct gemm_variant {
    const char *name;
    int element_bytes;
    int rows, columns; /* of a block of C */
    /* Measured, beside other variants: how long a column takes for each of k, and what a launch takes besides. */
    int column_cost, start_cost;
    /*
     * Of a problem that is checked already. `band` rows of blocks are done together, on so many
     * multiprocessors.
     */
    cudaError_t (*launch)(const swp_gemm &gemm, int band, int multiprocessors, cudaStream_t stream);
};

struct gemm_order {
    int blocks_m, blocks_n, band;
};

#define GEMM_DEFINE_VARIANT(name, element, rows, columns, column_cost, start_cost, launch)         \
    extern const gemm_variant SWP_EXPAND(gemm_, name);                                             \
    const gemm_variant SWP_EXPAND(gemm_, name) = {SWP_TEXT(name), sizeof(element), rows,  columns, \
                                                  column_cost,    start_cost,      launch};

#endif
