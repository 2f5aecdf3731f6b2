// SPDX-License-Identifier: Apache-2.0
/*
 * C = A Bᵀ by the header of the built-in gemm_ws, for sm_90a: bf16, row-major, M a multiple of 128, N of 256, K of 64, C fp32. As a program it
 * multiplies on the GPU that is there, for K of 0 to 23 tiles.
 */
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

#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)

/* One wgmma of 64 rows, 256 columns and a depth of 16; `adds`: to what the sums are, else to 0. */
static __device__ __forceinline__ void multiply(float (&d)[128], unsigned long long a,
                                                unsigned long long b, int adds)
{
    asm volatile("{ .reg .pred adds; setp.ne.b32 adds, %130, 0;"
                 "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
                 "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
                 "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
                 "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, "
                 "%110, %111, "
                 "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, "
                 "%125, %126, %127}, "
                 "%128, %129, adds, 1, 1, 0, 0; }"
                 : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48), SIXTEEN(64), SIXTEEN(80),
                   SIXTEEN(96), SIXTEEN(112)
                 : "l"(a), "l"(b), "r"(adds)
                 : "memory");
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
    return wrong_products(gemm, GEMM_THREADS, SHARED, 2 * ROWS, 3 * COLUMNS, COLUMNS) > 0;
}
