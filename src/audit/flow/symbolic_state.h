/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a symbolic run: its groups of waves, and their accesses. */
#ifndef SWP_AUDIT_FLOW_SYMBOLIC_STATE_H
#define SWP_AUDIT_FLOW_SYMBOLIC_STATE_H

#include "audit/flow/symbolic_run.h"

enum { SWP_MOST_FLIGHTS = 192, SWP_MOST_TRACED = 4096 };

/* An access that its counters have not retired. */
typedef struct swp_symbolic_flight {
    int insn;
    int event;
    uint32_t unused; /* registers that it loads and nobody used */
    bool waiting[SWP_AUDIT_COUNTERS];
    int after[SWP_AUDIT_COUNTERS];
    int traced; /* -1: nobody watches it */
} swp_symbolic_flight;

/* An access to LDS of some waves. */
typedef struct swp_symbolic_access {
    int insn;
    int event;
    swp_wave_set waves;
    int position; /* instructions before it */
    int issued;   /* barriers before it */
    int retired;  /* barriers before it is */
    swp_footprint footprint;
} swp_symbolic_access;

/* Waves that have gone the same way. */
typedef struct swp_symbolic_group {
    swp_wave_set waves;
    int at;       /* instruction */
    int position; /* instructions before that */
    int barriers;
    swp_registers registers;
    swp_symbolic_flight flights[SWP_MOST_FLIGHTS];
    int flight_count;
} swp_symbolic_group;

typedef struct swp_symbolic_state {
    swp_context *ctx;
    const swp_symbolic_watch *watch;
    const swp_symbolic_input *input;
    const swp_flow *flow;
    swp_values values;
    swp_symbolic_access *traces;
    int trace_count;
    int trace_end; /* of the group that runs: others need room, too */
    swp_symbolic_group *groups[SWP_MOST_WAVES];
    int group_count;
    bool *passed; /* by block: whether its branch was run */
    bool *guessed;
    int spent;
} swp_symbolic_state;

static inline const swp_insn *swp_flow_symbolic_insn(const swp_symbolic_state *t, int index)
{
    return &t->flow->code->insns.items[index];
}

/* Retires what a wait for a counter retires. */
void swp_flow_symbolic_retire(swp_symbolic_state *t, swp_symbolic_group *g, int counter,
                              int outstanding);

/* An access begins; false: there are too many in flight. */
bool swp_flow_symbolic_issue(swp_symbolic_state *t, swp_symbolic_group *g, int index,
                             int traced_as);

/* Shows conflicts of what an instruction uses while a load of it is in flight. */
void swp_flow_symbolic_use(swp_symbolic_state *t, swp_symbolic_group *g, int index);

/* Keeps an access to LDS that a conflict is about, as number `as`; -1: it is none. */
swp_status swp_flow_symbolic_trace(swp_symbolic_state *t, swp_symbolic_group *g, int index,
                                   int *as);

/* Shows conflicts between waves, when all of them have ended. */
void swp_flow_symbolic_compare_waves(const swp_symbolic_state *t);

#endif
