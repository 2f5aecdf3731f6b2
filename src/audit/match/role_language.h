/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that a thread of a schedule with warp roles may do, as a nondeterministic finite automaton over the events of its machine
 * code (K. Thompson, "Regular expression search algorithm", CACM 11(6), 1968): the mbarriers are initialised, all threads
 * meet, then come the lists of one instance, for any number of passes and output tiles.
 */
#ifndef SWP_AUDIT_MATCH_ROLE_LANGUAGE_H
#define SWP_AUDIT_MATCH_ROLE_LANGUAGE_H

#include "audit/sass/events.h"
#include "swp/compile.h"

enum { SWP_NO_NODE = -1 };

/* A node without an event (NONE) goes on to both. */
typedef struct swp_role_node {
    swp_sass_event event;
    bool is_of_one_thread; /* others of its instance pass it by */
    bool accepts;          /* the thread may end here */
    int next;
    int other;
    /* What it is in the schedule; op NULL: nothing of a list. */
    const swp_op *op;
    int stream;
    int form;
    swp_phase phase;
    int entry;
} swp_role_node;

typedef struct swp_role_language {
    const swp_schedule *schedule;
    swp_role_node *items;
    size_t count;
    size_t capacity;
    int start;
} swp_role_language;

/* Whether an op is of such events: as many as the kernel makes it of. */
bool swp_match_is_work(swp_sass_event_kind kind);

/* `sizes` says by tag of how many events an op is; 0: of one or more. */
swp_status swp_match_role_language(swp_context *ctx, const swp_schedule *schedule, const int *sizes,
                                   swp_role_language *out);

#endif
