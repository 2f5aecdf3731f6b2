/* SPDX-License-Identifier: Apache-2.0 */
/* Which blocks of queries each work group of attention.cu does, one after the other. */
#ifndef SWP_KERNELS_CUDA_HOPPER_ATTENTION_ORDER_H
#define SWP_KERNELS_CUDA_HOPPER_ATTENTION_ORDER_H

#include "variant.h"
#include <algorithm>
#include <cuda_runtime.h>

struct head_and_block {
    int head, block;
};

/*
 * Where all blocks are equally long, a work group gets block after block of a head, then of the next one. Where they grow with
 * their number, it gets a long and a short one of a head together, in rounds of such pairs, which are all alike: of an odd number
 * the longest stands for a pair. What fills no round, and one round more, is left for the end: the blocks of `heads_alone` heads,
 * the longest first, to and fro over the work groups. All that is in work at one time is of few heads, whose keys and values L2
 * holds.
 */
struct attention_order {
    bool grows;
    int heads, blocks; /* of a head */
    int tiles;         /* of a work group, with those that are none */
    int rounds;
    int pairs; /* of the heads before those alone, whose blocks fill the last round */
    int heads_alone;
};

inline attention_order order_of_attention(int heads, int blocks, bool grows, int work_groups)
{
    if (!grows)
        return {false, heads, blocks, divide_up(heads * blocks, work_groups), 0, 0, heads};
    const int pairs_of_head = divide_up(blocks, 2);
    const int rounds = std::max(0, heads * pairs_of_head / work_groups - 1);
    const int heads_alone =
        std::min(heads, divide_up(heads * pairs_of_head - rounds * work_groups, pairs_of_head));
    const int pairs = (heads - heads_alone) * pairs_of_head;
    const int others = rounds * work_groups - pairs;
    return {true,       heads,
            blocks,     2 * rounds + divide_up(heads_alone * blocks - 2 * others, work_groups),
            rounds,     pairs,
            heads_alone};
}

/* The longest first, of those heads whose blocks are alone. */
__device__ __forceinline__ head_and_block alone(const attention_order &order, int at)
{
    return {order.heads - order.heads_alone + at % order.heads_alone,
            order.blocks - 1 - at / order.heads_alone};
}

/* Tile number n of a work group, if it is one. */
__device__ __forceinline__ bool find_tile(const attention_order &order, int n, int work_group,
                                          int work_groups, head_and_block *tile)
{
    const int blocks_alone = order.heads_alone * order.blocks;
    if (!order.grows) {
        const int at = n * work_groups + work_group;
        *tile = {at / order.blocks, at % order.blocks};
        return at < blocks_alone;
    }
    const int places = order.rounds * work_groups, round = n - 2 * order.rounds;
    if (round >= 0) {
        const int in_round = round % 2 ? work_groups - 1 - work_group : work_group;
        const int others = places - order.pairs, at = others + round * work_groups + in_round;
        *tile = alone(order, at);
        return at < blocks_alone - others;
    }
    const int pair = n / 2 * work_groups + work_group;
    const bool is_second = n % 2;
    if (pair >= order.pairs) {
        const int other = places - 1 - pair;
        *tile = alone(order, is_second ? blocks_alone - 1 - other : other);
        return true;
    }
    const int pairs_of_head = (order.blocks + 1) / 2;
    const int longer = order.blocks - 1 - pair % pairs_of_head;
    const int shorter = pair % pairs_of_head - order.blocks % 2;
    *tile = {pair / pairs_of_head, is_second ? shorter : longer};
    return !is_second || shorter >= 0;
}

#endif
