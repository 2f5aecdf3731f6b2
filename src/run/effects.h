/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops themselves do: by their kinds, or by the dataflow. */
#ifndef SWP_RUN_EFFECTS_H
#define SWP_RUN_EFFECTS_H

#include "run/machine.h"

/* A store reads its source registers when it issues. */
swp_status swp_run_store_issues(swp_run_machine *m, int access, const swp_run_step *step);

/* A COMPUTE reads its registers when it issues, and adds their product. */
swp_status swp_run_compute(swp_run_machine *m, int wave, const swp_run_step *step);

/* A load, store or fragment load takes effect. */
void swp_run_kind_effect(swp_run_machine *m, int access, const swp_run_step *step);

/* An op of the dataflow reads registers when it issues, unless it does so in flight. */
swp_status swp_run_op_issues(swp_run_machine *m, int access, const swp_run_step *step);

/* An op of the dataflow that may not run does not: what it would update is its version, as it is. */
void swp_run_op_left_out(const swp_run_machine *m, int wave, const swp_run_step *step);

/* An op of the dataflow reads all that it reads, and writes all that it makes. */
swp_status swp_run_op_effect(swp_run_machine *m, int access, const swp_run_step *step);

#endif
