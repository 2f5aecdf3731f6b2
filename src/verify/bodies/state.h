/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one pass hands to the next: for each place the writes that a read may still see and the last
 * observed read, for each register the fragment load in it, and how far each of these operations has
 * retired (docs/verification.md).
 */
#ifndef SWP_BODIES_STATE_H
#define SWP_BODIES_STATE_H

#include "verify/bodies/model.h"

/* An executed entry. Pass -1 is the prologue, the epilogue has the number of kernel passes. */
typedef struct swp_bodies_event {
    swp_entry_ref ref;
    int pass;
} swp_bodies_event;

/* How far an asynchronous operation has come, in every wave of a group alike: all run one list. */
typedef struct swp_bodies_flight {
    swp_sync_object object;
    int after;       /* accesses issued on its object since its own last one */
    bool retired[2]; /* in each group: they part at a fenced barrier that group 1 runs alone */
    int since[2];    /* barriers that the group has passed since; 2 is as good as more */
} swp_bodies_flight;

typedef struct swp_write {
    swp_bodies_event event;
    int tile;
    swp_bodies_flight flight;
    int overlapped; /* writes just before it that were in flight when it issued */
} swp_write;

typedef struct swp_writes {
    swp_write *items;
    size_t count;
    size_t capacity;
} swp_writes;

/* A write as a read finds it. */
typedef struct swp_seen_write {
    swp_bodies_event event;
    int tile;
    bool ordered; /* the read is after it */
    int overlapped;
} swp_seen_write;

typedef struct swp_seen_writes {
    swp_seen_write *items;
    size_t count;
    size_t capacity;
} swp_seen_writes;

typedef struct swp_read {
    bool used; /* the slot is taken */
    swp_bodies_event event;
    int place;
    swp_bodies_flight flight;
    swp_seen_writes writes; /* that it may see, of those before it */
    bool forgot;            /* not all of them are there */
    /* Of the writes after it that it may see: the first, and the first of another tile. */
    swp_seen_write threats[2];
    int threat_count;
    int held;     /* tile of the last COMPUTE that used it; SWP_NO_TILE: none did */
    bool decided; /* a COMPUTE has said which tile it must deliver... */
    int tile;     /* ...this one */
    bool settled; /* a hazard was reported: it counts as having delivered it */
    bool skipped; /* it has been moved on over passes that are left out */
} swp_read;

/* A write that a hazard was of counts as done. */
typedef struct swp_told_write {
    swp_bodies_event event;
    int tile;
} swp_told_write;

typedef struct swp_told_writes {
    swp_told_write *items;
    size_t count;
    size_t capacity;
} swp_told_writes;

typedef struct swp_place_state {
    swp_writes writes; /* that a read may still see, oldest first */
    bool forgot;       /* the oldest are not there */
    int observed_read; /* slot of the last one issued that is not settled; -1: none */
    swp_told_writes told;
} swp_place_state;

/* A register holds what a read delivers; the staging register, what the last load does. */
typedef struct swp_register_state {
    int read; /* slot; -1: it is empty, or the staging register */
    int held; /* while nothing was loaded: tile that the last COMPUTE wanted */
    swp_bodies_event event;
    swp_bodies_flight flight;
} swp_register_state;

typedef struct swp_state {
    swp_context *ctx; /* of the lists */
    const swp_model *model;
    swp_place_state *places;
    swp_register_state *registers;
    swp_read *reads;
    int read_count;
    int in_flight[SWP_SYNC_OBJECTS]; /* accesses */
    int lag;                         /* barriers that group 1 is ahead in count */
    bool stuck;                      /* some wave waits for ever: the run is judged no further */
} swp_state;

swp_status swp_bodies_state_new(swp_context *ctx, const swp_model *model, swp_state *out);

/* Both must come from the same model. */
swp_status swp_bodies_state_copy(swp_state *to, const swp_state *from);

enum { SWP_FOR_EVER = 1 << 30, SWP_DIFFERENT = -1 };

/*
 * Compares the state after `passes_before` passes with the one `passes` later. SWP_DIFFERENT: they may
 * behave differently; SWP_FOR_EVER: alike, whatever comes. Else they differ in accesses counted alone,
 * and nothing comes of that while the passes between them are repeated so often, maybe not once: `later`
 * then becomes the state after these repeats.
 * @param ahead  kernel passes of a tail
 */
int swp_bodies_state_repeats(const swp_state *earlier, swp_state *later, int passes_before,
                             int passes, int ahead);

/* A free slot for a read. There is always one. */
int swp_bodies_state_take_read(swp_state *state);

/* After `passes` passes: drops what none to come depends on, and of a place's writes all but so many. */
void swp_bodies_state_end_pass(swp_state *state, int passes, size_t most_writes);

/* Whether the first stands later in the run. */
bool swp_bodies_event_after(const swp_bodies_event *a, const swp_bodies_event *b);

#endif
