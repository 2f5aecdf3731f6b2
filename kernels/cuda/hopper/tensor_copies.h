/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensor copies (PTX ISA 9.0, "cp.async.bulk.tensor"; CUDA driver API, "Tensor Map Object Management"): boxes
 * of rows of 64 or 128 bytes, swizzled by as many, as wgmma.h reads them. What is beyond the tensor is zeros, and is not stored.
 */
#ifndef SWP_KERNELS_CUDA_HOPPER_TENSOR_COPIES_H
#define SWP_KERNELS_CUDA_HOPPER_TENSOR_COPIES_H

#include <cstdint>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

namespace
{

constexpr CUtensorMapDataType data_type(__nv_bfloat16)
{
    return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
}
constexpr CUtensorMapDataType data_type(__nv_fp8_e4m3)
{
    return CU_TENSOR_MAP_DATA_TYPE_UINT8;
}

/* A tensor of up to four dimensions, the fastest first; strides in elements, that of the fastest is 1. */
struct tensor {
    const void *at;
    int dimensions;
    cuuint64_t sizes[4];
    cuuint64_t strides[4];
};

/* A box has `row_bytes` of `rows` of the second dimension, and 1 of those above. */
template <class ELEMENT>
cudaError_t make_tensor_map(CUtensorMap *map, const tensor &t, int rows, int row_bytes)
{
    using encoder = decltype(&cuTensorMapEncodeTiled);
    static encoder encode = nullptr;
    if (!encode) {
        void *entry = nullptr;
        cudaDriverEntryPointQueryResult found;
        const cudaError_t error = cudaGetDriverEntryPointByVersion(
            "cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
        if (error != cudaSuccess || found != cudaDriverEntryPointSuccess)
            return error != cudaSuccess ? error : cudaErrorNotSupported;
        encode = reinterpret_cast<encoder>(entry);
    }
    cuuint64_t bytes[3] = {};
    for (int i = 1; i < t.dimensions; i++)
        bytes[i - 1] = t.strides[i] * sizeof(ELEMENT);
    const cuuint32_t box[] = {cuuint32_t(row_bytes) / cuuint32_t(sizeof(ELEMENT)), cuuint32_t(rows),
                              1, 1};
    const cuuint32_t steps[] = {1, 1, 1, 1};
    const CUresult result =
        encode(map, data_type(ELEMENT{}), cuuint32_t(t.dimensions), const_cast<void *>(t.at),
               t.sizes, bytes, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
               row_bytes == 128 ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_64B,
               CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

__device__ __forceinline__ unsigned char *dynamic_shared()
{
    extern __shared__ __align__(1024) unsigned char shared[];
    return shared;
}

/* By one thread: its bytes complete on the mbarrier, which the schedule has told how many those are. */
__device__ __forceinline__ void copy_box(uint32_t shared, const CUtensorMap *map, int column,
                                         int row, uint32_t mbarrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                 ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(shared),
                 "l"(map), "r"(column), "r"(row), "r"(mbarrier)
                 : "memory");
}
__device__ __forceinline__ void copy_box(uint32_t shared, const CUtensorMap *map, int column,
                                         int row, int head, int batch, uint32_t mbarrier)
{
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile"
                 ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], [%6];" ::"r"(shared),
                 "l"(map), "r"(column), "r"(row), "r"(head), "r"(batch), "r"(mbarrier)
                 : "memory");
}
/* The same to each work group of the cluster whose bit `ranks` has: to the same place and mbarrier of its own. */
__device__ __forceinline__ void copy_box_to(uint16_t ranks, uint32_t shared, const CUtensorMap *map,
                                            int column, int row, uint32_t mbarrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                 ".mbarrier::complete_tx::bytes.multicast::cluster"
                 " [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared),
                 "l"(map), "r"(column), "r"(row), "r"(mbarrier), "h"(ranks)
                 : "memory");
}

/* By one thread: a box that is on its way until its group is awaited. */
__device__ __forceinline__ void store_box(const CUtensorMap *map, int column, int row,
                                          uint32_t shared)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
            map),
        "r"(column), "r"(row), "r"(shared)
        : "memory");
}

/*
 * By a warp: four matrices of 8 x 8 elements of two bytes, of which a thread has the pair t % 4 of row t / 4 each (PTX ISA 9.0,
 * "stmatrix"); each thread says where one row goes.
 */
__device__ __forceinline__ void store_matrices(uint32_t shared, const uint32_t (&pairs)[4])
{
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared),
                 "r"(pairs[0]), "r"(pairs[1]), "r"(pairs[2]), "r"(pairs[3])
                 : "memory");
}

} // namespace

#endif
