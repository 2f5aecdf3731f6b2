/* SPDX-License-Identifier: Apache-2.0 */
/* The places of a loop without warp roles as its ops come to them: the writes in sight, and the last reads. */
#ifndef SWP_VERIFY_ROLES_SIGHT_H
#define SWP_VERIFY_ROLES_SIGHT_H

#include "verify/roles_pairs.h"

/* Event -1 is before the run. */
typedef struct swp_role_written {
    int event;
    int64_t tile;
    int overlapped; /* writes right before it that it may come before */
    bool told;
} swp_role_written;

/* A read that has found its tile. */
typedef struct swp_role_observed {
    int event;
    int64_t tile;
} swp_role_observed;

typedef struct swp_role_watched {
    int value;
    int64_t slot;
    struct {
        swp_role_written *items;
        size_t count;
        size_t capacity;
    } writes;
    struct {
        swp_role_observed
            *items; /* of each op the last one, and those that it may not be over with */
        size_t count;
        size_t capacity;
    } reads;
    swp_happens_numbers early; /* events that write what was read before, which was told */
    struct {
        swp_role_observed *items; /* of a cut: reads of tiles that what follows may still write */
        size_t count;
        size_t capacity;
    } pending;
} swp_role_watched;

/* All instances have the same ops in the same order. */
typedef struct swp_role_sight {
    swp_role_judge *judge;
    swp_role_question question;
    swp_role_watched *places;
    int **steps; /* of each instance: the step of each event */
    int events;
    bool is_cut; /* more events follow */
} swp_role_sight;

/* Comes to one op after the other, and tells what goes wrong. */
swp_status swp_verify_role_watch(swp_role_sight *s);

/* What a thread of an instance does in an event. */
swp_role_access swp_verify_role_event_access(const swp_role_sight *s, int event, int instance,
                                             int which);
/* Threads of an instance that tell for all. */
int swp_verify_role_event_threads(const swp_role_sight *s);

#endif
