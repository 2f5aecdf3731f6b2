/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions that runs compute besides those that the dataflow analysis does: what counters of 64 bits and divisions of
 * integers are made of.
 */
#ifndef SWP_AUDIT_FLOW_SYMBOLIC_OPS_H
#define SWP_AUDIT_FLOW_SYMBOLIC_OPS_H

#include "audit/flow/registers.h"

/* After the transfer function: `before` is what the registers were. */
void swp_flow_symbolic_compute_more(swp_values *values, swp_registers *registers,
                                    const swp_registers *before, const swp_insn *insn);

#endif
