/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions that may be executed between a branch and where its ways meet. */
#ifndef SWP_AUDIT_PTX_REGIONS_H
#define SWP_AUDIT_PTX_REGIONS_H

#include "audit/ptx/execute.h"

enum { SWP_PTX_MOST_SKIPPED = 1 << 12 /* instructions */ };

typedef struct swp_ptx_region {
    const swp_ptx_module *module;
    const swp_ptx_kernel *kernel;
    bool *marks;      /* of each instruction of the module: none is set between searches */
    bool takes_waits; /* for mbarriers may be among them */
    int items[SWP_PTX_MOST_SKIPPED];
    int count;
} swp_ptx_region;

/* Whether it computes, branches, or has global memory alone. */
bool swp_ptx_is_harmless(const swp_ptx_region *r, int number);

/* Where the ways of a branch meet, with nothing but what is harmless before: what is; -1: there is no such place. */
int swp_ptx_find_join(swp_ptx_region *r, int branch);

#endif
