/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernels of this folder share: data larger than the L2, a bulk copy, times, and a line of JSON of them. */
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int
    TILES = 25,
    BLOCKS = 4 * 132; // tiles of a block, which take milliseconds to check; four blocks for each SM

#define BULK_COPY(to, from, mbarrier, bytes)                                                       \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "  \
                 "%2, [%3];" ::"r"(SWP_SHARED_ADDRESS(to)),                                        \
                 "l"(from), "r"(bytes), "r"(SWP_SHARED_ADDRESS(mbarrier))                          \
                 : "memory")

template <typename Value> std::vector<float> numbers(size_t count, Value value)
{
    std::vector<float> all(count);
    for (size_t i = 0; i < count; i++)
        all[i] = value(i);
    return all;
}

inline float *on_gpu(const std::vector<float> &numbers)
{
    float *to;
    cudaMalloc(&to, numbers.size() * sizeof *to);
    cudaMemcpy(to, numbers.data(), numbers.size() * sizeof *to, cudaMemcpyHostToDevice);
    return to;
}

// How many of COUNT results differ from what RIGHT says by more than rounding.
template <typename Right> size_t count_wrong(const float *from, size_t count, Right right)
{
    std::vector<float> found(count);
    cudaMemcpy(found.data(), from, count * sizeof *from, cudaMemcpyDeviceToHost);
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        const float expected = right(i);
        wrong += !(std::fabs(found[i] - expected) <= 1e-4f * (1 + std::fabs(expected)));
    }
    return wrong;
}

template <typename Launch> double median_microseconds(Launch launch)
{
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    std::vector<float> times(41);
    for (float &time : times) {
        cudaEventRecord(begin);
        launch();
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        cudaEventElapsedTime(&time, begin, end);
    }
    std::nth_element(times.begin(), times.begin() + 20, times.end());
    return 1e3 * times[20];
}

inline int report(size_t wrong, double microseconds)
{
    const cudaError_t error = cudaGetLastError();
    printf("{\"wrong\": %zu, \"error\": \"%s\", \"us\": %.3f}\n", wrong, cudaGetErrorString(error),
           microseconds);
    return wrong != 0 || error != cudaSuccess;
}
