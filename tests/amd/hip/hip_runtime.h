/* SPDX-License-Identifier: Apache-2.0 */
/* As much of HIP as the microbenchmarks of `swp calibrate mi355x` need to be compiled without ROCm, device and host. */
#ifndef SWP_TESTS_AMD_HIP_RUNTIME_H
#define SWP_TESTS_AMD_HIP_RUNTIME_H

#include <cstddef>

#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(threads) __attribute__((launch_bounds(threads)))

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned count) : x(count), y(1), z(1)
    {
    }
};

enum hipError_t { hipSuccess };
enum hipMemcpyKind { hipMemcpyDeviceToHost };

struct hipDeviceProp_t {
    char name[256];
    int multiProcessorCount;
};

hipError_t hipMalloc(void **at, size_t bytes);
hipError_t hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind);
hipError_t hipDeviceSynchronize();
hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device);
const char *hipGetErrorString(hipError_t error);
hipError_t hipLaunchKernel(const void *, dim3, dim3, void **, size_t, void *);
extern "C" unsigned __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                               void *stream = nullptr);

__device__ static inline void __syncthreads()
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

#endif
