/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machine (docs/verification.md): waves, counters, barriers, registers, LDS and accesses in
 * flight. It does what it is told (issue this wave's next entry, let this access take effect) and
 * knows what is permitted; who tells it is a timing.
 */
#ifndef SWP_RUN_MACHINE_H
#define SWP_RUN_MACHINE_H

#include "run/values.h"

typedef struct swp_run_access {
    int wave;
    int step;
    int64_t position;       /* accesses of its wave and queue up to its own last one */
    bool done;              /* it took effect */
    long done_at;           /* as the access of this number, from 0 */
    swp_run_cell *captured; /* what it read from registers when it issued */
    bool is_passed_on;      /* ops that did not run passed on what it makes… */
    int passed_on;          /* …as this tile */
} swp_run_access;

/* The accesses of one wave that one counter counts, or of one kind of groups or mbarriers, in issue order. */
typedef struct swp_run_queue {
    int *items;
    int count;
    int head;        /* all before it are done */
    int64_t total;   /* accesses issued */
    int64_t retired; /* of these, by waits: also some of an op's, while others are in flight */
} swp_run_queue;

typedef struct swp_run_wave {
    const swp_run_step_list *steps;
    int next;     /* step */
    int barriers; /* at which it has arrived */
    swp_run_queue queues[SWP_RUN_QUEUES];
    swp_run_cell *registers; /* shares of all waves, or slices of the staging register */
    int *filled_by;          /* by register: the access that last wrote it, -1: none */
    int *last_maker;         /* by register: the access issued last that makes it, -1: none */
    int *access_of_step;     /* -1: not issued, or no access */
    swp_run_matrix *accumulators;
    uint64_t *results; /* of a dataflow: by iteration and op */
    bool *left_out;    /* likewise: it did not run */
} swp_run_wave;

/*
 * Which writes of a wave's share of a place a read is not to find last. Loads in flight may take
 * effect in any order, so the others go first wherever the machine permits.
 */
typedef struct swp_run_conflict {
    bool wanted; /* there is one */
    int wave;
    int place;
    int tile;
    bool tile_is_right; /* what the read wants is this tile; else any other */
    bool early_writes;
    bool late_writes;
    int spared; /* the write of this step is not among those that go first; -1: none */
} swp_run_conflict;

typedef struct swp_run_machine {
    swp_context *ctx; /* whose memory the run may use */
    const swp_run_program *program;
    const swp_machine *limits;
    uint64_t seed;
    int cells; /* of a register */
    swp_run_wave *waves;
    swp_run_cell *lds; /* by place, wave and slice */
    swp_run_access *accesses;
    int access_count;
    int oldest_open;              /* access: all before it have taken effect */
    swp_timing_event_list events; /* all that happened */
    swp_run_conflict conflict;    /* that a timing brings about */
    swp_run_outcome *outcome;
} swp_run_machine;

/* A machine for a program, at its start. */
swp_status swp_run_machine_new(swp_context *ctx, const swp_run_program *program, uint64_t seed,
                               swp_run_outcome *outcome, swp_run_machine *out);

const swp_run_step *swp_run_next_step(const swp_run_machine *m, int wave); /* NULL at the end */
const swp_run_step *swp_run_step_of(const swp_run_machine *m, const swp_run_access *access);
swp_run_cell *swp_run_lds(const swp_run_machine *m, int place, int wave, int slice);
swp_run_cell *swp_run_register(const swp_run_machine *m, int wave, int index, int cell);
swp_instance swp_run_instance(const swp_run_machine *m, int wave, int step);

/* Whether the wave stands at a barrier at which another wave has not arrived. */
bool swp_run_waits(const swp_run_machine *m, int wave);

/* What must be done before the wave's next step. */
typedef struct swp_run_need {
    int upto[SWP_RUN_QUEUES];   /* so many accesses of each queue */
    const swp_run_step *reader; /* and those whose registers it reads; NULL: no others */
} swp_run_need;
swp_run_need swp_run_need_of(const swp_run_machine *m, int wave);

/* The same, if an op that may not run is to run: its condition decides whether it waits. */
swp_run_need swp_run_need_to_run(const swp_run_machine *m, int wave);

/* How many accesses of the queue a wait leaves, no more than its counter holds. */
int swp_run_left(const swp_run_machine *m, const swp_run_step *wait, int queue);

/* Whether access number `i` of a wave's queue is among them. */
bool swp_run_is_needed(const swp_run_machine *m, int wave, const swp_run_need *need, int number,
                       int i);

/* Whether an access in flight, of that wave, must be done before the wave's next step. */
bool swp_run_must_do(const swp_run_machine *m, int wave, int access);

/* Whether a step waits for the access because it reads its register. */
bool swp_run_awaits(const swp_run_machine *m, int access, const swp_run_step *next);

/* Whether the later one goes on in the register that the earlier one makes, and in order. */
bool swp_run_accumulates(const swp_run_step *flying, const swp_run_step *next, int index);

/* Whether a step must not issue while the other is in flight, and nothing keeps it from that. */
bool swp_run_meets_register(const swp_run_machine *m, const swp_run_step *flying,
                            const swp_run_step *next);

/* Whether the wave may issue its next step now. */
bool swp_run_may_issue(const swp_run_machine *m, int wave);

/*
 * Whether the wave's next step is one that does not run: what may not run does not where it would have to
 * wait, so that it is the timing that chooses.
 */
bool swp_run_is_left_out(const swp_run_machine *m, int wave);
/*
 * The oldest access that must take effect before this one, or this one: what lgkmcnt counts does so in issue
 * order, and so do matrix instructions in one accumulator.
 */
int swp_run_first_in_order(const swp_run_machine *m, int access);
/* Whether the access may take effect now. */
bool swp_run_may_take_effect(const swp_run_machine *m, int access);

/* The two things that happen; each must be permitted. */
swp_status swp_run_issue(swp_run_machine *m, int wave);
swp_status swp_run_take_effect(swp_run_machine *m, int access);

#endif
