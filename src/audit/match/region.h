/* SPDX-License-Identifier: Apache-2.0 */
/* The places of a schedule, and the LDS bytes that code has for each. */
#ifndef SWP_AUDIT_MATCH_REGION_H
#define SWP_AUDIT_MATCH_REGION_H

#include "audit/match/walk.h"
#include "swp/compile.h"

/* A place, and the bytes that its loads fill. */
typedef struct swp_lds_region {
    int channel;
    int stage;
    int subtile;
    swp_span *spans; /* ascending, disjoint */
    int span_count;
} swp_lds_region;

typedef struct swp_lds_regions {
    swp_lds_region *items;
    int count;
} swp_lds_regions;

/* The places that the schedule's loads and reads access, without bytes. */
swp_status swp_match_regions_number(swp_context *ctx, const swp_schedule *schedule,
                                    swp_lds_regions *out);

bool swp_match_region_is_place_of(const swp_lds_region *region, const swp_op *op);

/* The region of an op's place; NULL if there is none. */
swp_lds_region *swp_match_region_of(const swp_lds_regions *regions, const swp_op *op);

/* Adds the bytes of an access to a region. */
swp_status swp_match_region_widen(swp_context *ctx, swp_lds_region *region, const swp_item *item);

/* The region that every byte of an access is in; NULL if there is none. */
const swp_lds_region *swp_match_region_around(const swp_lds_regions *regions, const swp_item *item);

bool swp_match_regions_are_disjoint(const swp_lds_regions *regions);

#endif
