/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule that code carries out: the entries in the order of the instructions, with their waits. */
#ifndef SWP_AUDIT_MATCH_REBUILD_H
#define SWP_AUDIT_MATCH_REBUILD_H

#include "audit/flow/lag.h"
#include "audit/match/attribution.h"

/*
 * An entry that several instructions carry out stands in one place of a schedule. Whether its data
 * is there in time depends on the last of them, whether it overwrites too early on the first: each
 * question has its own schedule, and neither misses nor invents an answer to it. Accesses that are not
 * the one in question still count: they become entries about places that nothing else accesses.
 */
typedef enum swp_rebuild_view {
    SWP_VIEW_OVERWRITES, /* loads as early, reads as late as their instructions */
    SWP_VIEW_ARRIVALS,   /* loads as late, reads as early */
    SWP_VIEW_CYCLES      /* everything where it begins, for the cycle model */
} swp_rebuild_view;

typedef struct swp_rebuilt {
    swp_schedule schedule; /* its memory is the context's: not to be freed */
    int *items[3];         /* by phase and entry: the item that it stands for; -1: none */
} swp_rebuilt;

/* Adds an obstacle where the code is no schedule of the proof's machine (docs/verification.md, "The machine"). */
swp_status swp_match_rebuild(swp_attribution *attribution, const swp_lag *lag,
                             swp_rebuild_view view, swp_rebuilt *out);

#endif
