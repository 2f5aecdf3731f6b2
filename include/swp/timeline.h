/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file timeline.h  One run of a schedule in the cycle model, moment by moment: what pictures are drawn from
 * (docs/pictures.md).
 */
#ifndef SWP_TIMELINE_H
#define SWP_TIMELINE_H

#include "swp/simulate.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An entry as a group of the simulation runs it. Cycles count from where the run begins. */
typedef struct swp_timeline_event {
    swp_entry_ref at; /**< entry -1: a barrier that is no entry of the schedule */
    int pass;         /**< of the kernel, from 0; -1: before it; swp_timeline.passes: behind it */
    int group;        /**< number in swp_timeline.groups */
    bool has_tile;
    int tile; /**< K tile, or iteration of a loop, that it handles; none in lists of an output tile */
    int64_t ready;    /**< when the group comes to it… */
    int64_t issued;   /**< …when it issues, after all that holds it… */
    int64_t left;     /**< …and when the group goes on to the next */
    int64_t granted;  /**< when it begins on its units; `issued` for what waits for none of them */
    int64_t finished; /**< when what it makes is there */
    bool is_stuck;    /**< it never issues: the times above are where the run is cut off */
    bool is_critical; /**< on the chain that the steady state's cycles come from */
} swp_timeline_event;

/** What holds an entry, from some cycle to another. */
typedef struct swp_timeline_stall {
    int event;
    swp_stall_cause cause;
    int64_t from;
    int64_t until;
    int other;          /**< event that it waits for; -1: none, as with a crossing */
    const char *object; /**< of warp roles, that the entry works on; NULL: none */
    bool is_critical;
} swp_timeline_stall;

/** A unit that an entry keeps. */
typedef struct swp_timeline_use {
    int event;
    int unit; /**< number in swp_timeline.units */
    int64_t amount;
    int64_t from;  /**< its grant */
    int64_t until; /**< `from`, where the model does not say how long */
    int behind;    /**< event that kept it waiting for its grant; -1: none */
} swp_timeline_use;

/** A value that one entry makes and another reads. */
typedef struct swp_timeline_flow {
    int maker;
    int reader;
    int slot; /**< number in swp_timeline.slots */
} swp_timeline_flow;

/** A slot of a buffer in shared memory, or a register that a schedule names. */
typedef struct swp_timeline_slot {
    const char *value; /**< a loop's, or the channel's letter, or `staging` */
    int number;        /**< of the slot */
    int subtile;       /**< -1: a slot of a loop's value, which has none */
    bool is_shared;
    int group; /**< whose register it is; -1: shared */
} swp_timeline_slot;

/** What a slot holds: from when its first byte is on its way until it has been read last. */
typedef struct swp_timeline_life {
    int slot;
    int tile;
    int64_t from;
    int64_t made;  /**< when all of it is there */
    int64_t until; /**< when its last reader is through */
    int maker;     /**< the last event that makes it… */
    int reader;    /**< …and the last that reads it; -1: none */
} swp_timeline_life;

/* Growable lists; read `items` and `count`. */
typedef struct swp_timeline_events {
    swp_timeline_event *items;
    size_t count;
    size_t capacity;
} swp_timeline_events;

typedef struct swp_timeline_stalls {
    swp_timeline_stall *items;
    size_t count;
    size_t capacity;
} swp_timeline_stalls;

typedef struct swp_timeline_uses {
    swp_timeline_use *items;
    size_t count;
    size_t capacity;
} swp_timeline_uses;

typedef struct swp_timeline_flows {
    swp_timeline_flow *items;
    size_t count;
    size_t capacity;
} swp_timeline_flows;

typedef struct swp_timeline_slots {
    swp_timeline_slot *items;
    size_t count;
    size_t capacity;
} swp_timeline_slots;

typedef struct swp_timeline_lives {
    swp_timeline_life *items;
    size_t count;
    size_t capacity;
} swp_timeline_lives;

/** A run of the prologue, some passes of the kernel and the epilogue. */
typedef struct swp_timeline {
    const swp_schedule *schedule;
    int passes;  /**< of the kernel in this run */
    int64_t end; /**< when everything has finished */
    bool is_cut; /**< it ends where groups wait for one another for ever, or is too long to keep */
    bool is_steady;               /**< the steady state has been reached, as the next four say */
    int steady_passes;            /**< they repeat… */
    int64_t steady_from;          /**< …first from here… */
    int64_t steady_until;         /**< …to here, by the first group that has kernel entries */
    int full_unit;                /**< a unit that is never idle in it; -1: none */
    const swp_group_load *groups; /**< `role` and `instance` */
    size_t group_count;
    const swp_unit_load *units; /**< busy in the steady state */
    size_t unit_count;
    swp_timeline_events events; /**< in the order in which the groups get to them */
    swp_timeline_stalls stalls;
    swp_timeline_uses uses;
    swp_timeline_flows flows;
    swp_timeline_slots slots;
    swp_timeline_lives lives;
} swp_timeline;

/** What to record. Zero-initialised is what pictures show. */
typedef struct swp_timeline_options {
    swp_simulate_options machine;
    int tiles; /**< N of the run; 0: up to the steady state, and three passes of it at least */
} swp_timeline_options;

/**
 * Records one run, with the prologue, kernel and epilogue that whole passes run. Where no steady state exists it
 * shows how the run begins, up to where nobody can go on.
 * @param options  NULL: the defaults
 * @return SWP_INVALID for a schedule that has no meaning, and for an N that is not min_tiles and whole passes
 */
SWP_API swp_status swp_timeline_record(swp_context *ctx, const swp_schedule *schedule,
                                       const swp_timeline_options *options, swp_timeline *out);

#ifdef __cplusplus
}
#endif
#endif
