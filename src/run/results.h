/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops of a dataflow came to, beside what the loop computes. */
#ifndef SWP_RUN_RESULTS_H
#define SWP_RUN_RESULTS_H

#include "run/machine.h"

/*
 * Notes the results of ops that are not the loop's, in its order. Of a thread that waits for ever only what it has done
 * counts.
 */
swp_status swp_run_compare_results(swp_run_machine *m);

#endif
