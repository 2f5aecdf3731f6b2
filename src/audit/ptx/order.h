/* SPDX-License-Identifier: Apache-2.0 */
/* What comes before what in a run: the clocks of its strands, and accesses compared by them. */
#ifndef SWP_AUDIT_PTX_ORDER_H
#define SWP_AUDIT_PTX_ORDER_H

#include "audit/ptx/run.h"

/* The strands of some lanes: the first bit is lane 0's. */
unsigned swp_ptx_strands_of(uint32_t lanes);
static inline int swp_ptx_strand(int warp, int which)
{
    return 2 * warp + which;
}
void swp_ptx_join(swp_ptx_clock *to, const swp_ptx_clock *from);
/* A new event of the strand. */
int swp_ptx_tick(swp_ptx_run *run, int strand);
bool swp_ptx_is_live(const swp_ptx_run *run, int strand);
/* Whether all who can still do something know it: it is before all that is to come. */
bool swp_ptx_is_past(const swp_ptx_run *run, int component, int value);

/* Compares an access, made when `clock` was so, with all that are known, and adds it. */
swp_status swp_ptx_access_shared(swp_ptx_run *run, const swp_ptx_clock *clock,
                                 swp_ptx_access access);

#endif
