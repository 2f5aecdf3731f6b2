/* SPDX-License-Identifier: Apache-2.0 */
/* Vector clocks of a run, and what each of their components counts. */
#ifndef SWP_AUDIT_PTX_CLOCKS_H
#define SWP_AUDIT_PTX_CLOCKS_H

enum {
    SWP_PTX_MOST_WARPS = 32,
    SWP_PTX_MOST_CHAINS = 2 * SWP_PTX_MOST_WARPS,
    SWP_PTX_MOST_MBARRIERS = 128,
    SWP_PTX_BARRIERS = 16,
    SWP_PTX_GROUP_WARPS = 4
};

/* What a clock counts: first the events of each chain, and which of them its proxy fences cover; … */
enum {
    SWP_PTX_CLOCK_FENCED = SWP_PTX_MOST_CHAINS,
    /* …then which of them have been executed, as threads of a warp have met since (lanes.c), though no memory is in order by that; … */
    SWP_PTX_CLOCK_MET = SWP_PTX_CLOCK_FENCED + SWP_PTX_MOST_CHAINS,
    /* …and which of them proxy fences of the same chain cover; … */
    SWP_PTX_CLOCK_OWN_FENCED = SWP_PTX_CLOCK_MET + SWP_PTX_MOST_CHAINS,
    /* …then what has been waited for: groups of copies, of which proxy fences behind the wait cover some, of bulk stores, … */
    SWP_PTX_CLOCK_COPIES = SWP_PTX_CLOCK_OWN_FENCED + SWP_PTX_MOST_CHAINS,
    SWP_PTX_CLOCK_FENCED_COPIES = SWP_PTX_CLOCK_COPIES + SWP_PTX_MOST_CHAINS,
    SWP_PTX_CLOCK_STORES = SWP_PTX_CLOCK_FENCED_COPIES + SWP_PTX_MOST_CHAINS,
    /* …of wgmmas, phases, meetings. */
    SWP_PTX_CLOCK_WGMMA = SWP_PTX_CLOCK_STORES + SWP_PTX_MOST_CHAINS,
    SWP_PTX_CLOCK_PHASES = SWP_PTX_CLOCK_WGMMA + SWP_PTX_MOST_WARPS / SWP_PTX_GROUP_WARPS,
    SWP_PTX_CLOCK_GENERATIONS = SWP_PTX_CLOCK_PHASES + SWP_PTX_MOST_MBARRIERS,
    SWP_PTX_CLOCK_LENGTH = SWP_PTX_CLOCK_GENERATIONS + SWP_PTX_BARRIERS
};

typedef struct swp_ptx_clock {
    int at[SWP_PTX_CLOCK_LENGTH];
} swp_ptx_clock;

#endif
