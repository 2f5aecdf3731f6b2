/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops of a schedule with a dataflow read and make (docs/loops.md, "What an entry does"). */
#ifndef SWP_SYNC_TOUCHES_H
#define SWP_SYNC_TOUCHES_H

#include "sync/dataflow.h"

/* Fills in the touches of all ops. */
swp_status swp_sync_find_accesses(swp_context *ctx, swp_dataflow *flow);

/* Whether all waves share the place. */
bool swp_sync_is_shared(const swp_dataflow *flow, const swp_touch *touch);

/* What an op reads or makes of a place; NULL: nothing. */
const swp_touch *swp_sync_reads_place(const swp_data_op *op, int place);
const swp_touch *swp_sync_makes_place(const swp_data_op *op, int place);

/* Cycles for which a synchronous op reads, and after which what it makes is there. */
int64_t swp_sync_read_cycles(const swp_dataflow *flow, const swp_data_op *op);

/* Whether the op at a position waits, by itself, for the access at an earlier one that it reads. */
bool swp_sync_waits_for(const swp_dataflow *flow, int later, int earlier);

/*
 * Whether of two ops with a place of registers in common the earlier one must be retired before the
 * later one issues, and nothing but the schedule sees to it.
 */
bool swp_sync_must_find_done(const swp_dataflow *flow, const swp_data_op *later,
                             const swp_data_op *earlier);

/* The arcs of shared places. @return SWP_INVALID where an order asks for something before itself. */
swp_status swp_sync_find_access_arcs(swp_context *ctx, swp_dataflow *flow);

#endif
