/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machine of warp roles (docs/roles-reference.md): instances and their threads, mbarriers as the hardware has
 * them, barriers, operations in flight, places and registers. It does what it is told, and knows what is
 * permitted. Beside the hardware's state it keeps what the rules speak of: numbers of phases and meetings.
 * Of a cluster it has the instances of all ranks, and for each rank shared memory, mbarriers and barriers.
 */
#ifndef SWP_RUN_ROLES_H
#define SWP_RUN_ROLES_H

#include "run/values.h"
#include "swp/loop.h"

/* The threads that stand for all of an instance: the elected one, and two others. */
enum { SWP_RUN_LANES = 3, SWP_RUN_NOBODY = -1 };

/* A version, or what an op made of one. */
typedef struct swp_run_content {
    uint64_t number;
    int tile;
    int thread; /* that wrote it; SWP_RUN_NOBODY */
    int step;
} swp_run_content;

typedef enum swp_run_last_access {
    SWP_RUN_NOT_ACCESSED,
    SWP_RUN_ACCESSED_BY_ORDINARY,
    SWP_RUN_ACCESSED_BY_MATRIX
} swp_run_last_access;

typedef struct swp_run_register_state {
    swp_run_content now;
    swp_run_content before;     /* the last ordinary write */
    swp_run_last_access access; /* the last one in its thread… */
    int accessed_at;            /* …as this step */
} swp_run_register_state;

typedef struct swp_run_thread {
    int instance; /* through all roles */
    int lane;     /* 0: the elected one */
    const swp_run_step_list *steps;
    int next;   /* step that it executes; their number: it has ended */
    bool waits; /* that was issued and has not returned */
    int ticket; /* how often the barrier at which it waits had opened at its issue; as meant, its meeting */
    int fenced;     /* the last fence_async; -1 */
    int reg_fenced; /* the last matrix_fence; -1 */
    int commits[2]; /* of matrix groups, of bulk-store groups */
    int cluster_waits;
    int *parts;     /* by meeting place: its operations on it */
    bool is_on_way; /* swp_run_roles_approach() */
    swp_run_register_state *registers;
    uint64_t *results; /* by iteration and op */
} swp_run_thread;

/* One slot. The hardware has parity, pending and bytes. */
typedef struct swp_run_mbarrier {
    int parity;
    int64_t pending; /* arrivals */
    int64_t bytes;   /* expected and not landed */
    int completed;   /* phases */
    int observed;    /* phases that somebody has waited for: others may be incomplete yet */
} swp_run_mbarrier;

/* A step of a role's list. */
typedef struct swp_run_role_step {
    int role;
    int step;
} swp_run_role_step;

typedef struct swp_run_role_steps {
    swp_run_role_step *items;
    size_t count;
    size_t capacity;
} swp_run_role_steps;

/* What the lists say of a phase. */
typedef struct swp_run_phase {
    int64_t arrivals;
    int64_t expected; /* bytes */
    int64_t brought;
    int64_t arrived; /* so far, as meant */
    int64_t landed;
    swp_run_role_steps makers; /* its arrivals and copies, by role and step */
} swp_run_phase;

/* One slot of a named barrier, or the work group's barrier. */
typedef struct swp_run_meeting_place {
    int64_t threads; /* that the hardware waits for */
    int64_t adds_up; /* threads of its participants */
    int64_t arrived;
    int opened;   /* how often */
    int observed; /* meetings from which somebody has returned: others may not have opened yet */
} swp_run_meeting_place;

/* An asynchronous operation: a copy, a wgmma or a bulk store. */
typedef struct swp_run_async {
    swp_completion completion;
    int instance;
    int step;
    int to;     /* rank whose memory and mbarrier a copy goes to; else its own */
    int issued; /* bit for each lane */
    long issued_at;
    int group;
    bool is_read; /* of a bulk store: its reads are retired */
    bool is_done;
    uint64_t *shares;    /* what it read at its issue: by operand and instance */
    uint64_t *registers; /* likewise, by operand and lane */
} swp_run_async;

/* What one of three parts of a share holds: all together, or each of the three threads, write it. */
typedef struct swp_run_piece {
    swp_run_content now;
    swp_run_content before; /* what an ordinary write replaced */
    swp_run_content rival;  /* what may be there instead, since nothing ordered the two writes */
    bool is_ordinary;       /* `now` was written by an ordinary instruction */
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

/* An arrival that a thread has sent to another rank. */
typedef struct swp_run_sent {
    int thread;
    int step;
    int to;
    int meetings; /* of the cluster, that its thread had come to before */
} swp_run_sent;

typedef struct swp_run_sent_list {
    swp_run_sent *items;
    size_t count;
    size_t capacity;
} swp_run_sent_list;

typedef struct swp_run_roles {
    swp_context *ctx;
    const swp_run_program *program;
    const swp_schedule *schedule;
    uint64_t seed;
    uint64_t conditions; /* of which ops that need not run do; 0: all */
    swp_run_outcome *outcome;
    swp_run_thread *threads;
    int thread_count;
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
    swp_run_async *asyncs;
    int async_count;
    int *open; /* those that are not done, oldest first */
    int open_count;
    int **async_of; /* by instance, step and rank that it goes to; -1: not issued */
    swp_run_sent_list sent;
    swp_run_piece *pieces;        /* by place, rank, instance and part */
    swp_run_place_uses *uses;     /* by place */
    swp_timing_event_list events; /* all that happened */
    long clock;                   /* counts writes of shared places */
    bool
        as_meant; /* phases and meetings are those that the lists name, not what the hardware counts */
    bool is_astray; /* a rule about phases is broken: numbers mean nothing from here on */
} swp_run_roles;

/* A machine at its start. */
swp_status swp_run_roles_new(swp_context *ctx, const swp_run_program *program, uint64_t seed,
                             swp_run_outcome *outcome, swp_run_roles *out);

/* --- Instances and threads --- */

const swp_stream *swp_run_stream_of(const swp_run_roles *m, int instance);
int swp_run_rank_of(const swp_run_roles *m, int instance);
/* Of those of its role and rank. */
int swp_run_number_of(const swp_run_roles *m, int instance);
const swp_run_step_list *swp_run_steps_of(const swp_run_roles *m, int instance);
const swp_run_step *swp_run_async_step(const swp_run_roles *m, const swp_run_async *async);
/* The step that the thread is to issue, or has issued and waits at; NULL: it has ended. */
const swp_run_step *swp_run_step_at(const swp_run_roles *m, int thread);
/* How many of the instance's threads this one stands for. */
int swp_run_weight(const swp_run_roles *m, int thread);
/* Whether a thread executes an entry of its role's lists. */
bool swp_run_executes(const swp_run_roles *m, int thread, const swp_run_step *step);
/* Passes over what the thread does not execute. */
void swp_run_skip(const swp_run_roles *m, int thread);
/* Goes on to the next step that the thread executes. */
void swp_run_go_on(swp_run_roles *m, int thread);
bool swp_run_have_all_ended(const swp_run_roles *m);
/* All threads of the rank. */
bool swp_run_has_rank_ended(const swp_run_roles *m, int rank);
bool swp_run_is_multicast(const swp_run_roles *m, const swp_run_step *step);
/* Whether a step is done to the memory, or the mbarrier, of each rank; whether one of an instance is to that of a rank. */
bool swp_run_goes_to_all(const swp_run_roles *m, const swp_run_step *step);
bool swp_run_goes_to(const swp_run_roles *m, int instance, const swp_run_step *step, int rank);
/* What is in flight of a step of the instance to a rank; -1: it was not issued. */
int *swp_run_async_at(const swp_run_roles *m, int instance, int step, int to);
swp_instance swp_run_role_instance(const swp_run_roles *m, int thread, int step);
/* The loop's completion of an op; none for what is no op. */
swp_completion swp_run_completion_of(const swp_run_roles *m, const swp_run_step *step);
bool swp_run_is_async(const swp_run_roles *m, const swp_run_step *step);

/* --- mbarriers --- */

typedef struct swp_run_turn {
    int slot;
    int phase;
} swp_run_turn;
/* Both rounded down. */
swp_run_turn swp_run_turn_of(int turn, int slots);
swp_run_mbarrier *swp_run_mbarrier_of(const swp_run_roles *m, int rank, const swp_run_step *step);
/* What the lists say of the phase of a turn, and of that which a step names; NULL: it is below 0. */
swp_run_phase *swp_run_phase_at(const swp_run_roles *m, int rank, int object, int turn);
swp_run_phase *swp_run_phase_of(const swp_run_roles *m, int rank, const swp_run_step *step);
swp_status swp_run_arrive(swp_run_roles *m, int rank, const swp_run_step *step, int threads);
swp_status swp_run_bytes_land(swp_run_roles *m, int rank, const swp_run_step *step);
bool swp_run_phase_is_over(const swp_run_roles *m, int rank, const swp_run_step *wait);

/* --- Named barriers, the work group's, and the cluster's --- */

/* The meeting place of an operation of this instance; -1: it is none. */
int swp_run_place_of_meeting(const swp_run_roles *m, int instance, const swp_run_step *step);
void swp_run_meet(swp_run_roles *m, int thread, int place);

/* --- Groups --- */

/* An operation in flight that the wait, at which the thread stands, is for; -1: none. */
int swp_run_awaited_async(const swp_run_roles *m, int thread);
/* The oldest operation that must be retired before this one, or this one. */
int swp_run_first_to_retire(const swp_run_roles *m, int async);

/* --- Places and registers --- */

swp_run_piece *swp_run_piece_of(const swp_run_roles *m, int place, int rank, int instance,
                                int part);
/* What a read of a share finds: where the machine leaves a choice, what is not wanted. */
swp_status swp_run_read_share(swp_run_roles *m, int thread, int step, const swp_run_operand *wanted,
                              int share, uint64_t *number);
swp_status swp_run_read_register(swp_run_roles *m, int thread, int step,
                                 const swp_run_operand *wanted, uint64_t *number);
/* Whether a wgmma that the thread issued before this step makes the register, and is not over. */
bool swp_run_is_in_flight(const swp_run_roles *m, int thread, int step, int index);
/* An ordinary instruction of the thread writes its part of its share. */
void swp_run_write_part(swp_run_roles *m, int thread, const swp_run_operand *made,
                        swp_run_content content, bool by_one);
/* A copy has landed. */
void swp_run_land_copy(swp_run_roles *m, const swp_run_async *async, const swp_run_operand *made,
                       swp_run_content content);
/* A number that tells apart two that should be one. */
uint64_t swp_run_both(uint64_t a, uint64_t b);

/* --- Ops that need not run --- */

/* Whether the step is an op that an instance leaves out. */
bool swp_run_leaves_out(const swp_run_roles *m, int instance, const swp_run_step *step);
/* Of all instances, by row and op. */
swp_status swp_run_find_left_out(const swp_run_roles *m, const bool *const **out);
/* The registers that it would have updated stay as they are, and are those of its iteration. */
void swp_run_leave_out(swp_run_roles *m, int thread, const swp_run_step *step);

/* --- Ops --- */

swp_status swp_run_do_ordinary(swp_run_roles *m, int thread, const swp_run_step *step);
/* The thread issues its part of an asynchronous operation. */
swp_status swp_run_begin_async(swp_run_roles *m, int thread, const swp_run_step *step);
/* Its last read, and all that it makes. */
swp_status swp_run_end_async(swp_run_roles *m, const swp_run_async *async);
/* What a copy writes; it is known at its issue. */
swp_run_content swp_run_copied(const swp_run_roles *m, const swp_run_async *async,
                               const swp_run_operand *made);
/* Whether a wgmma's accumulator is there: such wgmmas of one register follow each other in order. */
bool swp_run_has_accumulator(const swp_run_step *step, int index);

/* --- What happens --- */

/* Whether the thread may issue its next step, or return from the one that it waits at. */
bool swp_run_may_move(const swp_run_roles *m, int thread);
swp_status swp_run_move(swp_run_roles *m, int thread);
bool swp_run_may_retire(const swp_run_roles *m, int async);
/* A bulk store retires twice: its reads, then its writes. */
swp_status swp_run_retire(swp_run_roles *m, int async);

/* --- What comes of it --- */

/* All of a run. `chosen` is the timing that an adversarial one came to. */
swp_status swp_run_roles_with(swp_run_roles *m, swp_timing timing, uint64_t seed,
                              swp_timing *chosen);
/* The rest of a run: threads in turn, every operation retired at once… */
swp_status swp_run_roles_rest(swp_run_roles *m);
/* …or none before a thread waits for it. */
swp_status swp_run_roles_rest_late(swp_run_roles *m);
/* A run in which one thread does each of its steps as late as it can. */
swp_status swp_run_roles_with_last(swp_run_roles *m, int thread);
/* Has a thread issue a step, or return from it, with no more than that needs; false: it never does. */
swp_status swp_run_roles_approach(swp_run_roles *m, int thread, int step, bool to_return,
                                  bool *reached);
/* Compares the results, looks for threads that wait, and names the symptom. */
swp_status swp_run_roles_judge(swp_run_roles *m);

#endif
