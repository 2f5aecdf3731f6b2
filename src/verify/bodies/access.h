/* SPDX-License-Identifier: Apache-2.0 */
/* What every access of a step does: its counter, the writes that it sees, the reads that it threatens. */
#ifndef SWP_BODIES_ACCESS_H
#define SWP_BODIES_ACCESS_H

#include "verify/bodies/step.h"

swp_status swp_bodies_follow_report(swp_followed_run *run, swp_hazard_kind kind,
                                    const swp_bodies_event *at, const swp_bodies_event *other,
                                    swp_site site, int place);

/* Counts the step's accesses; a full counter may stall, and what it waits for then is before them. */
swp_status swp_bodies_follow_issue(swp_followed_run *run, const swp_bodies_event *event,
                                   const swp_effect *effect);

/* A write to a place that issues now. */
swp_status swp_bodies_follow_write(swp_followed_run *run, const swp_bodies_event *event, int place,
                                   int tile, swp_sync_object object);

/* The writes that a read may see which issues now. */
swp_status swp_bodies_follow_see(const swp_state *state, swp_read *read);

#endif
