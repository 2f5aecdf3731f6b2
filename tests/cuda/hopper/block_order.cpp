// SPDX-License-Identifier: Apache-2.0
// Which work group takes which blocks of attention, for many numbers of heads, blocks and work groups.
#include "block_order.h"
#include "../../../kernels/cuda/hopper/attention_order.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace
{

// Each block of each head is some work group's, once; and of blocks that grow no work group gets more than its share
// and the longest one.
bool is_order_right(int heads, int blocks, bool grows, int work_groups)
{
    const attention_order order = order_of_attention(heads, blocks, grows, work_groups);
    std::vector<int> times(size_t(heads * blocks), 0);
    int most = 0;
    bool is_inside = true;
    for (int group = 0; group < work_groups; group++) {
        int length = 0;
        for (int n = 0; n < order.tiles; n++) {
            head_and_block tile;
            if (!find_tile(order, n, group, work_groups, &tile))
                continue;
            const bool is_one =
                tile.head >= 0 && tile.head < heads && tile.block >= 0 && tile.block < blocks;
            is_inside &= is_one;
            if (is_one)
                times[size_t(tile.head * blocks + tile.block)]++;
            length += grows ? tile.block + 1 : blocks;
        }
        most = std::max(most, length);
    }
    const int all = heads * (grows ? blocks * (blocks + 1) / 2 : blocks * blocks);
    const char *const fault = !is_inside ? "a block is none"
                              : std::count(times.begin(), times.end(), 1) != heads * blocks
                                  ? "not each block once"
                              : most > all / work_groups + blocks ? "a work group has too much"
                                                                  : nullptr;
    if (fault)
        std::printf("FAIL %d heads of %d blocks for %d%s: %s\n", heads, blocks, work_groups,
                    grows ? ", growing" : "", fault);
    return !fault;
}

} // namespace

int wrong_block_orders()
{
    int wrong = 0;
    for (int heads = 1; heads <= 20; heads++)
        for (int blocks = 1; blocks <= 17; blocks++)
            for (const int work_groups : {1, 2, 3, 5, 16, 132})
                for (const bool grows : {false, true})
                    wrong += !is_order_right(heads, blocks, grows,
                                             std::min(work_groups, heads * blocks));
    wrong += !is_order_right(64, 32, true, 132);
    wrong += !is_order_right(16, 128, true, 132);
    return wrong;
}
