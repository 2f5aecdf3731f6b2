/* SPDX-License-Identifier: Apache-2.0 */
/* Units that are rates, such as the bandwidth of a memory: what they do adds up, and no op waits for another one (docs/loops.md, "Rates"). */
#ifndef SWP_IR_LOOP_RATES_H
#define SWP_IR_LOOP_RATES_H

#include "base/context.h"
#include "swp/loop.h"

bool swp_ir_loop_is_rate(const swp_loop *loop, int unit);

bool swp_ir_loop_has_rates(const swp_loop *loop);

/* Cycles for which an op by itself has all of a unit; SWP_PROBLEM_MOST + 1: more than a problem may have. */
int64_t swp_ir_loop_work_on(const swp_loop *loop, int op, int unit);

/*
 * Moves what all ops have of each rate to the one that has most of it, so that a problem keeps its load and nobody
 * waits. `uses` are those of an op of an instance, of which there are `*count`.
 */
void swp_ir_loop_join_rates(const swp_loop *loop, int op, int instance, swp_problem_use *uses,
                            size_t *count);

#endif
