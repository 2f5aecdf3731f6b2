/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists the parts of the compilation of a loop. A row is X(identifier, the share of the time by
 * which the part ends); of the first three it is also the share of the work. What a part leaves is
 * for those after it (docs/loops.md, "Slots").
 */
#ifndef SWP_PIPELINE_SHARES_H
#define SWP_PIPELINE_SHARES_H

#include "swp/types.h"

// clang-format off
#define SWP_LOOP_PART_ROWS(X) \
    X(SWP_LOOP_WAYS,       0.25) /* heuristics try all slot counts */ \
    X(SWP_LOOP_INTERVAL,   0.5)  /* the least interval */ \
    X(SWP_LOOP_OBJECTIVES, 0.62) /* slots and stages */ \
    X(SWP_LOOP_ROOM,       0.75) /* times with room for waits */ \
    X(SWP_LOOP_WAITS,      0.92) /* waits and barriers of these times */ \
    X(SWP_LOOP_REST,       0.97) /* those of other times */ \
    X(SWP_LOOP_ORDERS,     1)    /* what no order takes */
// clang-format on

typedef enum swp_loop_part {
#define SWP_ENUMERATOR(identifier, ...) identifier,
    SWP_LOOP_PART_ROWS(SWP_ENUMERATOR)
#undef SWP_ENUMERATOR
} swp_loop_part;

/*
 * Returns when the part ends, in seconds from the begin of all. If work is limited, the clock
 * divides nothing, so that the same work gives the same result on any machine.
 */
double swp_pipeline_seconds_of(const swp_limits *all, swp_loop_part part);
uint64_t swp_pipeline_work_of(const swp_limits *all, swp_loop_part part);

#endif
