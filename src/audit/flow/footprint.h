/* SPDX-License-Identifier: Apache-2.0 */
/* The LDS bytes of an access, wave by wave. */
#ifndef SWP_AUDIT_FLOW_FOOTPRINT_H
#define SWP_AUDIT_FLOW_FOOTPRINT_H

#include "audit/flow/registers.h"

typedef struct swp_span {
    uint32_t first; /* bytes */
    uint32_t end;
} swp_span;

/* Sorts, and unites what overlaps or adjoins; returns how many are left. */
int swp_flow_spans_merge(swp_span *spans, int count);

typedef struct swp_footprint {
    bool known;
    bool partial; /* lanes may be off: it accesses these bytes, or some of them */
    int waves;
    swp_span *spans[SWP_MOST_WAVES]; /* ascending, disjoint */
    int counts[SWP_MOST_WAVES];
    swp_span whole; /* around all of them */
} swp_footprint;

/* Of these waves. */
swp_status swp_flow_footprint_of(swp_context *ctx, const swp_values *values,
                                 const swp_registers *registers, const swp_lds_access *access,
                                 swp_wave_set waves, swp_footprint *out);

typedef enum swp_overlap { SWP_DISJOINT, SWP_MAY_OVERLAP, SWP_OVERLAP } swp_overlap;

/* Whether wave `first` of one access and wave `second` of the other have a byte in common. */
swp_overlap swp_flow_footprint_overlap(const swp_footprint *a, int first, const swp_footprint *b,
                                       int second);

#endif
