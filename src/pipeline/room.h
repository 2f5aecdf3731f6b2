/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the room of a loop's values (docs/loops.md, "Room"). */
#ifndef SWP_PIPELINE_ROOM_H
#define SWP_PIPELINE_ROOM_H

#include "pipeline/search.h"

/* Sets the search's room, and the fewest slots of each value. Reports E0325 if these do not fit. */
swp_status swp_pipeline_set_room(swp_loop_search *search);

#endif
