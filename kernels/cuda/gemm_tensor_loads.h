/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads of a GEMM schedule by tensor copies: a load is one copy, which one warp issues, the warps taking
 * turns. The copies of a tile land together, on one mbarrier, so wait_vm has to stand between the loads of
 * two tiles: to wait for each copy by itself costs more than it could gain.
 */
#ifndef SWP_KERNELS_CUDA_GEMM_TENSOR_LOADS_H
#define SWP_KERNELS_CUDA_GEMM_TENSOR_LOADS_H

#include "gemm_shape.h"
#include <ptx_tensor.h>

namespace
{

constexpr int TILE_LOADS = 2 * HALVES;

class tensor_loads
{
  public:
    __device__ __forceinline__ tensor_loads(const tensor_map &a, const tensor_map &b,
                                            uint32_t shared, uint32_t landings, int m0, int n0)
        : a_(&a), b_(&b), shared_(shared), landings_(landings), m0_(m0), n0_(n0),
          warp_(warp_number())
    {
    }

    /* LOAD_A, LOAD_B. */
    __device__ __forceinline__ void load_a(int stage, int half, int tile)
    {
        load(a_, place_a(stage, half), m0_ + half * ROWS<0>, stage, tile, PLACE_A);
    }
    __device__ __forceinline__ void load_b(int stage, int half, int tile)
    {
        load(b_, place_b(stage, half), n0_ + half * ROWS<1>, stage, tile, PLACE_B);
    }

    /* wait_vm: until all but the `newest` loads have landed, whichever warp issued them. */
    __device__ __forceinline__ void wait(int newest)
    {
#pragma unroll
        for (int i = 0; i < GEMM_STAGES; i++)
            if (in_flight_ > newest) {
                wait_landing(landing(oldest_), parity_);
                oldest_ = (oldest_ + 1) % GEMM_STAGES;
                parity_ ^= oldest_ == 0;
                in_flight_ -= TILE_LOADS;
                if (in_flight_ < newest) /* a wait within a tile, which might wait for ever */
                    SWP_BAD_TILES(*this, newest);
            }
    }

  private:
    __device__ __forceinline__ uint32_t landing(int stage) const
    {
        return landings_ + uint32_t(stage) * 8;
    }

    __device__ __forceinline__ void load(const tensor_map *map, uint32_t place, int row, int stage,
                                         int tile, int bytes)
    {
        if (warp_ == turn_)
            copy_box(shared_ + place, map, row, tile * BK, landing(stage), bytes);
        turn_ = (turn_ + 1) % WARPS;
        in_flight_++;
    }

    const tensor_map *a_, *b_;
    uint32_t shared_, landings_;
    int m0_, n0_, warp_;
    /* These are the same at the same place of every pass, so the compiler knows all but the parity. */
    int turn_ = 0, oldest_ = 0, in_flight_ = 0;
    uint32_t parity_ = 0;
};

} // namespace

#endif
