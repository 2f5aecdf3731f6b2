/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers the uses of all ops, and makes the variables "this op holds for so long, and now". */
#ifndef SWP_CERTIFY_OCCUPANCY_H
#define SWP_CERTIFY_OCCUPANCY_H

#include "certify/encode.h"

/*
 * Hashes variables by slot. An op may hold billions of slots, but has variables only for those that
 * the certificate has clauses for.
 */
typedef struct swp_slot_table {
    struct swp_slot_variable *items;
    size_t count;
    size_t capacity; /* 0 or a power of two */
} swp_slot_table;

/* An op, and the cycles for which some of its uses hold; with a period, the cycles beyond whole periods. */
typedef struct swp_occupant {
    int op;
    int64_t cycles;
    swp_slot_table made;
} swp_occupant;

typedef struct swp_certify_use {
    const swp_problem_use *use;
    int op;
    int64_t rounds;         /* how often it holds every slot */
    swp_occupant *occupant; /* NULL: it holds nothing beyond whole periods */
} swp_certify_use;

typedef struct swp_uses {
    swp_certify_use *items; /* the uses of op 0, then those of op 1, … */
    size_t count;
} swp_uses;

swp_status swp_certify_uses_new(swp_context *ctx, const swp_encoder *encoder, swp_uses *out);

/* Returns whether some start lets the occupant hold the slot. */
bool swp_certify_may_occupy(const swp_frame *frame, const swp_occupant *occupant, int64_t slot);

/* Returns the first slot after this one at which the occupant may begin, or may cease, to hold. */
int64_t swp_certify_next_change(const swp_frame *frame, const swp_occupant *occupant, int64_t slot);

/* Returns the variable for that, and writes its clauses when it is made. */
swp_status swp_certify_step_occupies(const swp_encoder *encoder, swp_occupant *occupant,
                                     int64_t slot, int *variable);

#endif
