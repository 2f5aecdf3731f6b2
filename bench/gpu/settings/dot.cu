/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of A * B, one of each thread, around a header of dot.yaml, checked on the host and timed. */
#define DOT_LOAD_A(ctx, i, slot) copy_tile((ctx).slots_a[slot], (ctx).a + size_t(i) * TILE)
#define DOT_LOAD_B(ctx, i, slot) copy_tile((ctx).slots_b[slot], (ctx).b + size_t(i) * TILE)
#define DOT_ADD(ctx, i, sum_slot, slot_a, slot_b) add_tile(ctx, slot_a, slot_b)
#include SCHEDULE_HEADER
#include "timed.h"

constexpr int TILE = DOT_BYTES_A / sizeof(float), THREADS = DOT_WAVES * 32, FLOATS_A_COPY = 4;

struct block {
    float (*slots_a)[TILE], (*slots_b)[TILE]; // in shared memory
    const float *a, *b;
    float sum;
};

__device__ void copy_tile(float *to, const float *from)
{
    for (int at = threadIdx.x * FLOATS_A_COPY; at < TILE; at += THREADS * FLOATS_A_COPY)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(int(__cvta_generic_to_shared(to + at))), "l"(from + at) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// No thread reads only what it copied.
__device__ void add_tile(block &b, int slot_a, int slot_b)
{
    for (int at = threadIdx.x; at < TILE; at += THREADS)
        b.sum += b.slots_a[slot_a][at] * b.slots_b[slot_b][at];
}

__global__ void __launch_bounds__(THREADS) dot(const float *a, const float *b, float *sums)
{
    extern __shared__ __align__(128) float slots[][TILE];
    const size_t first = size_t(blockIdx.x) * TILES * TILE;
    block context = {slots, slots + DOT_SLOTS_A, a + first, b + first, 0};
    DOT_RUN(context, TILES, 0);
    sums[blockIdx.x * THREADS + threadIdx.x] = context.sum;
}

int main()
{
    const size_t count = size_t(BLOCKS) * TILES * TILE;
    const int shared = DOT_SLOTS_A * DOT_BYTES_A + DOT_SLOTS_B * DOT_BYTES_B;
    const std::vector<float> a = numbers(count, [](size_t i) { return float(i % 7); });
    const std::vector<float> b = numbers(count, [](size_t i) { return float(i % 5) - 2; });
    const float *from_a = on_gpu(a), *from_b = on_gpu(b);
    float *to = on_gpu(std::vector<float>(size_t(BLOCKS) * THREADS));
    cudaFuncSetAttribute(dot, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    const double us = median_microseconds([&] { dot<<<BLOCKS, THREADS, shared>>>(from_a, from_b, to); });
    const size_t wrong = count_wrong(to, size_t(BLOCKS) * THREADS, [&](size_t thread) {
        float sum = 0;
        for (size_t at = thread / THREADS * TILES * TILE + thread % THREADS, i = 0; i < size_t(TILES) * TILE / THREADS; i++, at += THREADS)
            sum += a[at] * b[at];
        return sum;
    });
    return report(wrong, us);
}
