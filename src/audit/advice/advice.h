/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits that may be weaker and barriers that may go, of a function in which nothing is wrong: found by
 * editing it and judging it again.
 */
#ifndef SWP_AUDIT_ADVICE_ADVICE_H
#define SWP_AUDIT_ADVICE_ADVICE_H

#include "audit/flow/judge.h"
#include "swp/audit.h"

/* What may become of one counter of a wait, before anything is tried. */
typedef struct swp_wait_room {
    int most; /* accesses that it may leave outstanding, for all that is known */
} swp_wait_room;

/*
 * By instruction of the function and counter. No room is left where what is waited for is used at once, and none for
 * stores, whose end others may count on.
 */
swp_status swp_advice_find_rooms(swp_fixpoint *fixpoint, swp_wait_room **out);

/* Whether waves may count on a barrier for the order of what they access in global memory. */
swp_status swp_advice_barrier_orders_memory(swp_context *ctx, const swp_flow *flow, int insn,
                                            bool *orders);

/* Whether other work groups may count on the order in which a function accesses memory. */
bool swp_advice_is_shared_outside(const swp_flow *flow);

/* Cycles that a pass of a loop takes one wave by the cycle model; not known of one with several ways through. */
swp_status swp_advice_pass_cycles(swp_context *ctx, const swp_flow *flow, int loop, bool *known,
                                  double *cycles);

/*
 * Adds the advice on a function to a report whose loops `first_loop` and following are its own. The code is as it
 * was afterwards.
 */
swp_status swp_advice_find(swp_context *ctx, const char *file, swp_machine_code *code,
                           swp_judged *judged, size_t first_loop, swp_audit_report *out);

#endif
