/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barriers that the published lists of a schedule leave out (docs/json.md, "loop"). Whoever walks lists has them listed
 * first, so that nobody adds a barrier of his own.
 */
#ifndef SWP_IR_IMPLIED_BARRIERS_H
#define SWP_IR_IMPLIED_BARRIERS_H

#include "swp/compile.h"

/* Beside the warp groups that run it, a bit for each, in `instances` of an entry that published lists leave out. */
enum { SWP_IR_IMPLIED = 1 << 30 };

static inline bool swp_ir_is_implied(const swp_op *op)
{
    return (op->instances & SWP_IR_IMPLIED) != 0;
}

/* The warp group that alone runs the entry, as a lag has it; -1: all run it. */
static inline int swp_ir_only_group(const swp_op *op)
{
    const int groups = swp_ir_is_implied(op) ? op->instances & ~SWP_IR_IMPLIED : 0;
    return groups == 1 ? 0 : groups == 2 ? 1 : -1;
}

/* The entries that have a number; the others have -1 in reports. */
int swp_ir_published_count(const swp_entry_list *list);

/*
 * The entry of the published prologue, or its end, before which group 1 runs one barrier more; -1: no group comes to it
 * (docs/diagnostics.md, "W0112 a lag that never begins").
 */
int swp_ir_lag_entry(const swp_schedule *schedule);

/* Whether all waves meet before the loop at a barrier that no list has. */
bool swp_ir_implies_loop_barrier(const swp_schedule *schedule);

/*
 * The schedule with every barrier that it runs as an entry: itself, where none is implied, else a copy in the context's
 * memory. All that is in this header is right of either.
 */
swp_status swp_ir_list_barriers(swp_context *ctx, const swp_schedule *schedule,
                                const swp_schedule **out);

/* The same without those of a lag, for who tells them by the machine. */
swp_status swp_ir_list_loop_barrier(swp_context *ctx, const swp_schedule *schedule,
                                    const swp_schedule **out);

/* The published prologue again. If the barrier before the loop is no longer there, it was dropped. */
void swp_ir_hide_barriers(swp_schedule *schedule);

#endif
