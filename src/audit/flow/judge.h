/* SPDX-License-Identifier: Apache-2.0 */
/* All that is found out of one function: its graph, what holds where, and how far waves are apart. */
#ifndef SWP_AUDIT_FLOW_JUDGE_H
#define SWP_AUDIT_FLOW_JUDGE_H

#include "audit/flow/lag.h"

typedef struct swp_judged {
    swp_flow flow;
    swp_fixpoint fixpoint; /* of a function without code: nothing */
    swp_lags lags;
} swp_judged;

/* `out` must stay where it is. */
swp_status swp_flow_judge(swp_context *ctx, const char *file, const swp_machine_code *code,
                          const swp_function *function, swp_judged *out);

#endif
