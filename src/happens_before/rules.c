/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the rules of warp roles. */
#include "happens_before/rules.h"

const char *swp_happens_rule_meaning(swp_happens_rule rule)
{
    static const char *const meanings[] = {"",
#define ROW(name, meaning) meaning,
                                           SWP_HAPPENS_RULES(ROW) SWP_HAPPENS_CLUSTER_RULES(ROW)
                                               SWP_HAPPENS_FLAT_RULES(ROW)
#undef ROW
    };
    return meanings[rule];
}
