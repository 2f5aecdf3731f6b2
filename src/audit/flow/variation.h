/* SPDX-License-Identifier: Apache-2.0 */
/* Which threads may get different results from one instruction. */
#ifndef SWP_AUDIT_FLOW_VARIATION_H
#define SWP_AUDIT_FLOW_VARIATION_H

#include "audit/flow/eval.h"

bool swp_flow_all_lanes_are_on(const swp_execution *m);

/* What the result of an instruction varies with, by what it reads. */
unsigned swp_flow_result_varies(const swp_execution *m);

/* The same of either word of the result of an instruction that makes them apart (`by_halves`). */
unsigned swp_flow_half_varies(const swp_execution *m, int half);

/* The same of one register that it writes, lanes of which may be off. */
unsigned swp_flow_register_varies(const swp_execution *m, int number, unsigned varies);

/*
 * Whether two waves that run an LDS write or a load to LDS write the same, lane by lane: they agree on
 * addresses, data and the lanes that are on. `doubts` is what must hold for that.
 */
bool swp_flow_waves_write_alike(const swp_registers *registers, const swp_insn *insn, int first,
                                int second, unsigned *doubts);

#endif
