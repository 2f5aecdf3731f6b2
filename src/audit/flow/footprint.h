/* SPDX-License-Identifier: Apache-2.0 */
/* The LDS bytes that an access touches, wave by wave. */
#ifndef SWP_AUDIT_FLOW_FOOTPRINT_H
#define SWP_AUDIT_FLOW_FOOTPRINT_H

#include "audit/flow/registers.h"

typedef struct swp_span {
    uint32_t first; /* bytes */
    uint32_t end;
} swp_span;

/* Sorts, and joins what touches; returns how many are left. */
int swp_flow_spans_merge(swp_span *spans, int count);

typedef struct swp_footprint {
    bool known;
    bool partial; /* lanes may be off: it touches these bytes, or some of them */
    int waves;
    swp_span *spans[SWP_MOST_WAVES]; /* ascending, apart from each other */
    int counts[SWP_MOST_WAVES];
    swp_span whole; /* around all of them */
} swp_footprint;

swp_status swp_flow_footprint_of(swp_context *ctx, const swp_values *values,
                                 const swp_registers *registers, const swp_lds_access *access,
                                 swp_footprint *out);

typedef enum swp_overlap { SWP_DISJOINT, SWP_MAY_OVERLAP, SWP_OVERLAP } swp_overlap;

/* Whether wave `first` of one access touches a byte that wave `second` of the other does. */
swp_overlap swp_flow_footprint_overlap(const swp_footprint *a, int first, const swp_footprint *b,
                                       int second);

#endif
