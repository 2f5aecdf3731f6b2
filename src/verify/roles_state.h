/* SPDX-License-Identifier: Apache-2.0 */
/* What of a run may still be asked for after a cut: the parts of roles_state.c that roles_window.c finds. */
#ifndef SWP_VERIFY_ROLES_STATE_H
#define SWP_VERIFY_ROLES_STATE_H

#include "verify/roles_scan.h"

/* Moments of a thread of one kind, in order, each once. */
typedef struct swp_role_moments {
    int *items;
    size_t count;
    size_t capacity;
} swp_role_moments;

/* A wgmma, store or access that is retired by nothing in all threads so far. */
typedef struct swp_role_flight {
    int step;
    int commits; /* behind it, or accesses, as far as anything can tell them apart */
} swp_role_flight;

typedef struct swp_role_flights {
    swp_role_flight *items; /* from the newest on */
    size_t count;
    size_t capacity;
    int *of; /* of each step: which one tells for it; -1: it is not in flight */
} swp_role_flights;

typedef struct swp_role_state_writer {
    swp_role_judge *judge;
    const swp_happens_run *run;
    swp_role_state *out;
    int tiles;              /* of output, that are done */
    int passes;             /* of the one that has begun, or of a run without any; -1: none has */
    swp_role_state *clocks; /* what clocks say, if it is not to stand among all else */
    swp_happens_run
        *lowered; /* the run, if its clocks are to say no more than `least`, clock by clock */
    const int *least;
    const swp_role_lists_reach *lists;
    int64_t now[2];            /* base of the cut, by clock */
    int64_t *object_low;       /* least turn that whatever comes names, of each object */
    int64_t *wait_low;         /* of those that waits name */
    int64_t *value_low;        /* least version, of each value */
    int64_t low_tile;          /* least tile */
    int *earliest;             /* of each instance: where the thread furthest behind stands… */
    int *latest;               /* …and behind what the one furthest ahead has issued */
    swp_role_flights *flights; /* of each instance */
    bool *phases;              /* that may be asked for */
    int *fewest; /* of each barrier: parts of who has issued the fewest of its participants */
    swp_role_moments *known; /* by their place in a clock */
    swp_role_moments places; /* where there are some */
    swp_role_scanner registers;
    struct {
        swp_role_seen *items;
        size_t count;
        size_t capacity;
    } seen; /* writes and reads in sight, where anything asks for them */
} swp_role_state_writer;

/* Fills in what follows these: from where on anything may be asked for, and what. */
swp_status swp_verify_role_window(swp_role_state_writer *w);
/* The first part of it: how far back that is, and where threads stand. */
swp_status swp_verify_role_reach(swp_role_state_writer *w);

/* Writes a number of up to 62 bits. No other sequence of numbers is written alike. */
swp_status swp_verify_role_put(swp_role_state_writer *w, int64_t number);
/* Writes how many of the moments that may still be asked for a clock knows; a thread knows of itself all that it has done. */
swp_status swp_verify_role_put_clock(swp_role_state_writer *w, int *clock, int own);
/* A clock that may be lowered, where others have the one that it is like. */
swp_status swp_verify_role_copy_clock(swp_role_state_writer *w, const int *clock, int **out);
/* Writes phases of mbarriers, and barriers. */
swp_status swp_verify_role_put_objects(swp_role_state_writer *w);
/* Writes for which iterations that something to come may name each op is done. */
swp_status swp_verify_role_put_work(swp_role_state_writer *w);
/* Writes an access that is in the queue of each thread of its instance. */
swp_status swp_verify_role_put_access(swp_role_state_writer *w, int instance,
                                      const swp_role_flight *flight);
/* Finds, and writes, the writes and reads in sight of a loop without warp roles. */
swp_status swp_verify_role_find_seen(swp_role_state_writer *w);
swp_status swp_verify_role_put_seen(swp_role_state_writer *w);
/* Writes when a step is over in each thread that tells, of the moments that are known. */
swp_status swp_verify_role_put_end(swp_role_state_writer *w, int value, int instance, int step);
/* Writes which tile of a value a place holds. */
swp_status swp_verify_role_put_content(swp_role_state_writer *w, int value, int64_t tile);
/* Writes whether a moment is past and, unless one thread alone asks for it, its place among the known ones of its kind. */
swp_status swp_verify_role_put_moment(swp_role_state_writer *w, int kind, int thread, bool is_past,
                                      int moment);
/* Writes the returns of a wait for a phase, or of a part in a meeting. */
swp_status swp_verify_role_put_returns(swp_role_state_writer *w, int kind, int instance, int step);
/* Writes accesses of shared memory and parts in meetings, kind by kind. */
swp_status swp_verify_role_put_steps(swp_role_state_writer *w, int instance);
/* Writes what the registers of a thread are. */
swp_status swp_verify_role_put_registers(swp_role_state_writer *w, int instance, int which);

swp_role_clock swp_verify_role_clock(const swp_role_state_writer *w, const swp_happens_step *step);
swp_role_clock swp_verify_role_object_clock(const swp_role_state_writer *w, int object);
swp_role_clock swp_verify_role_value_clock(const swp_role_state_writer *w, int value);

/* Whether anything to come may ask for the return of a wait, a part in a meeting, an access of shared memory. */
bool swp_verify_role_wait_matters(const swp_role_state_writer *w, int instance, int step);
bool swp_verify_role_part_matters(const swp_role_state_writer *w, const swp_happens_step *step);
bool swp_verify_role_operand_matters(const swp_role_state_writer *w, int instance, int step,
                                     const swp_role_operand *operand);

bool swp_verify_role_operands_matter(const swp_role_state_writer *w, int instance, int step);
/* Whether anything to come may ask for an access in a queue: by its share of memory, or by a register that it holds. */
bool swp_verify_role_access_matters(const swp_role_state_writer *w, int instance, int step);
/* Accesses behind it in its queue, as far as anything can tell them apart. */
int swp_verify_role_accesses_behind(const swp_role_state_writer *w, int instance, int step);

/* Whether one thread alone asks for moments of a kind. As it has them all in its own list, there is nothing to know. */
bool swp_verify_role_is_alone(const swp_role_state_writer *w, int kind);

/* The kind of a part in a meeting. */
int swp_verify_role_kind_of_part(const swp_role_state_writer *w, const swp_happens_step *step);

/* Whether anybody may still learn what a phase knows: a wait for it, or the next one of its slot. */
bool swp_verify_role_clock_matters(const swp_role_state_writer *w, int phase);

/* Finds what is in flight in each instance. */
swp_status swp_verify_role_find_flights(swp_role_state_writer *w);
/* The number, in its instance, of what is in flight and tells for a step; -1: nothing does. */
int swp_verify_role_in_flight(const swp_role_state_writer *w, int instance, int step);

/* The first proxy fence of a thread behind an access that its queue counts, where a wgmma may come behind it; -1: none. */
int swp_verify_role_fence_of_access(const swp_happens_run *run, int instance, int which, int step);

#endif
