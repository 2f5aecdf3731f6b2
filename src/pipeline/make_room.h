/* SPDX-License-Identifier: Apache-2.0 */
/* Finds a pipeline of the same interval whose waits cost less (docs/loops-proof.md, "Room for waits"). */
#ifndef SWP_PIPELINE_MAKE_ROOM_H
#define SWP_PIPELINE_MAKE_ROOM_H

#include "pipeline/issue_models.h"
#include "swp/config.h"
#include "swp/loop.h"

/*
 * So many stages more are tried only if waits cost more than `cost`, and taken only if they save
 * more than `gain`. Both are fractions of the interval.
 */
typedef struct swp_extension {
    double cost;
    double gain;
} swp_extension;

enum { SWP_MOST_MORE_STAGES = 2, SWP_MOST_MORE_STAGES_EASED = 1 };

/* Indexed by the number of additional stages. */
extern const swp_extension swp_pipeline_extensions[SWP_MOST_MORE_STAGES + 1];

/* The pipeline that was found, or the given one if the model of its steps knows no better. */
typedef struct swp_room {
    swp_pipeline *pipeline;
    swp_ratio cycles;        /* what an iteration takes with its waits, by the model */
    swp_ratio cycles_before; /* the same of the given one */
    bool exact;              /* the model covers all that waits do */
    bool stopped;            /* a limit ended the search */
} swp_room;

/* `keeps_slots`: it may have no more slots, nor stages. */
swp_status swp_pipeline_make_room(swp_context *ctx, swp_issue_models *models, swp_pipeline *given,
                                  bool keeps_slots, swp_room *out);

#endif
