/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one pass hands to the next: for each place the writes that a read may still see and the last
 * observed read, for each register the fragment load in it, and how far each of these operations has
 * retired (docs/verification.md).
 */
#ifndef SWP_VERIFY_STATE_H
#define SWP_VERIFY_STATE_H

#include "verify/model.h"

enum {
    SWP_NO_TILE = -1000000, /* what a place holds before its first write */
    SWP_MOST_WRITES = 6,    /* of a place that a read may still see; older ones are all alike */
    SWP_MOST_THREATS = 4    /* later writes that a read may see if it turns out to be observed */
};

/* An executed entry. Pass -1 is the prologue, the epilogue has the number of kernel passes. */
typedef struct swp_event {
    swp_entry_ref ref;
    int pass;
} swp_event;

/* How far an asynchronous operation has come, in every wave of a group alike: all run one list. */
typedef struct swp_flight {
    swp_counter_id counter;
    int after;       /* accesses issued on its counter since its own last one */
    bool retired[2]; /* in each group: they part at a fenced barrier that group 1 runs alone */
    int since[2];    /* barriers that the group has passed since; 2 is as good as more */
} swp_flight;

typedef struct swp_write {
    swp_event event;
    int tile;
    swp_flight flight;
    bool overlaps; /* the write before it was in flight when this one issued */
    bool forgiven; /* a hazard was reported: it counts as ordered */
} swp_write;

/* A write as a read finds it. */
typedef struct swp_seen_write {
    swp_event event;
    int tile;
    bool ordered;
    bool overlaps;
} swp_seen_write;

typedef struct swp_read {
    bool used; /* the slot is taken */
    swp_event event;
    int place;
    swp_flight flight;
    swp_seen_write writes[SWP_MOST_WRITES];
    int write_count;
    bool observed;
    bool settled; /* a hazard was reported: its register counts as right */
    bool stale;   /* and that hazard was of the read itself */
    bool ready;   /* a register_not_ready was reported: it counts as loaded */
    int tile;     /* that it must deliver, once observed */
    int held;     /* that its register counts as holding since then */
    swp_seen_write threats[SWP_MOST_THREATS];
    int threat_count;
} swp_read;

typedef struct swp_place_state {
    swp_write writes[SWP_MOST_WRITES]; /* oldest first */
    int write_count;
    int observed_read; /* slot of the last one; -1: none */
    int forgiven;      /* tile that it counts as holding since a hazard; SWP_NO_TILE: none */
} swp_place_state;

/* The staging register holds a tile, any other the slot of a read. */
typedef struct swp_register_state {
    int read; /* slot; -1: empty */
    int tile;
    bool settled; /* a hazard was reported: it counts as loaded, and right */
    swp_event event;
    swp_flight flight;
} swp_register_state;

typedef struct swp_state {
    const swp_model *model;
    swp_place_state *places;
    swp_register_state *registers;
    swp_read *reads;
    int read_count;
    int in_flight[SWP_COUNTERS]; /* accesses */
    int next_tile;               /* for loads that take the next one */
    int lag;                     /* barriers that group 1 is ahead in count */
} swp_state;

swp_status swp_state_new(swp_context *ctx, const swp_model *model, swp_state *out);

/* Both must come from the same model. */
void swp_state_copy(swp_state *to, const swp_state *from);

/*
 * Whether two states behave alike: one after `passes_before` passes, the other `passes` later.
 */
bool swp_state_same(const swp_state *earlier, const swp_state *later, int passes_before,
                    int passes);

swp_flight swp_flight_new(swp_counter_id counter);

/* An operation that never was in flight. */
swp_flight swp_flight_done(void);

bool swp_flight_retired(const swp_state *state, const swp_flight *flight);

/*
 * Whether the operation is before whatever any wave issues now, in the same wave and in every other.
 * `both_lds` says that it and what comes now are LDS operations, which one wave does in order.
 */
bool swp_flight_before_now(const swp_state *state, const swp_flight *flight, bool both_lds);

/* A wave issues `accesses` on a counter; what that pushes out of a full counter is retired. */
void swp_state_issue(swp_state *state, swp_counter_id counter, int accesses);

/* Retires what has at least `outstanding` accesses after it on the counter. */
void swp_state_wait(swp_state *state, swp_counter_id counter, int outstanding);

/* Retires an operation and everything older on its counter. */
void swp_state_retire_through(swp_state *state, swp_flight *flight);

/* Every wave meets a barrier; `fenced` waits for LDS operations first. */
void swp_state_barrier(swp_state *state);

/* Group 1 alone passes a barrier. */
void swp_state_lag(swp_state *state);

/* A free slot for a read. There is always one. */
int swp_state_take_read(swp_state *state);

/* Frees the slots that nothing refers to. */
void swp_state_drop_reads(swp_state *state);

/* Appends a write, dropping those that no later read can see. */
void swp_place_push(const swp_state *state, swp_place_state *place, swp_write write);

#endif
