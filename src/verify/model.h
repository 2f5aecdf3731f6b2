/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule as the verifier sees it: what each entry does, with places and registers numbered. */
#ifndef SWP_VERIFY_MODEL_H
#define SWP_VERIFY_MODEL_H

#include "base/context.h"
#include "verify/rules.h"

typedef enum swp_step_does {
    SWP_DOES_NOTHING,  /* hints */
    SWP_DOES_LOAD,     /* to LDS, counted by vmcnt */
    SWP_DOES_STAGE,    /* a load to the staging register, counted by vmcnt */
    SWP_DOES_STORE,    /* the staging register to LDS, counted by lgkmcnt */
    SWP_DOES_FRAGMENT, /* LDS to a register, counted by lgkmcnt */
    SWP_DOES_COMPUTE,
    SWP_DOES_OP, /* of a loop: its reads and writes are listed */
    SWP_DOES_BARRIER,
    SWP_DOES_WAIT
} swp_step_does;

typedef enum swp_counter_id {
    SWP_VMCNT,
    SWP_LGKMCNT,
    SWP_COUNTERS,
    SWP_NO_COUNTER = SWP_COUNTERS /* of an op that is done when it issues */
} swp_counter_id;

enum { SWP_NO_TILE = -(1 << 30) }; /* what a GEMM's place holds before its first write */

/* The tile of each pass; for an entry of the epilogue, of each number of passes before it. */
typedef struct swp_tiles {
    int first;
    int step; /* from one pass to the next */
} swp_tiles;

/* What an op reads or writes: a tile in a shared place, or in a register. */
typedef struct swp_access {
    bool is_shared;
    int where; /* number of the place or register */
    swp_tiles tiles;
    bool updates; /* it is read and written in the course of an update */
} swp_access;

typedef struct swp_accesses {
    swp_access *items;
    size_t count;
    size_t capacity;
} swp_accesses;

typedef struct swp_verify_step {
    swp_step_does does;
    int place; /* LDS place of a load, store or fragment; accumulator of a COMPUTE */
    int registers
        [2];      /* written by a fragment or staging load, read by a store or COMPUTE; -1: none */
    int accesses; /* counted */
    swp_counter_id counter;
    int wait;             /* accesses that may stay in flight */
    swp_tiles tiles;      /* that a load or store writes and a COMPUTE adds */
    bool surplus;         /* a COMPUTE when all tiles of its pass are added */
    bool is_awaited;      /* an op whose register a reader waits for, where registers are not raw */
    bool reads_in_flight; /* an op that reads its registers until it is retired */
    bool in_order;        /* an op that accumulates in order with others like it */
    swp_accesses reads;   /* of an op */
    swp_accesses writes;  /* of an op, and the place of a load or store */
} swp_verify_step;

/* A place in LDS, a register, or an accumulator. */
typedef struct swp_lds_place {
    int channel; /* of an op's: the value */
    int stage;   /* of an op's: the slot */
    int subtile;
    int makers;   /* of an op's: tiles of a version */
    int initial;  /* tile that it holds before the first entry */
    int per_pass; /* tiles by which its entries move on in a pass */
    int least;    /* the first that the entries of pass 0 or later ask for */
} swp_lds_place;

/* A write to a shared place. */
typedef struct swp_place_write {
    swp_entry_ref ref;
    swp_tiles tiles;
} swp_place_write;

/* Of writes with one step the tiles that they begin with. */
typedef struct swp_write_range {
    int step;
    int least;
    int most;
} swp_write_range;

typedef struct swp_write_ranges {
    swp_write_range *items;
    size_t count;
    size_t capacity;
} swp_write_ranges;

/* The writes of all places, place after place, each place's in the order of the entries. */
typedef struct swp_write_index {
    swp_place_write *items;
    int *first; /* of each place, and the end */
    int *taken; /* of each place, so far */
    /* Of those after the prologue: */
    swp_write_ranges *ranges; /* of each place */
    swp_write_ranges all;
} swp_write_index;

typedef struct swp_model {
    const swp_schedule *schedule;
    swp_rule without;
    const swp_machine *machine;
    swp_loop_shape loop;
    swp_verify_step *steps[3];
    int lengths[3];
    swp_lds_place *places;
    int place_count;
    swp_lds_place *registers; /* stage unused; channel -1 is the staging register */
    int register_count;
    swp_lds_place *accumulators; /* stage is the row, subtile the column */
    int accumulator_count;
    swp_write_index writes;
    int counter_max[SWP_COUNTERS];
    bool meets_before_loop; /* a double-buffered kernel has a barrier before its loop */
    bool lags;              /* group 1 runs one barrier more in the prologue */
    bool strands;           /* and group 0 none at the end: nobody meets group 1's last one */
} swp_model;

swp_status swp_verify_model_build(swp_context *ctx, const swp_schedule *schedule, swp_rule without,
                                  swp_model *out);

static inline bool swp_rule_holds(const swp_model *model, swp_rule rule)
{
    return model->without != rule;
}

static inline bool swp_is_other_tile(const swp_model *model, int a, int b)
{
    return a != b || !swp_rule_holds(model, SWP_RULE_SAME_TILE);
}

/* The tile in a pass, the epilogue's being their number. */
static inline int swp_tile_in(const swp_tiles *tiles, int pass)
{
    return tiles->first + pass * tiles->step;
}

/* Tiles of the place below this are not asked for after so many passes. */
static inline int swp_floor_of(const swp_lds_place *place, int passes)
{
    return passes * place->per_pass + place->least;
}

/* The tile that a load, store or COMPUTE handles in a pass, the epilogue's being their number. */
int swp_verify_step_tile(const swp_verify_step *step, int pass);

/* Whether an entry of the phase from one on is a barrier. */
bool swp_verify_model_has_barrier(const swp_model *model, swp_phase phase, int from);

const swp_entry *swp_verify_model_entry(const swp_model *model, swp_entry_ref ref);

#endif
