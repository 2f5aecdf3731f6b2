/* SPDX-License-Identifier: Apache-2.0 */
/* How two schedules differ besides their entries. */
#ifndef SWP_DIFF_SETTINGS_H
#define SWP_DIFF_SETTINGS_H

#include "diff/words.h"

/*
 * What differs besides entries: the loop, the machine, costs, then settings that made the phases.
 * A cost that all ops of a name have in A, and all of them in B, is a row here and stands in `costs`.
 * `same_loop`: passes map to tiles in the same way, and entries mean the same in either.
 */
swp_status swp_diff_find_settings(swp_context *ctx, const swp_schedule *a, const swp_schedule *b,
                                  swp_diff_setting_list *out, swp_diff_cost_list *costs,
                                  swp_diff_objects *objects, bool *same_loop);

/* A barrier of all waves before the loop, which has no row, and which one of both may have dropped. */
#define SWP_DIFF_LOOP_BARRIER "loop_barrier"

#endif
