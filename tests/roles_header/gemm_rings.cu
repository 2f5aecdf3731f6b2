// SPDX-License-Identifier: Apache-2.0
/*
 * C = A Bᵀ by the header of gemm_rings.yaml, for sm_90a, with rings of 4 and 3 slots: bf16, row-major, M a multiple of 128, N of 256, K of 64, C
 * fp32. As a program it multiplies on the GPU that is there, for K of 0 to 23 tiles.
 */
#include "gemm_256.h"
#include "gemm_sm90.h"

#define GEMM_KEEP(ctx) keep((ctx)->sums)
#define GEMM_MBARRIERS(ctx) ((ctx)->mbarriers)
#include "gemm_rings.h"

enum { ROWS = 128, COLUMNS = 256, DEPTH = 64 };

struct rings {
    __nv_bfloat16 a[GEMM_SLOTS_A][ROWS * DEPTH];
    __nv_bfloat16 b[GEMM_SLOTS_B][COLUMNS * DEPTH];
};

struct block {
    unsigned long long *mbarriers;
    const CUtensorMap *a, *b;
    rings *tiles;
    int row, column, instance;
    float (&sums)[128];
};

static __device__ void multiply_tiles(const block *own, int i, int slot_a, int slot_b)
{
    const __nv_bfloat16 *a = own->tiles->a[slot_a] + own->instance * 64 * DEPTH;
    const __nv_bfloat16 *b = own->tiles->b[slot_b];
#pragma unroll
    for (int k = 0; k < DEPTH; k += 16)
        multiply(own->sums, matrix(a + k), matrix(b + k), i > 0 || k > 0);
}

/* What the header calls. */
static_assert(GEMM_PHASE_BYTES_FULL_A == sizeof(__nv_bfloat16[ROWS * DEPTH]), "a tile of A");
static_assert(GEMM_PHASE_BYTES_FULL_B == sizeof(__nv_bfloat16[COLUMNS * DEPTH]), "a tile of B");
#define GEMM_LOAD_A(ctx, i, A, mbarrier, bytes)                                                    \
    copy((ctx)->tiles->a[A], (ctx)->a, (ctx)->row, (i)*DEPTH, mbarrier)
#define GEMM_LOAD_B(ctx, i, B, mbarrier, bytes)                                                    \
    copy((ctx)->tiles->b[B], (ctx)->b, (ctx)->column, (i)*DEPTH, mbarrier)
#define GEMM_MMA(ctx, i, C, A, B) multiply_tiles(ctx, i, A, B)

static __global__ void __launch_bounds__(GEMM_THREADS, 1)
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c,
         int columns, int n_tiles)
{
    extern __shared__ __align__(1024) rings tiles[];
    __shared__ unsigned long long mbarriers[GEMM_MBARRIER_COUNT];
    const int warp = SWP_WARP(), instance = GEMM_INSTANCE_OF(warp);
    const int row = int(blockIdx.y) * ROWS, column = int(blockIdx.x) * COLUMNS;
    float sums[128] = {};
    block own = {mbarriers, &a, &b, tiles, row, column, instance, sums};
    GEMM_INIT(&own);
    if (GEMM_ROLE_OF(warp) == GEMM_ROLE_PRODUCER) {
        GEMM_ENTER_PRODUCER(&own);
        GEMM_RUN_PRODUCER(&own, instance, n_tiles);
    } else {
        GEMM_ENTER_CONSUMER(&own);
        GEMM_RUN_CONSUMER(&own, instance, n_tiles);
        store(sums, c, columns, row + instance * 64, column);
    }
}

int main()
{
    return wrong_products(gemm, GEMM_THREADS, sizeof(rings), 2 * ROWS, 3 * COLUMNS, COLUMNS,
                          COLUMNS) > 0;
}
