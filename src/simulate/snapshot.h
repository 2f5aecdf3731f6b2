/* SPDX-License-Identifier: Apache-2.0 */
/* What decides how a run goes on, relative to the group whose passes are followed. */
#ifndef SWP_SIMULATE_SNAPSHOT_H
#define SWP_SIMULATE_SNAPSHOT_H

#include "simulate/engine.h"

typedef struct swp_sim_snapshot {
    int64_t *items;
    size_t count;
    size_t capacity;
} swp_sim_snapshot;

/* Fills it anew. Two equal snapshots go on alike, but for their time and pass. */
swp_status swp_simulate_snapshot_take(const swp_sim_engine *engine, swp_sim_snapshot *out);

bool swp_simulate_snapshot_equal(const swp_sim_snapshot *a, const swp_sim_snapshot *b);

#endif
