/* SPDX-License-Identifier: Apache-2.0 */
/* Sync objects as the hardware has them, and what is meant by them. */
#ifndef SWP_RUN_OBJECTS_H
#define SWP_RUN_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The slot of a turn, and its phase of that. */
typedef struct swp_run_turn {
    int slot;
    int phase;
} swp_run_turn;
/* Both rounded down. */
swp_run_turn swp_run_turn_of(int turn, int slots);

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

#endif
