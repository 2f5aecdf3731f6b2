/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tensor copies of NVIDIA sm_90 (PTX ISA 9.0, "cp.async.bulk.tensor" and "mbarrier"; CUDA driver API,
 * "Tensor Map Object Management"). tests/cuda has another ptx_tensor.h, which runs a kernel on a CPU.
 */
#ifndef SWP_KERNELS_CUDA_PTX_TENSOR_H
#define SWP_KERNELS_CUDA_PTX_TENSOR_H

#include <cuda.h>
#include <cuda_bf16.h>
#include <ptx.h>

/* A matrix in memory and the box of it that one copy brings. */
using tensor_map = CUtensorMap;

/*
 * `matrix` is rows x columns and row-major, `stride` elements from row to row. A box's columns fill 32, 64
 * or 128 bytes; its chunks of 16 bytes lie in shared memory as swizzled() of gemm_shape.h has them. What is
 * beyond the matrix is zeros.
 */
inline cudaError_t make_tensor_map(tensor_map *map, const __nv_bfloat16 *matrix, int rows,
                                   int columns, int stride, int box_rows, int box_columns)
{
    using encoder = decltype(&cuTensorMapEncodeTiled);
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult found;
    const cudaError_t error = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry,
                                                               12000, cudaEnableDefault, &found);
    if (error != cudaSuccess || found != cudaDriverEntryPointSuccess)
        return error != cudaSuccess ? error : cudaErrorNotSupported;
    constexpr cuuint64_t BYTES = sizeof(__nv_bfloat16);
    const cuuint64_t sizes[] = {cuuint64_t(columns), cuuint64_t(rows)};
    const cuuint64_t row_bytes[] = {cuuint64_t(stride) * BYTES};
    const cuuint32_t box[] = {cuuint32_t(box_columns), cuuint32_t(box_rows)}, steps[] = {1, 1};
    const CUtensorMapSwizzle swizzle = box_columns * BYTES == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                                       : box_columns * BYTES == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                                                   : CU_TENSOR_MAP_SWIZZLE_32B;
    const CUresult result = reinterpret_cast<encoder>(entry)(
        map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, const_cast<__nv_bfloat16 *>(matrix), sizes,
        row_bytes, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
        CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

/* The warp's number, which the compiler then knows to be the same in all its lanes. */
__device__ __forceinline__ int warp_number()
{
    return __shfl_sync(~0u, int(threadIdx.x) / 32, 0);
}

/* By one thread, before a barrier of the block: mbarriers of 8 bytes, each for so many copies at a time. */
__device__ __forceinline__ void start_landings(uint32_t first, int count, int copies)
{
    for (int i = 0; i < count; i++)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(first + uint32_t(i) * 8),
                     "r"(copies)
                     : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* By a whole warp: the box at (row, column), `bytes` long, asynchronously; `landing` counts it. */
__device__ __forceinline__ void copy_box(uint32_t shared, const tensor_map *map, int row,
                                         int column, uint32_t landing, int bytes)
{
    asm volatile("{\n"
                 ".reg .pred one;\n"
                 "elect.sync _|one, 0xffffffff;\n"
                 "@one mbarrier.arrive.expect_tx.shared::cta.b64 _, [%4], %5;\n"
                 "@one cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                 ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];\n"
                 "}" ::"r"(shared),
                 "l"(map), "r"(column), "r"(row), "r"(landing), "r"(bytes)
                 : "memory");
}

/* Until the copies that `landing` is for have landed; parity is 0 for its first ones, 1 for the next, ... */
__device__ __forceinline__ void wait_landing(uint32_t landing, uint32_t parity)
{
    asm volatile("{\n"
                 ".reg .pred landed;\n"
                 "AGAIN:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 landed, [%0], %1;\n"
                 "@!landed bra AGAIN;\n"
                 "}" ::"r"(landing),
                 "r"(parity)
                 : "memory");
}

#endif
