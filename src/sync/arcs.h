/* SPDX-License-Identifier: Apache-2.0 */
/* What must come before what, whatever the synchronisation. */
#ifndef SWP_SYNC_ARCS_H
#define SWP_SYNC_ARCS_H

#include "sync/dataflow.h"

/*
 * Fills in the arcs: from the write of a tile to its read and from there to the write that replaces
 * it, between writes that nothing separates, with raw registers from a load to the use of its
 * register and to the next load of it, and where counters wrap to the access that finds them full.
 * @return SWP_INVALID where an order asks for something before itself (E0730).
 */
swp_status swp_sync_find_arcs(swp_context *ctx, swp_dataflow *flow);

/* The most accesses in flight that an object can count; INT_MAX: any number. */
int swp_sync_most_in_flight(const swp_dataflow *flow, swp_sync_object object);
bool swp_sync_has_limit(const swp_dataflow *flow, swp_sync_object object);

/*
 * The newest position on an object from which on, up to before `end`, there are so many accesses;
 * SWP_NO_POSITION if nothing is counted there.
 */
int swp_sync_newest_with(const swp_dataflow *flow, int end, swp_sync_object object,
                         int64_t accesses);

/* The newest access that a wait before `end` retires which leaves so many; SWP_NO_POSITION: none. */
int swp_sync_left_by(const swp_dataflow *flow, int end, swp_sync_object object, int accesses);

/* The last access on an object before `end`. There must be one. */
int swp_sync_access_before(const swp_dataflow *flow, int end, swp_sync_object object);

/*
 * The newest position on the counter of the access at `position` that has left no room for it: its
 * accesses and those after it, up to and with that access, are more than the counter holds.
 * SWP_NO_POSITION if there always is room.
 */
int swp_sync_no_room_for(const swp_dataflow *flow, int position);

/* The newest position on the counter none of whose accesses can be left when that access issues. */
int swp_sync_all_gone_at(const swp_dataflow *flow, int position);

/* Barriers that order a producer before a consumer for every pair of waves. */
int swp_sync_barrier_demand(const swp_machine *machine);

/* The same for one arc. */
int swp_sync_arc_demand(const swp_dataflow *flow, const swp_arc *arc);

#endif
