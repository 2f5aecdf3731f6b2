// SPDX-License-Identifier: Apache-2.0
/*
 * C = A Bᵀ by the header of tests/roles/gemm_ring.json, for sm_90a: bf16, row-major, M and N multiples of 128, K of 64, C fp32.
 * The kernel is that of docs/c-header.md, "Warp roles". As a program it multiplies on the GPU that is there, for K of 0 to 23 tiles.
 */
#include "gemm_sm90.h"

static __device__ void multiply(float (&d)[64], unsigned long long a, unsigned long long b,
                                int adds);

/* ---- The example of docs/c-header.md ---- */

#define GEMM_KEEP(ctx) keep((ctx)->sums)
#define GEMM_MBARRIERS(ctx) ((ctx)->mbarriers)
#define GEMM_LOAD(ctx, i, T, mbarrier, bytes) load(ctx, i, T, mbarrier)
#define GEMM_MMA(ctx, i, C, T) multiply_tiles(ctx, i, T)
#include "gemm_ring.h"

struct block {
    unsigned long long *mbarriers;
    const CUtensorMap *a, *b;
    __nv_bfloat16 (*tiles)[2][128 * 64];
    int row, column, instance;
    float (&sums)[64];
};

static __device__ void load(const block *b, int i, int slot, unsigned long long *mbarrier)
{
    copy(b->tiles[slot][0], b->a, b->row, i * 64, mbarrier);
    copy(b->tiles[slot][1], b->b, b->column, i * 64, mbarrier);
}

static __device__ void multiply_tiles(const block *b, int i, int slot)
{
    const __nv_bfloat16 *own = b->tiles[slot][0] + b->instance * 64 * 64;
#pragma unroll
    for (int k = 0; k < 64; k += 16)
        multiply(b->sums, matrix(own + k), matrix(b->tiles[slot][1] + k), i > 0 || k > 0);
}

static_assert(GEMM_PHASE_BYTES_FULL == sizeof(__nv_bfloat16[2][128 * 64]), "both tiles");

static __global__ void __launch_bounds__(GEMM_THREADS, 1)
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c,
         int columns, int n_tiles)
{
    extern __shared__ __align__(1024) __nv_bfloat16 tiles[][2][128 * 64];
    __shared__ unsigned long long mbarriers[GEMM_MBARRIER_COUNT];
    const int warp = SWP_WARP(), instance = GEMM_INSTANCE_OF(warp);
    const int row = int(blockIdx.y) * 128, column = int(blockIdx.x) * 128;
    float sums[64] = {};
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

#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)

/* One wgmma of 64 rows, 128 columns and a depth of 16; `adds`: to what the sums are, else to 0. */
static __device__ __forceinline__ void multiply(float (&d)[64], unsigned long long a,
                                                unsigned long long b, int adds)
{
    asm volatile("{ .reg .pred adds; setp.ne.b32 adds, %66, 0;"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
                 "%64, %65, adds, 1, 1, 0, 0; }"
                 : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48)
                 : "l"(a), "l"(b), "r"(adds)
                 : "memory");
}

int main()
{
    enum { SHARED = GEMM_SLOTS_T * GEMM_BYTES_T + 1024 };
    return wrong_products(gemm, GEMM_THREADS, SHARED, 2 * 128, 3 * 128, 128, 128) > 0;
}
