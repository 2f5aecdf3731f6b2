/* SPDX-License-Identifier: Apache-2.0 */
/* Y = silu(X) * G around a header of gate.yaml, checked on the host and timed. */
#define GATE_MBARRIERS(ctx) ((ctx).mbarriers)
#define GATE_LOAD_X(ctx, i, slot, mbarrier, bytes) BULK_COPY((ctx).slots_x[slot], (ctx).x + size_t(i) * TILE, mbarrier, bytes)
#define GATE_LOAD_G(ctx, i, slot, mbarrier, bytes) BULK_COPY((ctx).slots_g[slot], (ctx).g + size_t(i) * TILE, mbarrier, bytes)
#define GATE_GATE(ctx, i, slot_x, slot_g) gate_tile(ctx, i, slot_x, slot_g)
#include SCHEDULE_HEADER
#include "timed.h"

constexpr int TILE = GATE_BYTES_X / sizeof(float);

struct block {
    unsigned long long *mbarriers;
    float (*slots_x)[TILE], (*slots_g)[TILE]; // in shared memory
    const float *x, *g;
    float *y;
};

__device__ void gate_tile(const block &b, int i, int slot_x, int slot_g)
{
    for (int at = threadIdx.x % 128; at < TILE; at += 128) {
        const float x = b.slots_x[slot_x][at];
        b.y[size_t(i) * TILE + at] = x / (1 + __expf(-x)) * b.slots_g[slot_g][at];
    }
}

__global__ void __launch_bounds__(GATE_THREADS) gate(const float *x, const float *g, float *y)
{
    extern __shared__ __align__(128) float slots[][TILE];
    __shared__ unsigned long long mbarriers[GATE_MBARRIER_COUNT];
    const size_t first = size_t(blockIdx.x) * TILES * TILE;
    block b = {mbarriers, slots, slots + GATE_SLOTS_X, x + first, g + first, y + first};
    const int warp = SWP_WARP(), instance = GATE_INSTANCE_OF(warp);
    GATE_INIT(b);
    if (GATE_ROLE_OF(warp) == GATE_ROLE_PRODUCER)
        GATE_RUN_PRODUCER(b, instance, TILES);
    else
        GATE_RUN_CONSUMER(b, instance, TILES);
}

int main()
{
    const size_t count = size_t(BLOCKS) * TILES * TILE;
    const int shared = (GATE_SLOTS_X + GATE_SLOTS_G) * GATE_BYTES_X;
    const std::vector<float> x = numbers(count, [](size_t i) { return float(i % 1009) / 128 - 4; });
    const std::vector<float> g = numbers(count, [](size_t i) { return float(i % 61) - 30; });
    const float *from_x = on_gpu(x), *from_g = on_gpu(g);
    float *to = on_gpu(std::vector<float>(count));
    cudaFuncSetAttribute(gate, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    const double us = median_microseconds([&] { gate<<<BLOCKS, GATE_THREADS, shared>>>(from_x, from_g, to); });
    return report(count_wrong(to, count, [&](size_t i) { return x[i] / (1 + std::exp(-x[i])) * g[i]; }), us);
}
