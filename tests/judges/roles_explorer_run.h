/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run of a schedule with warp roles for one number of iterations, as the explorer sees it: threads with
 * their steps, and the moments that belong to no thread (docs/roles-reference.md, "Before and after").
 */
#ifndef TEST_JUDGES_ROLES_EXPLORER_RUN_H
#define TEST_JUDGES_ROLES_EXPLORER_RUN_H

#include "roles_explorer_lists.h"
#include "swp/loop.h"
#include "swp/verify.h"

enum { RX_WARP = 32 }; /* threads */

typedef enum rx_kind {
    RX_ORDINARY,
    RX_COPY,
    RX_MATRIX,
    RX_STORE,
    RX_ARRIVE, /* `bytes` is 0, or what it expects */
    RX_WAIT_PHASE,
    RX_MEET, /* a part in a meeting */
    RX_MET,  /* the return from it */
    RX_MATRIX_COMMIT,
    RX_MATRIX_WAIT,
    RX_MATRIX_FENCE,
    RX_BULK_COMMIT,
    RX_BULK_WAIT,
    RX_BULK_WAIT_READ,
    RX_FENCE_ASYNC
} rx_kind;

/* That the hazard is there unless an event, or a step of a thread, comes before; -1 and -1: it is there. */
typedef struct rx_rule {
    swp_hazard_kind kind;
    int event;
    int thread;
    int step;
} rx_rule;

typedef struct rx_step {
    rx_kind kind;
    swp_phase phase;
    int pass; /* of the kernel; 0 */
    int entry;
    bool one; /* the elected thread alone executes it */
    int op;   /* of the loop; -1: none */
    int iteration;
    int cell;   /* mbarrier or barrier of one slot; -1: none */
    int number; /* of the phase, or of the meeting */
    int bytes;
    int wait;
    int retired;      /* event of an asynchronous op (of a bulk store: its reads are retired); -1 */
    int written;      /* event of a bulk store; -1 */
    rx_numbers needs; /* events before its return */
    rx_rule *rules;   /* what has to come before its issue */
    int rule_count;
    int rule_capacity;
    /* What executions showed. */
    bool reached;
    bool passed_over; /* a wait: the phase after its own was complete before it returned */
} rx_step;

typedef struct rx_instance {
    int stream;
    int number; /* in its stream */
    int threads;
    int first_thread;
    rx_step *steps;
    int count;
    int capacity;
} rx_instance;

/* The first is the elected one; the last stands for all that are left. */
typedef struct rx_thread {
    const rx_instance *instance;
    int number; /* in its instance */
    int weight; /* threads that it stands for */
} rx_thread;

/* An mbarrier's or named barrier's slot, or the work group's barrier. */
typedef struct rx_cell {
    const swp_role_object *object; /* NULL: the work group's barrier */
    int first_event;
    int first_number; /* of a phase or meeting that has an event: -1 of mbarriers, which is complete at the start */
    int count;
    int threads; /* of the participants of a barrier */
} rx_cell;

/* A phase's completion, a meeting's opening, an asynchronous operation's retirement. */
typedef struct rx_event {
    rx_moments issues;  /* before it */
    rx_numbers needs;   /* events before it */
    bool never;         /* something before it is in no list */
    rx_moments returns; /* of the waits that name the phase, or retire the operation */
    int arrivals;       /* of a phase: threads */
    int expected;       /* bytes */
    int brought;
    const rx_step *first; /* operation of a phase, by role, list, pass, entry… */
    int first_stream;     /* …and its role */
} rx_event;

typedef struct rx_run {
    const swp_schedule *schedule;
    swp_schedule form; /* that runs so many iterations */
    const swp_loop *loop;
    int n;
    rx_instance *instances;
    int instance_count;
    rx_thread *threads;
    int thread_count;
    rx_cell *cells;
    int cell_count;
    rx_event *events;
    int event_count;
    int *stream_of_op; /* in whose lists it stands; -1: none */
} rx_run;

/* @param others  threads of an instance beside the elected one. @return false if no form runs n iterations */
bool rx_run_fill(rx_run *run, const swp_schedule *schedule, int n, int others);
void rx_run_free(rx_run *run);

/* Fills in events, and what each step that waits needs. */
void rx_link_events(rx_run *run);

/* -1: there is none. */
int rx_event_of(const rx_run *run, int cell, int number);

static inline bool rx_executes(const rx_thread *thread, const rx_step *step)
{
    return !step->one || thread->number == 0;
}

static inline bool rx_is_mbarrier(const rx_cell *cell)
{
    return cell->object && cell->object->kind == SWP_OBJECT_MBARRIER;
}

#endif
