/* SPDX-License-Identifier: Apache-2.0 */
/* Which access an operand of the wrong tile comes from. */
#ifndef SWP_RUN_OPERANDS_H
#define SWP_RUN_OPERANDS_H

#include "run/machine.h"

/* The first few tell what there is to tell. */
enum { SWP_RUN_MOST_FOUND = 16 };

/*
 * Notes a register that a COMPUTE or store is about to read if it is of another tile than the one
 * that the step is there for, with the two accesses that met in the wrong order.
 */
swp_status swp_run_check_operand(swp_run_machine *m, int wave, const swp_run_step *step, int index);

/* Notes that the wave's next step uses a raw register, or loads it again, before its load is there. */
swp_status swp_run_check_ready(swp_run_machine *m, int wave);

#endif
