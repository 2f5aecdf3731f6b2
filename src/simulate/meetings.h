/* SPDX-License-Identifier: Apache-2.0 */
/* Who has come to a barrier, and when the others may go on. */
#ifndef SWP_SIMULATE_MEETINGS_H
#define SWP_SIMULATE_MEETINGS_H

#include "simulate/engine.h"

swp_status swp_simulate_meetings_new(swp_sim_engine *engine);

/* A group comes to its step's meeting. @return whether all have come: it is open then */
bool swp_simulate_meeting_come(swp_sim_engine *engine, int meeting, const swp_sim_event *event,
                               int64_t time);

/* Who of those that a participant waits for came last, as it sees it, and when. */
int swp_simulate_meeting_last(const swp_sim_engine *engine, int meeting, int group, int64_t *seen);

#endif
