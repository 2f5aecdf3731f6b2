// SPDX-License-Identifier: Apache-2.0
/*
 * C = A Bᵀ by the header of the built-in gemm_ws, for sm_90a: bf16, row-major, M a multiple of 128, N of 256, K of 64, C fp32. As a program it
 * multiplies on the GPU that is there, for K of 0 to 23 tiles.
 */
#include "gemm_256.h"
#include "gemm_sm90.h"

#define GEMM_KEEP(ctx) keep((ctx)->sums)
#define GEMM_MBARRIERS(ctx) ((ctx)->mbarriers)
#include "gemm_ws.h"

enum { ROWS = 128, COLUMNS = 256, DEPTH = 64 };

struct tiles {
    __nv_bfloat16 a[ROWS * DEPTH];
    __nv_bfloat16 b[COLUMNS * DEPTH];
};

struct block {
    unsigned long long *mbarriers;
    const CUtensorMap *a, *b;
    tiles *ring;
    int row, column, instance;
    float (&sums)[128];
};

static __device__ void load(const block *b, int i, int slot, unsigned long long *mbarrier)
{
    copy(b->ring[slot].a, b->a, b->row, i * DEPTH, mbarrier);
    copy(b->ring[slot].b, b->b, b->column, i * DEPTH, mbarrier);
}

static __device__ void multiply_tiles(const block *b, int i, int slot)
{
    const __nv_bfloat16 *own = b->ring[slot].a + b->instance * 64 * DEPTH;
#pragma unroll
    for (int k = 0; k < DEPTH; k += 16)
        multiply(b->sums, matrix(own + k), matrix(b->ring[slot].b + k), i > 0 || k > 0);
}

/* What the header calls. A and B stand in slots of the same number. */
static_assert(GEMM_PHASE_BYTES_FULL_A_B == sizeof(tiles), "both tiles");
#define GEMM_LOAD(ctx, i, A, B, mbarrier, bytes) load(ctx, i, A, mbarrier)
#define GEMM_MMA(ctx, i, C, A, B) multiply_tiles(ctx, i, A)

static __global__ void __launch_bounds__(GEMM_THREADS, 1)
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c,
         int columns, int n_tiles)
{
    extern __shared__ __align__(1024) tiles ring[];
    __shared__ unsigned long long mbarriers[GEMM_MBARRIER_COUNT];
    const int warp = SWP_WARP(), instance = GEMM_INSTANCE_OF(warp);
    const int row = int(blockIdx.y) * ROWS, column = int(blockIdx.x) * COLUMNS;
    float sums[128] = {};
    block own = {mbarriers, &a, &b, ring, row, column, instance, sums};
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
    enum { SHARED = GEMM_SLOTS_A * (GEMM_BYTES_A + GEMM_BYTES_B) };
    return wrong_products(gemm, GEMM_THREADS, SHARED, 2 * ROWS, 3 * COLUMNS, COLUMNS, COLUMNS) > 0;
}
