/* SPDX-License-Identifier: Apache-2.0 */
/* As much of CUDA's run time as the kernels for sm_90a use, for a CPU; emulator.cpp runs their threads. */
#ifndef TEST_CUDA_HOPPER_RUNTIME_H
#define TEST_CUDA_HOPPER_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

typedef enum cudaError_t {
    cudaSuccess,
    cudaErrorInvalidValue = 1,
    cudaErrorNotSupported = 801
} cudaError_t;
typedef void *cudaStream_t;

#ifdef __cplusplus
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#define __shared__ static /* of mbarriers, whose values are kept elsewhere, for each block */

using std::max;
using std::min;

struct uint4 {
    uint32_t x, y, z, w;
};
inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    return {x, y, z, w};
}

struct coordinates {
    unsigned x;
};
extern coordinates threadIdx, blockIdx, gridDim;

/* What that lane of the warp brings; all of its lanes ask at once. */
uint32_t shuffle(uint32_t value, int lane);
inline uint32_t __shfl_xor_sync(unsigned, uint32_t value, int lanes)
{
    return shuffle(value, int(threadIdx.x) % 32 ^ lanes);
}
float __shfl_xor_sync(unsigned, float value, int lanes);
inline int __any_sync(unsigned mask, int is_so)
{
    uint32_t any = is_so != 0;
    for (int lanes = 16; lanes > 0; lanes /= 2)
        any |= __shfl_xor_sync(mask, any, lanes);
    return int(any);
}

inline int __float_as_int(float x)
{
    int bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}
inline float __expf(float x)
{
    return std::exp(x);
}
inline float normcdff(float x)
{
    return 0.5f * std::erfc(-x * 0.70710678118654752f);
}

enum { cudaFuncAttributeMaxDynamicSharedMemorySize };
enum { cudaDevAttrComputeCapabilityMajor, cudaDevAttrMultiProcessorCount };
inline cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device);
template <class Kernel> cudaError_t cudaFuncSetAttribute(Kernel, int, int)
{
    return cudaSuccess;
}

enum { cudaLaunchAttributeClusterDimension };
struct cudaLaunchAttribute {
    int id;
    struct {
        struct {
            unsigned x, y, z;
        } clusterDim;
    } val;
};
struct cudaLaunchConfig_t {
    unsigned gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};
void run_grid(const cudaLaunchConfig_t &config, const std::function<void()> &kernel);
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                               const Arguments &...arguments)
{
    run_grid(*config, [&] { kernel(arguments...); });
    return cudaSuccess;
}

[[noreturn]] void emulator_fail(const char *why);
#endif

#endif
