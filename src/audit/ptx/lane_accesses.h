/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of the threads of a warp that have one clock, compared with each other. */
#ifndef SWP_AUDIT_PTX_LANE_ACCESSES_H
#define SWP_AUDIT_PTX_LANE_ACCESSES_H

#include "audit/ptx/execute.h"

/* An access to shared memory at known addresses, compared with those of other threads of the warp. */
swp_status swp_ptx_access_by_lanes(const swp_ptx_step *step, const swp_ptx_value *address,
                                   int64_t offset, int bytes, uint32_t lanes, bool reads);

/* All threads of a warp come behind what each of them has accessed. */
void swp_ptx_order_lanes(swp_ptx_run *run, int warp);

/* Into a copy of the run, and whether two states are alike in it. */
swp_status swp_ptx_copy_words(swp_context *ctx, const swp_ptx_run *from, swp_ptx_run *to);
bool swp_ptx_same_words(const swp_ptx_run *a, const swp_ptx_run *b, int warp);

#endif
