/* SPDX-License-Identifier: Apache-2.0 */
/* Who executes an instruction, in words: warps by their numbers, and which of their lanes. */
#include "audit/ptx/report.h"

#include <inttypes.h>

enum { LANE_0 = 1, OTHER_LANES = 2 };

static int warps_from(uint32_t warps, int first)
{
    int last = first;
    while (last + 1 < SWP_PTX_MOST_WARPS && warps >> (last + 1) & 1)
        last++;
    return last;
}

/* "warp 4", "warps 0 to 3", "warps 0 to 3 and 8" */
static void add_warps(swp_text *text, uint32_t warps)
{
    const bool several = (warps & (warps - 1)) != 0;
    const char *before = several ? "warps " : "warp ";
    for (int first = 0; first < SWP_PTX_MOST_WARPS; first++) {
        if (!(warps >> first & 1))
            continue;
        const int last = warps_from(warps, first);
        if (last > first)
            swp_text_format(text, "%s%d to %d", before, first, last);
        else
            swp_text_format(text, "%s%d", before, first);
        first = last;
        before = last + 1 < SWP_PTX_MOST_WARPS && warps >> (last + 1) >> 1 ? ", " : " and ";
    }
}

/* Of which lanes; all of them are not named. */
static const char *lanes_of(unsigned chains)
{
    if (chains == LANE_0)
        return " (lane 0)";
    return chains == OTHER_LANES ? " (lanes 1 to 31)" : "";
}

void swp_ptx_add_threads(swp_text *text, const swp_ptx_threads *threads, int own_warps)
{
    const uint64_t own = (UINT64_C(1) << own_warps) - 1;
    uint32_t warps = threads->warps;
    /* Of a cluster: each work group has warps of its own. */
    for (uint32_t rest = warps; own_warps < SWP_PTX_MOST_WARPS && rest; rest >>= own_warps)
        warps |= rest;
    add_warps(text, warps & (uint32_t)own);
    swp_text_format(text, "%s", lanes_of(threads->chains));
}
