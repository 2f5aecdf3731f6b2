/* SPDX-License-Identifier: Apache-2.0 */
/* The waits that a placement of barriers calls for. */
#ifndef SWP_SYNC_WAITS_H
#define SWP_SYNC_WAITS_H

#include "sync/dataflow.h"

enum { SWP_NO_WAIT = -1 };

/* Counts to wait for at each gap of a pass, or SWP_NO_WAIT. */
typedef struct swp_gap_waits {
    int *vm;
    int *lgkm;
} swp_gap_waits;

/*
 * Each arc's producer is waited for at the last barrier that leaves its consumer enough of them,
 * with the largest count that still retires it. What a compiler's wait for a register or a fenced
 * barrier retires by then needs none.
 */
swp_status swp_count_waits(swp_context *ctx, const swp_dataflow *flow, const int *gaps,
                           swp_gap_waits *out);

#endif
