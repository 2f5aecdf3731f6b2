/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A judge of schedules with warp roles (docs/roles-reference.md): every interleaving of a run of few iterations. It
 * shares nothing with proof, executor and the unrolled judge but the types.
 */
#ifndef TEST_JUDGES_ROLES_EXPLORER_H
#define TEST_JUDGES_ROLES_EXPLORER_H

#include "swp/verify.h"

typedef struct roles_explorer_options {
    size_t most_states; /* 0: a million */
    int others;         /* threads of an instance beside the elected one; 0: two */
    /*
     * Every moment by itself. Otherwise what only holds others up is as late, and what only has to come after
     * others as early, as any execution has it (roles_explorer.c).
     */
    bool every_moment;
    bool every_kind; /* all hazards that there are, behind the first kind too */
} roles_explorer_options;

typedef struct roles_hazard {
    swp_hazard_kind kind;
    int stream;
    swp_phase phase;
    int entry;
} roles_hazard;

/* The hazards of the first kind of docs/roles-reference.md's table of which there is one. */
typedef struct roles_exploration {
    roles_hazard *items; /* by kind in the order of that table, stream, phase, entry */
    size_t count;
    size_t capacity;
    size_t states;
    bool undecided; /* there are more states than `most_states` */
    bool no_run;    /* it takes no such number of iterations */
} roles_exploration;

/* One run, of n iterations. @param options  NULL: all at their defaults */
roles_exploration roles_explore(const swp_schedule *schedule, int n,
                                const roles_explorer_options *options);
void roles_exploration_free(roles_exploration *exploration);

/* What the hardware does where nobody watches the rules. */
typedef struct roles_outcome {
    bool
        wrong; /* some execution reads another version of a shared value than it wants, or one being written */
    bool stuck;     /* some execution stops before its end */
    bool undefined; /* some execution has more arrivals than a phase or barrier has room for */
    bool parted;    /* some execution takes a phase or a meeting for another one */
    size_t states;
    bool undecided;
    bool no_run;
} roles_outcome;

/*
 * The machine that has no numbers of phases and meetings: parities, counts of arrivals and bytes, and what
 * shared memory holds. Its executions end where they go wrong.
 */
roles_outcome roles_explore_hardware(const swp_schedule *schedule, int n,
                                     const roles_explorer_options *options);

#endif
