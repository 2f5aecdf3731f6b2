/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule of a pipeline whose waits cost least (docs/loops-proof.md, "Room for waits"). */
#ifndef SWP_LOWER_LOOP_CHOICE_H
#define SWP_LOWER_LOOP_CHOICE_H

#include "lower/loop_schedule.h"

/* @param cut  a limit ended the search for the pipeline, which is told of what is handed out */
swp_status swp_lower_choose(swp_loop_writer *writer, bool cut, swp_schedule **out);

#endif
