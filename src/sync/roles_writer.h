/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list of a role while it is written (roles_lists.c): its ops step by step (roles_writer.c), and how many groups may
 * be left in flight (roles_in_flight.c), which follows from those that the list has ended by then.
 */
#ifndef SWP_SYNC_ROLES_WRITER_H
#define SWP_SYNC_ROLES_WRITER_H

#include "ir/sync_objects.h"
#include "swp/phase.h"
#include "sync/roles.h"

/* The groups of matrix ops, or of bulk stores. They are retired in order. */
typedef struct swp_role_group_queue {
    int ended;   /* groups so far; the next one has this number */
    int retired; /* the first so many */
    bool *real;  /* of each group: it has an op */
    int *point;  /* of each group: where it ended */
    int *number; /* of the group of each op in each step */
} swp_role_group_queue;

typedef struct swp_role_writer {
    swp_roles *r;
    const swp_role_plan *plan;
    swp_entry_builder builder;
    swp_entry_list before_passes; /* of a tile's list, what stands in front of its passes */
    swp_role_group_queue queues[SWP_MOST_SYNC_ROWS]; /* by the object that tracks them */
    int begin;                                       /* the first step that is followed */
    bool is_silent;                                  /* the steps before the list's own */
    bool from_start;                                 /* the run begins with this list */
    bool is_prologue;
    int fill_from; /* from this point on what is missing counts as an empty group, as the kernel counts groups */
    int n; /* iterations from the list's base; -1: not known, more than there are in the list */
    int ends_from;  /* the step from which on no other list follows */
    bool is_fenced; /* what ordinary instructions of the list did so far, for asynchronous ones */
    bool has_fence; /* of registers */
    swp_role_registers registers;
} swp_role_writer;

/* --- What a list has to do with (roles_writer.c) --- */

/* Whether the run that the list is of has the version, where the first is `least` and the last N - 1 - ahead. */
bool swp_sync_roles_is_in_run(const swp_role_writer *w, int version, int least, int ahead);
/* Nobody waits for a slot that no version takes again, so no arrival of its phase is needed. */
bool swp_sync_roles_is_needed(const swp_role_writer *w, int given_back, int version);
/* The version that has something at this point; false: none. */
bool swp_sync_roles_version_at(const swp_role_writer *w, int point, int of_first, int *version);

/* --- Writing (roles_writer.c) --- */

/* Begins a list whose steps are followed from `first`. */
swp_status swp_sync_roles_begin(swp_role_writer *w, swp_phase phase, int first, int end);
swp_status swp_sync_roles_do_steps(swp_role_writer *w, int begin, int end);
/* Whether a wgmma counts on a fence before the passes: they have none before registers that only wgmmas access. */
bool swp_sync_roles_needs_first_fence(const swp_role_writer *w);
swp_op swp_sync_roles_sync_op(int tag, swp_threads by);
swp_status swp_sync_roles_emit(swp_role_writer *w, swp_op op);

/* --- Groups in flight (roles_in_flight.c) --- */

swp_status swp_sync_roles_new_queues(swp_role_writer *w, size_t ops);
/* What tracks the op at a position in groups; SWP_NO_OBJECT: nothing does. */
swp_sync_object swp_sync_roles_grouped_by(const swp_role_writer *w, int position);
/* Retires what the point asks for. */
swp_status swp_sync_roles_meet_needs(swp_role_writer *w, int point);
/* Puts the op of a step into its group, and ends that where it ends. */
swp_status swp_sync_roles_number_group(swp_role_writer *w, int step, int position);
/* What is in flight at the end is retired. */
swp_status swp_sync_roles_drain(swp_role_writer *w);
/* The point where the first group ended that is in flight; INT_MAX: there is none. */
int swp_sync_roles_first_in_flight(const swp_role_writer *w);

#endif
