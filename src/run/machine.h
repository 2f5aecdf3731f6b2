/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machine (docs/verification.md, docs/roles-reference.md): waves, or threads of warp roles; counters, groups,
 * mbarriers and barriers; registers, shared places and what is in flight. It does what it is told (issue this wave's
 * next entry, let this access take effect) and knows what is permitted; who tells it is a timing. Of warp roles it
 * keeps beside the hardware's state what the rules speak of: numbers of phases and meetings.
 */
#ifndef SWP_RUN_MACHINE_H
#define SWP_RUN_MACHINE_H

#include "run/objects.h"
#include "run/values.h"

/* An access of a wave; of an instance of a warp role a copy, a wgmma or a bulk store. */
typedef struct swp_run_access {
    int instance; /* or wave */
    int step;
    int to;                 /* rank whose memory and mbarrier a copy goes to; else its own */
    int64_t position;       /* accesses of its wave and queue up to its own last one */
    bool done;              /* it took effect */
    long done_at;           /* as the access of this number, from 0 */
    swp_run_cell *captured; /* what it read from registers when it issued */
    bool is_passed_on;      /* ops that did not run passed on what it makes… */
    int passed_on;          /* …as this tile */
    int issued;             /* bit for each lane */
    long issued_at;
    int group;
    bool is_read;        /* of a bulk store: its reads are retired */
    uint64_t *shares;    /* what it read at its issue: by operand and instance */
    uint64_t *registers; /* likewise, by operand and lane */
} swp_run_access;

/* The accesses of one wave that one counter counts, or of one kind of groups or mbarriers, in issue order. */
typedef struct swp_run_queue {
    int *items;
    int count;
    int head;        /* all before it are done */
    int64_t total;   /* accesses issued */
    int64_t retired; /* of these, by waits: also some of an op's, while others are in flight */
} swp_run_queue;

typedef enum swp_run_last_access {
    SWP_RUN_NOT_ACCESSED,
    SWP_RUN_ACCESSED_BY_ORDINARY,
    SWP_RUN_ACCESSED_BY_MATRIX
} swp_run_last_access;

typedef struct swp_run_register_state {
    int filled_by;              /* access that last wrote it; -1: none */
    int last_maker;             /* access issued last that makes it; -1: none */
    swp_run_cell before;        /* the last ordinary write of a warp role's thread */
    swp_run_last_access access; /* the last one in it… */
    int accessed_at;            /* …as this step */
} swp_run_register_state;

/*
 * What a part of a share holds: a slice of the single buffer; of warp roles one of three, which all threads together
 * write, or each of the three.
 */
typedef struct swp_run_piece {
    swp_run_cell now;
    swp_run_cell before; /* what an ordinary write replaced */
    swp_run_cell rival;  /* what may be there instead, since nothing ordered the two writes */
    bool is_ordinary;    /* `now` was written by an ordinary instruction */
    int ended_at; /* the last step of its thread before it was over, behind which a fence has to come */
    bool has_rival;
    long written_at;
} swp_run_piece;

/* An op that reads or writes a place. */
typedef struct swp_run_place_use {
    int role;
    int step;
    int tile;
    bool is_write;
    bool is_async;
} swp_run_place_use;

typedef struct swp_run_place_uses {
    swp_run_place_use *items;
    size_t count;
    size_t capacity;
} swp_run_place_uses;

/* A wave; or one of those that stand for all threads of an instance of a warp role. */
typedef struct swp_run_thread {
    int instance; /* through all roles, or its wave */
    int lane;     /* 0: the elected one */
    const swp_run_step_list *steps;
    int next; /* step to issue, or issued and waited at; their number: it has ended */
    swp_run_queue queues[SWP_RUN_QUEUES];
    swp_run_cell *registers; /* shares of all waves, or slices of the staging register */
    swp_run_register_state *states;
    int *
        access_of_step; /* of an elected thread, by step and rank that it goes to; -1: not issued, or no access */
    swp_run_matrix *accumulators;
    uint64_t *results; /* of a dataflow: by iteration and op */
    bool *left_out;    /* likewise: it did not run */
    /* Of a warp role: */
    bool waits; /* at a step that was issued and has not returned */
    int ticket; /* how often the barrier at which it waits had opened at its issue; as meant, its meeting */
    int fenced;     /* the last fence_async; -1 */
    int reg_fenced; /* the last matrix_fence; -1 */
    int commits[2]; /* of matrix groups, of bulk-store groups */
    int cluster_waits;
    int *parts;     /* by meeting place: its operations on it */
    bool is_on_way; /* swp_run_help_to() */
} swp_run_thread;

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

/* Of a cluster it has the instances of all ranks, and for each rank shared memory, mbarriers and barriers. */
typedef struct swp_run_machine {
    swp_context *ctx; /* whose memory the run may use */
    const swp_run_program *program;
    const swp_schedule *schedule;
    const swp_machine *limits;
    uint64_t seed;
    uint64_t conditions; /* of which ops that need not run do; 0: all */
    swp_run_outcome *outcome;
    swp_run_thread *threads;
    int thread_count;
    int lanes;             /* threads that stand for an instance */
    int cells;             /* of a register */
    swp_run_piece *pieces; /* by place, rank, instance and part */
    int parts;             /* of each share */
    swp_run_access *accesses;
    int access_count;
    int *open; /* accesses that are not done, oldest first */
    int open_count;
    swp_timing_event_list events; /* all that happened */
    swp_run_conflict conflict;    /* that a timing brings about */
    /* Of warp roles: */
    int ranks;
    int *first_slot; /* by object: among mbarriers, or meeting places, of a rank */
    swp_run_mbarrier *mbarriers;
    int rank_mbarriers; /* of each rank */
    /* Of each rank named barriers' slots and the work group's barrier; behind these the cluster's, if there is one. */
    swp_run_meeting_place *meetings;
    int rank_meetings; /* of each rank */
    int meeting_count;
    bool *takes_part;      /* by instance and meeting place */
    swp_run_phase *phases; /* by rank, object and turn from 0 on */
    int turns;
    swp_run_sent_list sent;
    swp_run_place_uses *uses; /* by place */
    long clock;               /* counts writes of shared places */
    bool
        as_meant; /* phases and meetings are those that the lists name, not what the hardware counts */
    bool is_astray; /* a rule about phases is broken: numbers mean nothing from here on */
} swp_run_machine;

/* A machine for a program, at its start. */
swp_status swp_run_machine_new(swp_context *ctx, const swp_run_program *program, uint64_t seed,
                               swp_run_outcome *outcome, swp_run_machine *out);

const swp_run_step *swp_run_next_step(const swp_run_machine *m, int wave); /* NULL at the end */
const swp_run_step *swp_run_step_of(const swp_run_machine *m, const swp_run_access *access);
/* What is in flight of a step of the instance to a rank; -1: it was not issued. */
int *swp_run_access_at(const swp_run_machine *m, int instance, int step, int to);
/* All before it have taken effect. */
int swp_run_oldest_open(const swp_run_machine *m);
/* An access is in flight, and done. */
void swp_run_open_access(swp_run_machine *m, int access);
void swp_run_close_access(swp_run_machine *m, int access);
swp_run_piece *swp_run_piece_of(const swp_run_machine *m, int place, int rank, int instance,
                                int part);
swp_run_cell *swp_run_lds(const swp_run_machine *m, int place, int wave, int slice);
swp_run_cell *swp_run_register(const swp_run_machine *m, int wave, int index, int cell);
/* A thread, and a step as it executes it. */
swp_instance swp_run_who(const swp_run_machine *m, int thread);
swp_instance swp_run_instance(const swp_run_machine *m, int wave, int step);

/*
 * Whether the wave stands at a barrier at which another wave has not arrived, or the thread at a step that it cannot
 * return from.
 */
bool swp_run_waits(const swp_run_machine *m, int thread);

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

/*
 * Up to which position the waves of a warp group have to have done what is on their queues of matrix groups before the
 * wave's next step; 0: that is no wait for them, or its warp group has not four waves.
 */
int64_t swp_run_awaited_of_group(const swp_run_machine *m, int wave);
bool swp_run_is_of_group(const swp_run_machine *m, int wave, int other);
/* Whether another wave of the group has not issued all of that. */
bool swp_run_waits_for_group(const swp_run_machine *m, int wave);

/* Whether an access in flight, of that wave or of its warp group, must be done before the wave's next step. */
bool swp_run_must_do(const swp_run_machine *m, int wave, int access);

/* Whether a step waits for the access because it reads its register. */
bool swp_run_awaits(const swp_run_machine *m, int access, const swp_run_step *next);

/* Whether the later one must take effect after the earlier one that is in flight, since both make a register in order. */
bool swp_run_follows(const swp_run_machine *m, const swp_run_step *earlier,
                     const swp_run_step *later);

/* Whether a step must not issue while the other is in flight, and nothing keeps it from that. */
bool swp_run_meets_register(const swp_run_machine *m, const swp_run_step *flying,
                            const swp_run_step *next);

/* Whether the thread may issue its next step now, or return from the one that it waits at. */
bool swp_run_may_issue(const swp_run_machine *m, int thread);

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

/*
 * The two things that happen; each must be permitted. A thread issues its next step, or returns from the one that it
 * waits at. A bulk store takes effect twice: its reads, then its writes.
 */
swp_status swp_run_issue(swp_run_machine *m, int thread);
swp_status swp_run_take_effect(swp_run_machine *m, int access);

#endif
