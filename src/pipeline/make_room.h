/* SPDX-License-Identifier: Apache-2.0 */
/* A pipeline of the same interval whose waits cost less (docs/loops-proof.md, "Room for waits"). */
#ifndef SWP_PIPELINE_MAKE_ROOM_H
#define SWP_PIPELINE_MAKE_ROOM_H

#include "base/context.h"
#include "solve/max_cycle_ratio.h"
#include "swp/config.h"
#include "swp/loop.h"

/* How much waits have to cost for so many stages more to be tried, and how much that has to save: in parts of the interval. */
typedef struct swp_extension {
    double cost;
    double gain;
} swp_extension;

enum { SWP_MOST_MORE_STAGES = 2, SWP_MOST_MORE_STAGES_EASED = 1 };

/* By the number of stages more. */
extern const swp_extension swp_pipeline_extensions[SWP_MOST_MORE_STAGES + 1];

/* The same of more slots. */
extern const swp_extension swp_pipeline_more_slots;

/* What was found; the given pipeline where a model of its steps finds none that is better. */
typedef struct swp_room {
    swp_pipeline *pipeline;
    swp_ratio cycles;        /* of an iteration with its waits, by the model */
    swp_ratio cycles_before; /* of the given one */
    bool exact;              /* the model knows all that there is to waits */
    bool stopped;            /* a limit ended the search */
} swp_room;

swp_status swp_pipeline_make_room(swp_context *ctx, const swp_machine *machine, swp_pipeline *given,
                                  swp_room *out);

#endif
