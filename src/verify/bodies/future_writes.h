/* SPDX-License-Identifier: Apache-2.0 */
/* What the rest of a run still writes: all that judging an entry depends on beyond the state. */
#ifndef SWP_BODIES_FUTURE_WRITES_H
#define SWP_BODIES_FUTURE_WRITES_H

#include "verify/bodies/state.h"

/* The first write of the tile after the read, to its place, in a run of `passes` kernel passes. */
bool swp_bodies_future_write(const swp_model *model, int passes, const swp_read *read, int tile,
                             swp_bodies_event *out);

/*
 * So many kernel passes after one decide swp_bodies_future_write() for the tiles of its COMPUTEs: with more
 * of them to come the answer is the same (docs/verification.md).
 */
int swp_bodies_future_passes(const swp_model *model);

/* From so many passes on it is the same for a read of the prologue that no COMPUTE has used yet. */
int swp_bodies_future_settled(const swp_model *model);

#endif
