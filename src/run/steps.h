/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule unrolled for one N: what the waves of each group execute, in order. */
#ifndef SWP_RUN_STEPS_H
#define SWP_RUN_STEPS_H

#include "swp/run.h"

typedef enum swp_run_action {
    SWP_RUN_LOAD,
    SWP_RUN_STORE,
    SWP_RUN_FRAGMENT,
    SWP_RUN_COMPUTE,
    SWP_RUN_OP,   /* of a loop with a dataflow */
    SWP_RUN_SYNC, /* by its source's tag */
    SWP_RUN_HINT
} swp_run_action;

/*
 * The queues that accesses wait in, those of counters first; what is done as it issues is in none. Of each two
 * the first is for a wait for vmcnt, the second for one for lgkmcnt.
 */
enum {
    SWP_RUN_VM,
    SWP_RUN_LGKM,
    SWP_RUN_COPY_GROUP,
    SWP_RUN_MATRIX_GROUP,
    SWP_RUN_COPY_MBARRIER,
    SWP_RUN_MATRIX_MBARRIER,
    SWP_RUN_STORE_GROUP, /* of warp roles */
    SWP_RUN_QUEUES,
    SWP_RUN_NO_QUEUE = SWP_RUN_QUEUES
};

/* A place in LDS, or a register of the wave, that a step reads or writes. */
typedef struct swp_run_operand {
    bool in_lds;
    bool update; /* read to be changed */
    int index;
    int tile; /* that is brought, or wanted; a fragment load takes any */
} swp_run_operand;

typedef struct swp_run_operand_list {
    swp_run_operand *items;
    size_t count;
    size_t capacity;
} swp_run_operand_list;

typedef struct swp_run_step {
    swp_run_action action;
    swp_phase phase;
    int entry; /* -1: a barrier that is no entry */
    int pass;  /* as in swp_instance */
    int queue;
    int cost;  /* accesses */
    int limit; /* of a wait for counters */
    swp_run_operand_list reads;
    swp_run_operand_list writes;
    int accumulator;      /* of a COMPUTE */
    int slice;            /* of the single buffer: that a fragment load takes, or a COMPUTE adds */
    int op;               /* of the dataflow */
    bool is_awaited;      /* who reads its register waits for it, where registers are not raw */
    bool reads_in_flight; /* its registers too, until it is done */
    bool in_order;        /* with others like it that update the same accumulator */
    bool may_not_run;     /* in an iteration that its condition leaves out */
    bool is_outside;      /* for an iteration, or output tile, that does not exist */
    int output_tile;      /* in whose lists it stands */
    int tile; /* that a load fetches, and a store or COMPUTE is there for; of an op of the
                        dataflow the iteration */
    const swp_op *source; /* the entry's */
    int turn;             /* of warp roles base and iteration together */
} swp_run_step;

typedef struct swp_run_step_list {
    swp_run_step *items;
    size_t count;
    size_t capacity;
} swp_run_step_list;

/* A place in LDS, or with stage -1 a register. Of a dataflow: value, slot and 0, or value, -1, slot. */
typedef struct swp_run_place {
    int channel;
    int stage;
    int subtile;
} swp_run_place;

typedef struct swp_run_place_list {
    swp_run_place *items;
    size_t count;
    size_t capacity;
} swp_run_place_list;

/*
 * What is whose: of waves, which are all of one role, or of the instances of warp roles, which are numbered through all
 * roles.
 */
typedef struct swp_run_sharing {
    int ranks; /* work groups of the cluster */
    int *rank_of_instance;
    int *role_of_instance;
    int *number_of_instance; /* of those of its role and rank; of a wave its warp group */
    int *list_of_instance;   /* of steps */
    int *first_instance;     /* by role, and one past the last; those of rank 0 come first */
    bool *is_multicast;      /* by value: each rank has a share, in the memory of each */
    int *role_of_op;
    int *maker; /* by value: the role that writes or updates it; -1: an input */
} swp_run_sharing;

/* What is run: so many iterations, or output tiles of so many each. */
typedef struct swp_run_extent {
    int n;            /* in all */
    const int *tiles; /* NULL: there are no output tiles */
    int tile_count;
} swp_run_extent;

/* The threads that stand for all of an instance of a warp role: the elected one, and two others. */
enum { SWP_RUN_LANES = 3 };

/*
 * How instances execute their lists. Waves, which are the instances of a schedule without warp roles, and instances of
 * roles differ in this alone; all else the entries say.
 */
typedef struct swp_run_manner {
    int lanes; /* threads that stand for an instance */
    /* Warp groups are the instances, of several waves; each has a list of steps of its own. */
    bool lists_by_group;
    /* Events and reports name role, instance and thread; else a wave by its number. */
    bool has_names;
    /* A thread issues an entry, then waits at it; else it issues what nothing holds up. */
    bool waits_behind;
    /* An op that is in no queue is done as it issues; else it is an access as all others are. */
    bool runs_ordinary;
    /* Of all that the machine permits an op finds what it does not want; else timings bring about each moment. */
    bool reads_worst;
    /* The rules about phases, fences and groups are watched; else the use of raw registers is. */
    bool keeps_rules;
    /* The seed says which ops do not run; else those do not that would have to wait. */
    bool leaves_out_by_seed;
    /* A matrix op that makes an accumulator anew follows those before it in order; else it waits for them. */
    bool remakes_in_order;
    /* Ops read and write the shares of all, and an update of a shared place reads them. */
    bool shares_all;
} swp_run_manner;

const swp_run_manner *swp_run_manner_of(const swp_schedule *schedule);

typedef struct swp_run_program {
    const swp_schedule *schedule;
    int n;
    swp_run_extent extent;
    int rows; /* of results, of each op: iterations of all output tiles, or the tiles if those are more */
    int passes;
    const swp_run_manner *manner;
    int waves;                         /* or instances of warp roles */
    int waves_per_group;               /* of warp roles 1 */
    const swp_loop_dataflow *dataflow; /* NULL: kinds say what the ops do */
    bool next_tile; /* the single buffer: loads go through a staging register, register 0 */
    int slices;     /* of a tile along K, one for each fragment of the single buffer */
    int accumulators;
    swp_run_place_list places;
    swp_run_place_list registers;
    swp_run_step_list lists[SWP_MOST_STREAMS]; /* by warp group, or by warp role */
    int list_count;
    int lists_of_role; /* of steps: one, or one for each warp group */
    const swp_run_sharing *sharing;
    int *products; /* by accumulator, or slice of the single buffer: how many COMPUTEs add to it */
    int *first_place; /* by value of the dataflow: its slot 0 among places or registers */
} swp_run_program;

/* Whether it takes effect once: everything but COMPUTEs, synchronisation and hints. */
bool swp_run_is_access(const swp_run_step *step);
/* Whether a wait is for the queue. */
bool swp_run_waits_for(const swp_run_step *step, int queue);
/* The counter's largest value; 0: the queue is none's. */
int swp_run_largest(const swp_machine *machine, int queue);
/* Whether it is in flight from its issue on. */
bool swp_run_is_queued(const swp_run_step *step);
/* The steps of a wave, or an instance. */
const swp_run_step_list *swp_run_list_of(const swp_run_program *program, int instance);
/* Among a step's operands the one in this place or register; NULL: none. */
const swp_run_operand *swp_run_find_operand(const swp_run_operand_list *list, bool in_lds,
                                            int index);

/* Refuses a schedule without a meaning, and an N that its loop does not take. */
swp_status swp_run_check(swp_context *ctx, const swp_schedule *schedule, int n);
/* The same of each output tile. */
swp_status swp_run_check_tiles(swp_context *ctx, const swp_schedule *schedule,
                               const swp_run_extent *extent);

/* Unrolls the form that runs n tiles of a schedule that was checked. */
swp_status swp_run_unroll(swp_context *ctx, const swp_schedule *whole, const swp_schedule *schedule,
                          const swp_run_extent *extent, int waves_per_group, swp_run_program *out);

#endif
