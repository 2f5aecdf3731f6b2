/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scalars that compilers spill to lanes of a vector register (v_writelane, v_readlane): what each lane varies with. Beside
 * it the register itself varies with all that any of its lanes does.
 */
#ifndef SWP_AUDIT_FLOW_SPILLED_SCALARS_H
#define SWP_AUDIT_FLOW_SPILLED_SCALARS_H

#include "audit/flow/eval.h"

/* Any other write of a register ends that its lanes are followed. */
void swp_flow_spilled_forget(swp_registers *registers, int number);
void swp_flow_spilled_forget_all(swp_registers *registers);

/*
 * What is followed once an instruction has written a lane: found before it writes, as it may read what it writes to, and kept
 * after it has.
 */
swp_spilled_scalars swp_flow_spilled_written(const swp_execution *m);
void swp_flow_spilled_keep(swp_registers *registers, const swp_spilled_scalars *spilled);

/* What the lane that an instruction reads varies with; false: it is not followed. */
bool swp_flow_spilled_read(const swp_execution *m, unsigned *varies);

/* The join: lanes are followed if they are on both paths. Returns whether `into` has less. */
bool swp_flow_spilled_join(swp_registers *into, const swp_registers *from);

#endif
