/* SPDX-License-Identifier: Apache-2.0 */
/* The least cycles of an iteration with its waits in any order, and why (docs/loops-proof.md, "The least cycles of any order"). */
#ifndef SWP_LOWER_ORDER_BOUND_H
#define SWP_LOWER_ORDER_BOUND_H

#include "lower/loop_schedule.h"

/*
 * Refutes as many cycles as it can between the interval and what the schedule takes, for its pipeline to say. Within the limits, but
 * they are no matter of what is handed out.
 */
swp_status swp_lower_bound_orders(swp_loop_writer *writer);

#endif
