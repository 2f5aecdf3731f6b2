/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of a schedule with warp roles, written out: every operation of every instance, what it touches, and its
 * moments in the order of docs/roles-reference.md.
 */
#ifndef TEST_JUDGES_ROLES_RUN_H
#define TEST_JUDGES_ROLES_RUN_H

#include "judgement.h"
#include "roles_order.h"

#include "swp/compile.h"
#include "swp/loop.h"

/* The elected thread of an instance, which is number 0, and two others. */
enum { ROLE_THREADS = 3 };

/* What an operation has to do with a place or a register: makes a tile there, or wants one. */
typedef struct role_touch {
    int value;
    int version;
    int slot; /* that the version stands in */
    int tile; /* docs/loops.md: version × makers + the maker's number; or ROLE_CLEARED and so on */
    bool makes;
    bool updates; /* one of the two touches of an update */
} role_touch;

/* What an op of the tile clock writes to registers of the pass clock in output tile t is ROLE_CLEARED + t. */
enum { ROLE_CLEARED = -(1 << 30) };

enum { ROLE_ALL_RANKS = -1 };

/* An entry in one pass, executed by one instance. */
typedef struct role_act {
    const swp_op *op;
    const swp_loop_op *work; /* NULL: an operation that synchronises */
    int lane;
    int tile; /* output tile in whose lists it stands */
    swp_phase phase;
    int pass;
    int entry;
    int turn;     /* the list's base and the entry's iteration together, in the entry's clock */
    size_t touch; /* its first in the run's list */
    size_t touch_count;
    int slot;   /* in the run's list, of the mbarrier or barrier, of its own rank; -1: none */
    int number; /* of the phase or meeting there; of a wgmma or bulk store, of its group */
    int issue[ROLE_THREADS]; /* moments */
    int back[ROLE_THREADS];  /* the return of one that waits */
    int retired
        [SWP_MOST_CLUSTER]; /* of an asynchronous one, in each rank that it goes to; of a bulk store, its reads */
    int written; /* of a bulk store: its writes */
} role_act;

/* An instance of a role: its acts stand one after the other. */
typedef struct role_lane {
    int rank;
    int stream;
    int instance;
    int first;
    int count;
    int end[ROLE_THREADS]; /* moments */
} role_lane;

typedef struct role_phase {
    int arrivals;
    int64_t expected; /* bytes */
    int64_t brought;
    int first;    /* the act of it that stands first; -1: none arrives or brings bytes */
    int complete; /* moment */
} role_phase;

/* A slot of an object of a rank, its work group's barrier, or the cluster's barrier. */
typedef struct role_slot {
    int rank;                      /* ROLE_ALL_RANKS: the cluster's barrier */
    const swp_role_object *object; /* NULL: the work group's barrier, or the cluster's */
    role_phase *phases;            /* of an mbarrier, from 0 */
    int phase_count;
    int *openings; /* of a barrier's meetings: moments */
    int meeting_count;
    int threads; /* of a barrier's participants */
} role_slot;

typedef struct role_run {
    const swp_schedule *schedule;
    role_sequence sequence; /* one tile where the schedule has no output tiles */
    role_accepted accepted;
    swp_schedule *forms; /* of it, that takes the iterations of each tile */
    int *bases;          /* of each tile: the iterations of those before; then of all */
    const swp_loop *loop;
    role_lane *lanes;
    int lane_count;
    role_act *acts;
    size_t act_count;
    size_t act_capacity;
    role_touch *touches;
    size_t touch_count;
    size_t touch_capacity;
    role_slot *
        slots; /* of each rank those of all objects in turn and the work group's barrier; the last one is the cluster's */
    int slot_count;
    role_order order;
} role_run;

/* A run of so many iterations in each tile, which the schedule takes. @param accepted  NULL: nothing is */
role_run role_run_new(const swp_schedule *schedule, const role_sequence *sequence,
                      const role_accepted *accepted);
void role_run_free(role_run *run);

/* The parts of that. */
void role_touches(role_run *run, role_act *act);
void role_moments(role_run *run);

/* What kind of operation it is. */
bool role_is_ordinary(const role_act *act);
bool role_is_copy(const role_act *act);
bool role_is_matrix(const role_act *act);
bool role_is_store(const role_act *act);
bool role_is_arrival(const role_act *act);
bool role_is_tag(const role_act *act, int tag);

/* Work groups of the cluster; the one that the act is of. */
int role_ranks(const role_run *run);
int role_rank_of(const role_run *run, const role_act *act);

/* A multicast copy, or an arrival at all ranks: it goes to each rank, all else to the own one. */
bool role_is_multicast(const role_act *act);
bool role_goes_to(const role_run *run, const role_act *act, int rank);

/* The slot of an act on an mbarrier in a rank that it goes to. */
int role_slot_in(const role_run *run, const role_act *act, int rank);

/* Whether a thread of its instance executes it; whether one comes to it; how many execute it. */
bool role_executes(const role_act *act, int thread);
bool role_comes_to(const role_run *run, const role_act *act);
int role_threads(const role_run *run, const role_act *act);

/* Where a list stands in the run of an output tile. */
int role_list_rank(swp_phase phase);

/* Rounded down. */
int role_quotient(int a, int b);
int role_remainder(int a, int b);

/* Whether it counts output tiles. */
bool role_is_of_tiles(const role_run *run, const role_act *act);
/* The iteration of its tile that an op of the pass clock is for. */
int role_iteration(const role_run *run, const role_act *act);

const role_lane *role_lane_of(const role_run *run, const role_act *act);
bool role_is_shared(const role_run *run, int value);
/* Whether an op reads the value or updates it. */
bool role_is_read(const swp_loop *loop, int value);
/* Ops of the clock of the value that make it. */
int role_makers(const swp_loop *loop, int value);

#endif
