// SPDX-License-Identifier: Apache-2.0
/*
 * C = A Bᵀ by the header of tests/roles/gemm_cluster.json, for sm_90a: bf16, row-major, M and N multiples of 256, K of 64, C fp32. Two work groups
 * with the same columns of C are a cluster: each copies its rows of A, and one half of B's for both. As a program it multiplies on the GPU that is
 * there, for K of 0 to 23 tiles.
 */
#include "gemm_256.h"
#include "gemm_sm90.h"

#define GEMM_KEEP(ctx) keep((ctx)->sums)
#define GEMM_MBARRIERS(ctx) ((ctx)->mbarriers)
#include "gemm_cluster.h"

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

/* One copy to the same place in the shared memory of each work group of the mask. */
static __device__ __forceinline__ void copy_to_all(const __nv_bfloat16 *to, const CUtensorMap *map,
                                                   int row, int column,
                                                   unsigned long long *mbarrier,
                                                   unsigned short mask)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(SWP_SHARED_ADDRESS(to)),
        "l"(map), "r"(column), "r"(row), "r"(SWP_SHARED_ADDRESS(mbarrier)), "h"(mask)
        : "memory");
}

/* The rows of B that this work group copies. */
static __device__ void load_share(const block *b, int i, int slot, unsigned long long *mbarrier,
                                  unsigned short mask)
{
    const int first = SWP_CLUSTER_RANK() * (COLUMNS / GEMM_CLUSTER);
    copy_to_all(b->ring[slot].b + first * DEPTH, b->b, b->column + first, i * DEPTH, mbarrier,
                mask);
}

static __device__ void multiply_tiles(const block *b, int i, int slot)
{
    const __nv_bfloat16 *own = b->ring[slot].a + b->instance * 64 * DEPTH;
#pragma unroll
    for (int k = 0; k < DEPTH; k += 16)
        multiply(b->sums, matrix(own + k), matrix(b->ring[slot].b + k), i > 0 || k > 0);
}

/* What the header calls. A and B stand in slots of the same number. */
static_assert(GEMM_PHASE_BYTES_FULL == sizeof(tiles), "both tiles");
#define GEMM_LOAD_A(ctx, i, A, mbarrier, bytes)                                                    \
    copy((ctx)->ring[A].a, (ctx)->a, (ctx)->row, (i)*DEPTH, mbarrier)
#define GEMM_LOAD_B(ctx, i, B, mbarrier, bytes, mask) load_share(ctx, i, B, mbarrier, mask)
#define GEMM_MMA(ctx, i, C, A, B) multiply_tiles(ctx, i, A)

static __global__ void __cluster_dims__(1, GEMM_CLUSTER, 1) __launch_bounds__(GEMM_THREADS, 1)
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
    return wrong_products(gemm, GEMM_THREADS, SHARED, 4 * ROWS, 3 * COLUMNS, COLUMNS,
                          COLUMNS / GEMM_CLUSTER) > 0;
}
