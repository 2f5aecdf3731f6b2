/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instructions that the kernels are made of (NVIDIA, PTX ISA 9.0, sm_80). All that touch memory
 * are volatile, so the order of the schedule is the order of the code. tests/cuda has another ptx.h,
 * which runs a kernel on a CPU.
 */
#ifndef SWP_KERNELS_CUDA_PTX_H
#define SWP_KERNELS_CUDA_PTX_H

#include <cstdint>
#include <cuda_runtime.h>

__device__ __forceinline__ char *dynamic_shared()
{
    extern __shared__ __align__(1024) char shared[];
    return shared;
}

__device__ __forceinline__ uint32_t shared_address(const void *generic)
{
    return uint32_t(__cvta_generic_to_shared(generic));
}

/* 16 bytes, asynchronously. */
__device__ __forceinline__ void copy_async(uint32_t shared, const void *global)
{
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(shared), "l"(global)
                 : "memory");
}

/* The first `bytes` of 16; zeros for the others. */
__device__ __forceinline__ void copy_async(uint32_t shared, const void *global, int bytes)
{
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(shared),
                 "l"(global), "r"(bytes)
                 : "memory");
}

/* Ends the group of the copies that this thread has issued since its last group; it may be empty. */
__device__ __forceinline__ void commit_group()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

__device__ __forceinline__ uint4 load_global(const void *global)
{
    uint4 chunk;
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(chunk.x), "=r"(chunk.y), "=r"(chunk.z), "=r"(chunk.w)
                 : "l"(global)
                 : "memory");
    return chunk;
}

__device__ __forceinline__ uint16_t load_element(const void *global)
{
    uint16_t element;
    asm volatile("ld.global.u16 %0, [%1];" : "=h"(element) : "l"(global) : "memory");
    return element;
}

__device__ __forceinline__ void store_shared(uint32_t shared, const uint4 &chunk)
{
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(shared), "r"(chunk.x),
                 "r"(chunk.y), "r"(chunk.z), "r"(chunk.w)
                 : "memory");
}

/* Four 8 x 8 matrices of 2-byte elements; lane 8 i + r gives the address of row r of matrix i. */
__device__ __forceinline__ void load_matrices(uint32_t (&to)[4], uint32_t shared)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared)
                 : "memory");
}

/* c += a * b of 16 x 8 x 16. */
__device__ __forceinline__ void mma(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

template <class... Parameters>
cudaError_t launch_kernel(void (*kernel)(Parameters...), unsigned blocks, int threads,
                          int shared_bytes, cudaStream_t stream, Parameters... arguments)
{
    const cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
    if (error != cudaSuccess)
        return error;
    void *pointers[] = {&arguments...};
    return cudaLaunchKernel(kernel, dim3(blocks), dim3(unsigned(threads)), pointers,
                            size_t(shared_bytes), stream);
}

#endif
