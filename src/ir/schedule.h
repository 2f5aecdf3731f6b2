/* SPDX-License-Identifier: Apache-2.0 */
/* What a schedule says of itself without being said: one place for each such fact. */
#ifndef SWP_IR_SCHEDULE_H
#define SWP_IR_SCHEDULE_H

#include "swp/compile.h"

/* What reports call a schedule: its name, where it has one. */
static inline const char *swp_schedule_title(const swp_schedule *schedule)
{
    return schedule->name[0] ? schedule->name : "schedule";
}

/* What a pass handles some of: the tiles of a body, the iterations of a loop. */
static inline const char *swp_ir_tile_name(const swp_schedule *schedule)
{
    return schedule->dataflow ? "iteration" : "K tile";
}

/* Whether group 1 runs one barrier more than group 0, at an entry of the prologue. */
static inline bool swp_ir_lags(const swp_machine *machine)
{
    return machine->groups == 2 && machine->lag == 1;
}

/* Whether a COMPUTE's numbers are a row and a column; else they name a k-slice. */
static inline bool swp_ir_has_grid(const swp_schedule *schedule)
{
    return schedule->loop.placement == SWP_PLACE_K_OFFSET;
}

/*
 * The form that an entry of a phase is in, in a run of N tiles, and the entry itself in a stream: NULL for a place that
 * is none, such as the end of a phase. Prologue and kernel, which all forms share, count as form 0's.
 */
int swp_ir_form_at(const swp_schedule *schedule, swp_phase phase, int n);
const swp_entry *swp_ir_entry_of(const swp_schedule *schedule, int stream, int form,
                                 swp_phase phase, int entry);

/* The lists of a stream: those of its phases, the epilogues of remainders, the straight ones; NULL behind the last. */
const swp_entry_list *swp_ir_stream_list(const swp_stream *stream, size_t number);

/*
 * What the list of a phase and form is called: prologue, kernel, epilogue, epilogue_R where R tiles are left over,
 * straight_N for all of a run of N.
 */
enum { SWP_LIST_NAME_SIZE = 32 };
const char *swp_ir_list_name(const swp_schedule *schedule, int form, swp_phase phase,
                             char name[SWP_LIST_NAME_SIZE]);

/*
 * Where the op of this name is described, of a schedule that is made of a loop; where none has the name, where the loop
 * is. Nowhere without a dataflow.
 */
swp_place swp_ir_place_of_op(const swp_schedule *schedule, const char *name);

/* Refuses several streams: who reads only the first, with swp_schedule_phase(), asks this before. */
swp_status swp_ir_check_one_stream(swp_context *ctx, const swp_schedule *schedule);

#endif
