/* SPDX-License-Identifier: Apache-2.0 */
/*
 * To be included before a schedule's header. The header names an iteration by a literal OFFSET from the first one of a pass, which
 * is a multiple of the iterations of a pass. So the compiler knows the slot of a value whose slots divide a pass, and keeps it in
 * registers. Such slots are counted from the first iteration of an output tile, and not on from the last one of the tile before:
 * there all of them are free.
 */
#ifndef SWP_KERNELS_CUDA_HOPPER_ITERATION_H
#define SWP_KERNELS_CUDA_HOPPER_ITERATION_H

template <int OFFSET_OF_PASS> struct iteration {
    static constexpr int OFFSET = OFFSET_OF_PASS;
    int pass;
    __device__ __forceinline__ operator int() const
    {
        return pass + OFFSET;
    }
};

#define SWP_TILE(kb, offset) (iteration<offset>{int(kb)})
#define REGISTER_SLOT(i, slots) (decltype(i)::OFFSET % (slots))

#endif
