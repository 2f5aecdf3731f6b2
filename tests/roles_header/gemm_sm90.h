// SPDX-License-Identifier: Apache-2.0
/* What kernels for sm_90a that multiply bf16 are made of: PTX of one instruction each, and products on the host to compare with. */
#ifndef GEMM_SM90_H
#define GEMM_SM90_H

#include <cstdio>
#include <cuda.h>
#include <cuda_bf16.h>
#include <vector>

/* An address in shared memory, as instructions take it; the same is in headers of schedules. */
#ifndef SWP_SHARED_ADDRESS
#define SWP_SHARED_ADDRESS(pointer) ((unsigned)__cvta_generic_to_shared(pointer))
#endif

/* So that no access to a sum is moved over a wait or a fence. */
template <int COUNT> static __device__ __forceinline__ void keep(float (&sums)[COUNT])
{
    for (int i = 0; i < COUNT; i++)
        asm volatile("" : "+f"(sums[i])::"memory");
}

/* One copy of a box of some rows and 64 columns, in chunks of 16 bytes that are swizzled in rows of 128 bytes. */
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

/* The 64 rows of a warp group. */
template <int COUNT>
static __device__ __forceinline__ void store(const float (&sums)[COUNT], float *c, int columns,
                                             int row, int column)
{
    const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
    const int first = row + warp * 16 + lane / 4;
    for (int i = 0; i < COUNT; i++)
        c[(size_t)(first + i / 2 % 2 * 8) * columns + column + i / 4 * 8 + lane % 4 * 2 + i % 2] =
            sums[i];
}

/* ---- The host ---- */

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

/* In boxes of `box` rows. */
static CUtensorMap map_of(__nv_bfloat16 *at, int rows, int columns, unsigned box_rows)
{
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault,
                                     &found);
    CUtensorMap map;
    const cuuint64_t sizes[] = {cuuint64_t(columns), cuuint64_t(rows)},
                     strides[] = {cuuint64_t(columns) * 2};
    const cuuint32_t box[] = {64, box_rows}, steps[] = {1, 1};
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

/* How many products of N = 0 to 23 tiles of 64 are wrong. B is copied in boxes of `box` rows. */
template <typename Kernel>
static int wrong_products(Kernel kernel, int threads, int shared, int rows, int columns,
                          int block_columns, int box)
{
    int wrong = 0;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    float *c = nullptr;
    cudaMalloc(&c, sizeof(float) * rows * columns);
    for (int n = 0; n <= 23; n++) {
        const int depth = n * 64, width = n > 0 ? depth : 64;
        __nv_bfloat16 *a = matrix_of(rows, width), *b = matrix_of(columns, width);
        kernel<<<dim3(columns / block_columns, rows / 128), threads, shared>>>(
            map_of(a, rows, width, 128), map_of(b, columns, width, unsigned(box)), c, columns, n);
        std::vector<float> host(size_t(rows) * columns);
        const cudaError_t error =
            cudaMemcpy(host.data(), c, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
        const int here = wrong_elements(host, rows, columns, depth);
        if (error != cudaSuccess || here > 0)
            std::printf("%d tiles: %s, %d elements are wrong\n", n, cudaGetErrorString(error),
                        here);
        wrong += error != cudaSuccess || here > 0;
        cudaFree(a);
        cudaFree(b);
    }
    std::printf("%d of 24 products are wrong\n", wrong);
    return wrong;
}

#endif
