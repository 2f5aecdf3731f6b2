/* SPDX-License-Identifier: Apache-2.0 */
/* The places of a schedule, and the LDS bytes that code has for each. */
#ifndef SWP_AUDIT_MATCH_REGION_H
#define SWP_AUDIT_MATCH_REGION_H

#include "audit/match/walk.h"
#include "ir/effects.h"

/* A place, and the bytes that its loads fill. */
typedef struct swp_lds_region {
    const swp_effect_place *place;
    swp_span *spans; /* ascending, disjoint */
    int span_count;
} swp_lds_region;

typedef struct swp_lds_regions {
    swp_lds_region *items; /* by the number of the place */
    int count;
} swp_lds_regions;

/* All places of the schedule, without bytes. */
swp_status swp_match_regions_begin(swp_context *ctx, const swp_effects *effects,
                                   swp_lds_regions *out);

/* Adds the bytes of an access to a region. */
swp_status swp_match_region_widen(swp_context *ctx, swp_lds_region *region, const swp_item *item);

/* The region that every byte of an access is in; NULL if there is none. */
const swp_lds_region *swp_match_region_around(const swp_lds_regions *regions, const swp_item *item);

bool swp_match_regions_are_disjoint(const swp_lds_regions *regions);

#endif
