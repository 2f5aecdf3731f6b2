/* SPDX-License-Identifier: Apache-2.0 */
/* Y = 2 X + 1 around a header of affine.yaml, checked on the host and timed. */
#define AFFINE_MBARRIERS(ctx) ((ctx).mbarriers)
#define AFFINE_LOAD_X(ctx, i, slot, mbarrier, bytes) BULK_COPY((ctx).slots_x[slot], (ctx).x + size_t(i) * TILE, mbarrier, bytes)
#define AFFINE_SCALE(ctx, i, slot_y, slot_x) scale_tile(ctx, slot_y, slot_x)
#define AFFINE_STORE_Y(ctx, i, slot) store_tile(ctx, i, slot)
#include SCHEDULE_HEADER
#include "timed.h"

constexpr int TILE = AFFINE_BYTES_X / sizeof(float);

struct block {
    unsigned long long *mbarriers;
    float (*slots_x)[TILE], (*slots_y)[TILE]; // in shared memory
    const float *x;
    float *y;
};

__device__ void scale_tile(const block &b, int slot_y, int slot_x)
{
    for (int at = threadIdx.x % 128; at < TILE; at += 128)
        b.slots_y[slot_y][at] = 2 * b.slots_x[slot_x][at] + 1;
}

__device__ void store_tile(const block &b, int i, int slot)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(b.y + size_t(i) * TILE),
                 "r"(SWP_SHARED_ADDRESS(b.slots_y[slot])), "r"(AFFINE_BYTES_Y)
                 : "memory");
}

__global__ void __launch_bounds__(AFFINE_THREADS) affine(const float *x, float *y)
{
    extern __shared__ __align__(128) float slots[][TILE];
    __shared__ unsigned long long mbarriers[AFFINE_MBARRIER_COUNT];
    const size_t first = size_t(blockIdx.x) * TILES * TILE;
    block b = {mbarriers, slots, slots + AFFINE_SLOTS_X, x + first, y + first};
    const int warp = SWP_WARP(), instance = AFFINE_INSTANCE_OF(warp);
    AFFINE_INIT(b);
    if (AFFINE_ROLE_OF(warp) == AFFINE_ROLE_PRODUCER)
        AFFINE_RUN_PRODUCER(b, instance, TILES);
    else
        AFFINE_RUN_CONSUMER(b, instance, TILES);
}

int main()
{
    const size_t count = size_t(BLOCKS) * TILES * TILE;
    const int shared = AFFINE_SLOTS_X * AFFINE_BYTES_X + AFFINE_SLOTS_Y * AFFINE_BYTES_Y;
    const std::vector<float> x = numbers(count, [](size_t i) { return float(i % 1009); });
    const float *from = on_gpu(x);
    float *to = on_gpu(std::vector<float>(count));
    cudaFuncSetAttribute(affine, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    const double us = median_microseconds([&] { affine<<<BLOCKS, AFFINE_THREADS, shared>>>(from, to); });
    return report(count_wrong(to, count, [&](size_t i) { return 2 * x[i] + 1; }), us);
}
