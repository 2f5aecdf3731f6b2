/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the ops, values and units of two loops. */
#ifndef SWP_DIFF_DATAFLOW_H
#define SWP_DIFF_DATAFLOW_H

#include "base/context.h"
#include "swp/diff.h"
#include "swp/loop.h"

/*
 * Adds a row for each fact in which two dataflows differ, since entries with the same numbers then
 * do something else. NULL stands for no dataflow: the kinds of the ops then say what they do.
 */
swp_status swp_diff_compare_dataflows(swp_context *ctx, const swp_loop_dataflow *a,
                                      const swp_loop_dataflow *b, swp_diff_setting_list *out);

#endif
