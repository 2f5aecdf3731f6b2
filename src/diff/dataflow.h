/* SPDX-License-Identifier: Apache-2.0 */
/* How the ops, values and units of two loops differ. */
#ifndef SWP_DIFF_DATAFLOW_H
#define SWP_DIFF_DATAFLOW_H

#include "base/context.h"
#include "swp/diff.h"
#include "swp/loop.h"

/*
 * Adds a row for each fact in which two dataflows differ: what entries with the same numbers do in two loops.
 * NULL: there is none, as the kinds of the ops say it.
 */
swp_status swp_diff_compare_dataflows(swp_context *ctx, const swp_loop_dataflow *a,
                                      const swp_loop_dataflow *b, swp_diff_setting_list *out);

#endif
