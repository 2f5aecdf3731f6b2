/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the entries of a schedule do, said once: the places that each reads, writes or updates, with the tile
 * of each; the object that tracks it, or those that it waits for; its latency and its units. The kinds of a
 * body's ops and the ops of a loop are both lowered to this (docs/verification.md, "What an op does";
 * docs/loops-proof.md, "What an entry does"), and nobody past that asks which they were. The executor (src/run/)
 * decodes entries by itself.
 */
#ifndef SWP_IR_EFFECTS_H
#define SWP_IR_EFFECTS_H

#include "base/context.h"
#include "base/key_index.h"
#include "ir/sync_objects.h"
#include "swp/compile.h"

typedef enum swp_effect_kind {
    SWP_EFFECT_NONE, /* a hint */
    SWP_EFFECT_WORK,
    SWP_EFFECT_BARRIER,
    SWP_EFFECT_WAIT
} swp_effect_kind;

enum { SWP_NO_TILE = -(1 << 30) }; /* what a place holds before its first write */

/* The tile of each pass; for an entry of the epilogue, of each number of passes before it. */
typedef struct swp_tiles {
    int first;
    int step; /* from one pass to the next */
} swp_tiles;

/* What is read or written: a tile in a shared place, or in a register. */
typedef struct swp_access {
    bool is_shared;
    int where; /* number of the place or register */
    swp_tiles tiles;
    bool updates;  /* it is read and written in the course of an update */
    int64_t early; /* cycles by which it can be read before its maker's latency has passed */
    bool carries; /* whatever tile is there; who reads the register later says which it has to be */
} swp_access;

typedef struct swp_accesses {
    swp_access *items;
    size_t count;
    size_t capacity;
} swp_accesses;

/* How much of a unit an entry keeps, and for how many cycles from its issue. */
typedef struct swp_effect_use {
    int unit; /* index of swp_effects.units */
    int64_t amount;
    int64_t cycles; /* 0 of an access of a body: the machine's occupancy says */
} swp_effect_use;

typedef struct swp_effect {
    swp_effect_kind kind;
    const char *undefined; /* why the entry means nothing; NULL: it does */
    bool unstated;         /* nobody says what an op of its kind reads and writes */
    int op;                /* of a loop; -1: none */
    int accumulator;       /* that a COMPUTE adds a tile to; -1: none */
    swp_tiles tiles;       /* that it handles; of a loop's op the iterations */
    swp_accesses reads;
    swp_accesses writes;
    swp_sync_object object; /* that tracks it */
    int accesses;           /* tracked */
    bool assumed;           /* these are one, as nobody stated their number */
    swp_wait_kind waits;    /* of a wait: for each object of this kind */
    int wait;               /* accesses of each that may stay in flight */
    int64_t latency;        /* cycles from its issue until what it writes is there */
    int64_t read_cycles;    /* from its issue, for which what is not tracked reads */
    int64_t issue;          /* for which nothing else issues; 0: as the machine has it */
    const swp_effect_use *uses;
    size_t use_count;
    bool fetches;         /* from global memory a tile that must be one of the run's */
    bool takes_next_tile; /* its tile is the next one that a load took, whatever the pass */
    bool surplus;         /* a COMPUTE when all tiles of its pass are added */
    bool is_awaited;      /* who reads its register waits for it, where registers are not raw */
    bool reads_in_flight; /* its registers too, until it is retired */
    bool in_order;        /* it accumulates in order with others like it */
    bool may_not_run;     /* then it waits for nothing, and what it updates stays as it is */
} swp_effect;

/* A place in LDS, a register, or an accumulator. */
typedef struct swp_effect_place {
    int channel;  /* of a loop's op: the value; -1: the staging register */
    int stage;    /* of a loop's op: the slot; of an accumulator: the row */
    int subtile;  /* of an accumulator: the column */
    int makers;   /* of a loop's op: tiles of a version */
    int initial;  /* tile that it holds before the first entry */
    int per_pass; /* tiles by which its entries move on in a pass */
    int least;    /* the first that the entries of pass 0 or later ask for */
} swp_effect_place;

typedef struct swp_effect_places {
    swp_effect_place *items;
    size_t count;
    size_t capacity;
    swp_key_index index; /* of channel, stage and subtile */
} swp_effect_places;

/* What keeps a unit busy is a resource of the body, or a unit of the loop. */
typedef struct swp_effect_unit {
    const char *name;
    swp_resource resource; /* SWP_RESOURCE_NONE: a unit of the loop */
    int64_t capacity;
} swp_effect_unit;

typedef struct swp_effects {
    const swp_schedule *schedule;
    swp_effect *entries[SWP_DRAIN + 1]; /* by phase */
    int lengths[SWP_DRAIN + 1];
    swp_effect_places places; /* shared by all waves */
    swp_effect_places registers;
    swp_effect_places accumulators;
    int place_count;
    int register_count;
    int accumulator_count;
    swp_effect_unit *units;
    size_t unit_count;
    size_t
        op_count; /* of the loop, each of which is done once an iteration; 0: accumulators count */
} swp_effects;

/*
 * Lowers all entries.
 * @return SWP_INVALID, with a diagnostic, where an entry names no op, or its slot is not the same in every pass;
 *         what else has no meaning is `undefined` or `unstated`
 */
swp_status swp_ir_effects(swp_context *ctx, const swp_schedule *schedule, swp_effects *out);

/*
 * The same of a stream of warp roles, which share the numbers of places. A place is that of pass 0 of the first
 * output tile, as slots turn with passes and tiles; who waits for another instance is not told.
 */
swp_status swp_ir_effects_of_stream(swp_context *ctx, const swp_schedule *schedule,
                                    const swp_stream *stream, swp_effects *out);

/* Refuses an entry that nobody says the meaning of: E0701. */
swp_status swp_ir_check_effects(swp_context *ctx, const swp_effects *effects);

/* What tracks an op's accesses. */
swp_sync_object swp_ir_object_of(const swp_schedule *schedule, const swp_op *op);

/* The value of a loop that has its slot there. */
const char *swp_ir_effect_value(const swp_effects *effects, const swp_effect_place *place);

/* Adds the place if it is new. */
swp_status swp_ir_effect_place(swp_context *ctx, swp_effect_places *places, swp_effect_place place,
                               int *number);

/* The tile in a pass, the epilogue's being their number. */
static inline int swp_tile_in(const swp_tiles *tiles, int pass)
{
    return tiles->first + pass * tiles->step;
}

#endif
