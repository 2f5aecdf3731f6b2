/* SPDX-License-Identifier: Apache-2.0 */
/* Draws random numbers that are the same in every run and everywhere (Marsaglia 2003, Xorshift RNGs). */
#ifndef SWP_BASE_RANDOM_H
#define SWP_BASE_RANDOM_H

#include <stdint.h>

/* The seed of Marsaglia's paper; any but 0 will do. */
#define SWP_RANDOM_SEED 88172645463325252U

/* Returns the next number. */
static inline uint64_t swp_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Returns a number from 0 to below `below`. It leaves out the low bits, which are the least random. */
static inline uint64_t swp_random_below(uint64_t *state, uint64_t below)
{
    return (swp_random(state) >> 11) % below;
}

#endif
