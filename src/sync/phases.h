/* SPDX-License-Identifier: Apache-2.0 */
/* Phases from data operations; some with more synchronisation than they need. */
#ifndef SWP_SYNC_PHASES_H
#define SWP_SYNC_PHASES_H

#include "sync/timing.h"

/* The kernel phase: data operations with the plan's barriers and waits. */
swp_status swp_sync_write_kernel(swp_context *ctx, const swp_dataflow *flow,
                                 const swp_sync_plan *plan, swp_entry_list *out);

/* The same with both counters waited down to 0 and barriers before every operation. */
swp_status swp_sync_write_strongest_kernel(swp_context *ctx, const swp_dataflow *flow,
                                           swp_entry_list *out);

/*
 * The prologue is what the passes before the first do for tiles from 0 on, the epilogue what the
 * passes after the last do for the `tiles` tiles that are left; both are synchronised at every operation.
 */
swp_status swp_sync_write_prologue(swp_context *ctx, const swp_dataflow *flow, swp_entry_list *out);
swp_status swp_sync_write_epilogue(swp_context *ctx, const swp_dataflow *flow, int tiles,
                                   swp_entry_list *out);

/*
 * The data operations of a list, synchronised before those that `where` names, of all its entries; NULL: each. Where a
 * dataflow says what the lists do.
 */
swp_status swp_sync_write_given(swp_context *ctx, const swp_machine *machine,
                                const swp_entry_list *given, const bool *where, swp_phase phase,
                                swp_entry_list *out);

/* A run of so few tiles that it takes no pass. */
swp_status swp_sync_write_straight(swp_context *ctx, const swp_dataflow *flow, int tiles,
                                   swp_entry_list *out);

#endif
