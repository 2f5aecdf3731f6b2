/* SPDX-License-Identifier: Apache-2.0 */
/* The registers at the start of each block that LDS addresses and branches behind it are computed from. */
#ifndef SWP_AUDIT_FLOW_DEMAND_H
#define SWP_AUDIT_FLOW_DEMAND_H

#include "audit/flow/control_flow.h"

enum { SWP_REGISTER_WORD = 64 };

typedef struct swp_register_set {
    uint64_t words[(SWP_REG_COUNT + SWP_REGISTER_WORD - 1) / SWP_REGISTER_WORD];
} swp_register_set;

bool swp_flow_register_set_has(const swp_register_set *set, int number);

/* Whether some of what the instruction writes is in the set. */
bool swp_flow_is_demanded(const swp_register_set *set, const swp_insn *insn);

/* What is demanded anywhere in the function, also through registers that are kept in memory. */
void swp_flow_demand_anywhere(const swp_flow *flow, swp_register_set *out);

swp_status swp_flow_demand_find(swp_context *ctx, const swp_flow *flow, swp_register_set **out);

#endif
