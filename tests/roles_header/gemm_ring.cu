// SPDX-License-Identifier: Apache-2.0
/*
 * C = A Bᵀ by the header of tests/roles/gemm_ring.json, for sm_90a: bf16, row-major, M and N multiples of 128, K of 64, C fp32.
 * The kernel is that of docs/c-header.md, "Warp roles". As a program it multiplies on the GPU that is there, for K of 0 to 23 tiles.
 */
#include <cstdio>
#include <cuda.h>
#include <cuda_bf16.h>
#include <vector>

static __device__ void keep(float (&sums)[64]);
static __device__ void copy(const __nv_bfloat16 *to, const CUtensorMap *map, int row, int column,
                            unsigned long long *mbarrier);
static __device__ unsigned long long matrix(const __nv_bfloat16 *at);
static __device__ void multiply(float (&d)[64], unsigned long long a, unsigned long long b,
                                int adds);
static __device__ void store(const float (&sums)[64], float *c, int columns, int row, int column);

/* ---- The example of docs/c-header.md ---- */

#define GEMM_KEEP(ctx) keep((ctx)->sums)
#define GEMM_MBARRIERS(ctx) ((ctx)->mbarriers)
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

/* What the header calls. */
static_assert(GEMM_PHASE_BYTES_FULL == sizeof(__nv_bfloat16[2][128 * 64]), "both tiles");
#define GEMM_LOAD(ctx, i, T, mbarrier, bytes) load(ctx, i, T, mbarrier)
#define GEMM_MMA(ctx, i, C, T) multiply_tiles(ctx, i, T)

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

/* ---- What one instruction each is ---- */

/* So that no access to a sum is moved over a wait or a fence. */
static __device__ __forceinline__ void keep(float (&sums)[64])
{
    for (int i = 0; i < 64; i++)
        asm volatile("" : "+f"(sums[i])::"memory");
}

/* One copy of a box of 128 rows and 64 columns, in chunks of 16 bytes that are swizzled in rows of 128 bytes. */
static __device__ __forceinline__ void copy(const __nv_bfloat16 *to, const CUtensorMap *map,
                                            int row, int column, unsigned long long *mbarrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(SWP_SHARED_ADDRESS(to)),
                 "l"(map), "r"(column), "r"(row), "r"(SWP_SHARED_ADDRESS(mbarrier))
                 : "memory");
}

/* Of rows of 128 bytes, swizzled; eight of them are 1024 bytes. */
static __device__ __forceinline__ unsigned long long matrix(const __nv_bfloat16 *at)
{
    const unsigned long long address = SWP_SHARED_ADDRESS(at) >> 4 & 0x3fff;
    return address | 1ull << 16 | 64ull << 32 | 1ull << 62;
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

/* The 64 rows of a warp group. */
static __device__ __forceinline__ void store(const float (&sums)[64], float *c, int columns,
                                             int row, int column)
{
    const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
    const int first = row + warp * 16 + lane / 4;
    for (int i = 0; i < 64; i++)
        c[(size_t)(first + i / 2 % 2 * 8) * columns + column + i / 4 * 8 + lane % 4 * 2 + i % 2] =
            sums[i];
}

/* ---- As a program ---- */

static float element(int row, int column)
{
    return float((row * 7 + column * 11 + row * column % 5) % 13 - 6);
}

/* On the GPU, rows x columns. */
static __nv_bfloat16 *matrix_of(int rows, int columns)
{
    std::vector<__nv_bfloat16> host(size_t(rows) * columns);
    for (size_t i = 0; i < host.size(); i++)
        host[i] = __float2bfloat16(element(int(i) / columns, int(i) % columns));
    __nv_bfloat16 *device = nullptr;
    cudaMalloc(&device, host.size() * sizeof *device);
    cudaMemcpy(device, host.data(), host.size() * sizeof *device, cudaMemcpyHostToDevice);
    return device;
}

static CUtensorMap map_of(__nv_bfloat16 *at, int rows, int columns)
{
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault,
                                     &found);
    CUtensorMap map;
    const cuuint64_t sizes[] = {cuuint64_t(columns), cuuint64_t(rows)},
                     strides[] = {cuuint64_t(columns) * 2};
    const cuuint32_t box[] = {64, 128}, steps[] = {1, 1};
    const CUresult result = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry)(
        &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, at, sizes, strides, box, steps,
        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
        CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS)
        std::printf("no tensor map: %d\n", int(result));
    return map;
}

static int wrong_elements(const std::vector<float> &c, int rows, int columns, int depth)
{
    int wrong = 0;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) {
            float sum = 0;
            for (int k = 0; k < depth; k++)
                sum += element(row, k) * element(column, k);
            wrong += sum != c[size_t(row) * columns + column];
        }
    return wrong;
}

int main()
{
    enum { ROWS = 2 * 128, COLUMNS = 3 * 128, SHARED = GEMM_SLOTS_T * GEMM_BYTES_T + 1024 };
    int wrong = 0;
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
    float *c = nullptr;
    cudaMalloc(&c, sizeof(float[ROWS][COLUMNS]));
    for (int n = 0; n <= 23; n++) {
        const int depth = n * 64, width = n > 0 ? depth : 64;
        __nv_bfloat16 *a = matrix_of(ROWS, width), *b = matrix_of(COLUMNS, width);
        gemm<<<dim3(COLUMNS / 128, ROWS / 128), GEMM_THREADS, SHARED>>>(
            map_of(a, ROWS, width), map_of(b, COLUMNS, width), c, COLUMNS, n);
        std::vector<float> host(ROWS * COLUMNS);
        const cudaError_t error =
            cudaMemcpy(host.data(), c, sizeof(float[ROWS][COLUMNS]), cudaMemcpyDeviceToHost);
        const int here = wrong_elements(host, ROWS, COLUMNS, depth);
        if (error != cudaSuccess || here > 0)
            std::printf("%d tiles: %s, %d elements are wrong\n", n, cudaGetErrorString(error),
                        here);
        wrong += error != cudaSuccess || here > 0;
        cudaFree(a);
        cudaFree(b);
    }
    std::printf("%d of 24 products are wrong\n", wrong);
    return wrong > 0;
}
