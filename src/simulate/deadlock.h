/* SPDX-License-Identifier: Apache-2.0 */
/* The error where the cycle model cannot go on. */
#ifndef SWP_SIMULATE_DEADLOCK_H
#define SWP_SIMULATE_DEADLOCK_H

#include "simulate/engine.h"

/* @return SWP_INVALID, with a diagnostic of the first group that has not ended */
swp_status swp_simulate_report_deadlock(const swp_sim_engine *engine);

#endif
