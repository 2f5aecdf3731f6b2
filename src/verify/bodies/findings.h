/* SPDX-License-Identifier: Apache-2.0 */
/* Hazards found so far: one for each kind, phase and entry, with the least N. */
#ifndef SWP_BODIES_FINDINGS_H
#define SWP_BODIES_FINDINGS_H

#include "verify/bodies/state.h"

typedef struct swp_findings {
    swp_context *ctx; /* of the hazards */
    const swp_model *model;
    swp_hazard_list list;
    bool *told[3]; /* of each phase: whether an entry, or its end, has a hazard of a kind */
    int n;         /* number of tiles of the run being followed */
} swp_findings;

/* For a model whose proof uses `scratch`, which the hazards outlive. */
swp_status swp_bodies_findings_begin(swp_context *scratch, const swp_model *model,
                                     swp_findings *out);

/* What a hazard is about, before its texts are made. */
typedef struct swp_finding {
    swp_hazard_kind kind;
    swp_bodies_event at;
    const swp_bodies_event *other; /* NULL: none */
    swp_site site;
    int place;  /* number of the place, register or accumulator's entry's own */
    int wanted; /* tiles; SWP_NO_TILE where they say nothing */
    int found;
} swp_finding;

swp_status swp_bodies_findings_add(swp_findings *findings, const swp_finding *finding);

/* Sorts by phase, entry and kind. */
void swp_bodies_findings_sort(swp_findings *findings);

#endif
