/* SPDX-License-Identifier: Apache-2.0 */
/* docs/tutorial.md: sums of squares of a long vector, for sm_90, around the header of norm.yaml. */
#define NORM_MBARRIERS(ctx) ((ctx).mbarriers)
#define NORM_LOAD(ctx, i, x, mbarrier, bytes) load(ctx, i, x, mbarrier, bytes)
#define NORM_ADD(ctx, i, sum_slot, x) add(ctx, x)
#include "norm.h"
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int TILE = NORM_BYTES_X / sizeof(float); // elements of a tile

// What the ops work on, as a thread sees it.
struct block {
    unsigned long long *mbarriers;
    float (*tiles)[TILE]; // slots in shared memory
    const float *from;
    float sum;
};

// LOAD: one bulk copy, whose bytes arrive on the mbarrier.
__device__ void load(const block &b, int i, int slot, unsigned long long *mbarrier, int bytes)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(SWP_SHARED_ADDRESS(b.tiles[slot])),
        "l"(b.from + size_t(i) * TILE), "r"(bytes), "r"(SWP_SHARED_ADDRESS(mbarrier))
        : "memory");
}

// ADD: 128 threads, 16 elements each.
__device__ void add(block &b, int slot)
{
    for (int at = threadIdx.x % 128; at < TILE; at += 128)
        b.sum += b.tiles[slot][at] * b.tiles[slot][at];
}

__global__ void __launch_bounds__(NORM_THREADS) norm(const float *x, int tiles, float *out)
{
    __shared__ alignas(128) float slots[NORM_SLOTS_X][TILE];
    __shared__ unsigned long long mbarriers[NORM_MBARRIER_COUNT];
    block b = {mbarriers, slots, x + size_t(blockIdx.x) * tiles * TILE, 0};
    const int warp = SWP_WARP(), instance = NORM_INSTANCE_OF(warp);
    NORM_INIT(b);
    if (NORM_ROLE_OF(warp) == NORM_ROLE_PRODUCER) {
        NORM_RUN_PRODUCER(b, instance, tiles);
    } else {
        NORM_RUN_CONSUMER(b, instance, tiles);
        atomicAdd(&out[blockIdx.x], b.sum);
    }
}

int main()
{
    const int blocks = 4 * 132, tiles = 100;
    const size_t count = size_t(blocks) * tiles * TILE;
    std::vector<float> x(count), out(blocks);
    for (size_t i = 0; i < count; i++)
        x[i] = float(rand() % 3); // small integers: every sum is exact
    float *from, *to;
    cudaMalloc(&from, count * sizeof *from);
    cudaMalloc(&to, blocks * sizeof *to);
    cudaMemcpy(from, x.data(), count * sizeof *from, cudaMemcpyHostToDevice);
    cudaMemset(to, 0, blocks * sizeof *to);
    norm<<<blocks, NORM_THREADS>>>(from, tiles, to);
    cudaMemcpy(out.data(), to, blocks * sizeof *to, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int b = 0; b < blocks; b++) {
        float sum = 0;
        for (size_t i = 0; i < size_t(tiles) * TILE; i++)
            sum += x[b * size_t(tiles) * TILE + i] * x[b * size_t(tiles) * TILE + i];
        wrong += sum != out[b];
    }
    printf("%s, %d wrong of %d\n", cudaGetErrorString(cudaGetLastError()), wrong, blocks);
    return wrong != 0;
}
