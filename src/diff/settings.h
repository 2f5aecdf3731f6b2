/* SPDX-License-Identifier: Apache-2.0 */
/* Finds how two schedules differ besides their entries. */
#ifndef SWP_DIFF_SETTINGS_H
#define SWP_DIFF_SETTINGS_H

#include "diff/words.h"

/*
 * Lists what differs besides entries: the loop, the machine, costs, then the settings that made the
 * phases. If all ops of a name have one cost in A and another in B, that is a row here and stands
 * in `costs`. `same_loop` says that passes map to tiles in the same way, and entries mean the same
 * in both.
 */
swp_status swp_diff_find_settings(swp_context *ctx, const swp_schedule *a, const swp_schedule *b,
                                  swp_diff_setting_list *out, swp_diff_cost_list *costs,
                                  swp_diff_objects *objects, bool *same_loop);

/* The barrier of all waves before the loop. It has no row, and one of the two schedules may have dropped it. */
#define SWP_DIFF_LOOP_BARRIER "loop_barrier"

#endif
