/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule as the verifier sees it: what each entry does, and who writes what. */
#ifndef SWP_BODIES_MODEL_H
#define SWP_BODIES_MODEL_H

#include "ir/effects.h"
#include "verify/bodies/rules.h"

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
    int *first;              /* of each place, and the end */
    int *taken;              /* of each place, so far */
    swp_write_ranges ranges; /* of those after the prologue */
} swp_write_index;

typedef struct swp_model {
    const swp_schedule *schedule; /* with every barrier as an entry */
    swp_rule without;
    const swp_machine *machine;
    swp_loop_shape loop;
    swp_effects effects;
    swp_write_index writes;
    /* No wait asks for more accesses after one: the largest count or, where there is none, the schedule's. */
    int most_after[SWP_SYNC_OBJECTS];
    int *numbers[SWP_EPILOGUE + 1]; /* that reports give the entries, and the end */
    bool lags;                      /* group 1 runs one barrier more in the prologue */
    bool makes_up;                  /* group 0 runs one more at the end… */
    bool deadlocks_at_end;          /* …or none, so that nobody meets group 1's last one */
} swp_model;

swp_status swp_bodies_model_build(swp_context *ctx, const swp_schedule *schedule, swp_rule without,
                                  swp_model *out);

static inline bool swp_rule_holds(const swp_model *model, swp_rule rule)
{
    return model->without != rule;
}

static inline bool swp_is_other_tile(const swp_model *model, int a, int b)
{
    return a != b || !swp_rule_holds(model, SWP_RULE_SAME_TILE);
}

/* Tiles of the place below this are not asked for after so many passes. */
static inline int swp_floor_of(const swp_effect_place *place, int passes)
{
    return passes * place->per_pass + place->least;
}

/* The tile that a write brings in a pass; SWP_NO_TILE where nothing was loaded before. */
int swp_bodies_written_tile(const swp_effect *effect, const swp_access *write, int pass);

/* Whether group 1 has a barrier in the phase from an entry on. */
bool swp_bodies_model_has_barrier(const swp_model *model, swp_phase phase, int from);

const swp_entry *swp_bodies_model_entry(const swp_model *model, swp_entry_ref ref);

/* The same entry or end in published lists; one that these leave out has the number of what stands behind it. */
swp_entry_ref swp_bodies_model_published(const swp_model *model, swp_entry_ref ref);

#endif
