/* SPDX-License-Identifier: Apache-2.0 */
/* The writes of a place that a read may still see, and those that a hazard was of. */
#ifndef SWP_BODIES_PLACE_WRITES_H
#define SWP_BODIES_PLACE_WRITES_H

#include "verify/bodies/state.h"

/* Notes a write that issues now, dropping those that no later read can see. */
swp_status swp_bodies_place_push(swp_state *state, int place, const swp_bodies_event *event,
                                 int tile, swp_sync_object object);

/* After a hazard the place counts as holding what the write brings, whenever it issues. */
swp_status swp_bodies_place_tell(swp_state *state, int place, const swp_bodies_event *write,
                                 int tile);

bool swp_bodies_place_told(const swp_state *state, int place, const swp_bodies_event *write);

/*
 * After `passes` passes: drops what is of tiles that nothing to come asks for. Of more than so many writes it
 * forgets the oldest.
 */
void swp_bodies_place_end_pass(swp_state *state, int place, int passes, size_t most_writes);

#endif
