/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule as the verifier sees it: what each entry does, with places and registers numbered. */
#ifndef SWP_VERIFY_MODEL_H
#define SWP_VERIFY_MODEL_H

#include "base/context.h"
#include "swp/verify.h"

typedef enum swp_step_does {
    SWP_DOES_NOTHING,  /* hints */
    SWP_DOES_LOAD,     /* to LDS, counted by vmcnt */
    SWP_DOES_STAGE,    /* a load to the staging register, counted by vmcnt */
    SWP_DOES_STORE,    /* the staging register to LDS, counted by lgkmcnt */
    SWP_DOES_FRAGMENT, /* LDS to a register, counted by lgkmcnt */
    SWP_DOES_COMPUTE,
    SWP_DOES_BARRIER,
    SWP_DOES_WAIT
} swp_step_does;

typedef enum swp_counter_id { SWP_VMCNT, SWP_LGKMCNT, SWP_COUNTERS } swp_counter_id;

typedef struct swp_step {
    swp_step_does does;
    int place; /* LDS place of a load, store or fragment */
    int registers
        [2];      /* written by a fragment or staging load, read by a store or COMPUTE; -1: none */
    int multiple; /* of a load: tiles from kb */
    int accesses; /* counted */
    swp_counter_id counter;
    int wait;    /* accesses that may stay in flight */
    int product; /* of a COMPUTE: which tile of its pass it adds; -1: one too many */
} swp_step;

typedef struct swp_lds_place {
    int channel;
    int stage;
    int subtile;
} swp_lds_place;

typedef struct swp_model {
    const swp_schedule *schedule;
    const swp_machine *machine;
    swp_loop_shape loop;
    swp_step *steps[3];
    int lengths[3];
    swp_lds_place *places;
    int place_count;
    swp_lds_place *registers; /* stage unused; channel -1 is the staging register */
    int register_count;
    swp_lds_place *accumulators; /* stage is the row, subtile the column */
    int accumulator_count;
    int counter_max[SWP_COUNTERS];
} swp_model;

swp_status swp_model_build(swp_context *ctx, const swp_schedule *schedule, swp_model *out);

const swp_entry *swp_model_entry(const swp_model *model, swp_entry_ref ref);

#endif
