/* SPDX-License-Identifier: Apache-2.0 */
/* Asks a run by all rules about warp roles, in their order. */
#include "verify/roles.h"

typedef struct rule {
    int rank;
    swp_status (*judge)(swp_role_judge *judge);
} rule;

static const rule rules[] = {
#define ROW(name, rank, judge) {rank, judge},
    SWP_ROLE_RULES(ROW)
#undef ROW
};

swp_status swp_verify_role_judge_run(swp_role_judge *judge, int *rank)
{
    *rank = 0;
    for (int i = 0; i < SWP_ROLE_RULE_COUNT; i++) {
        const bool ends = judge->found || judge->is_cut_short;
        if (i > 0 && ends && rules[i].rank > rules[i - 1].rank &&
            swp_verify_role_holds(judge, SWP_HAPPENS_FIRST_KIND))
            break;
        judge->rule = (swp_role_rule)i;
        SWP_TRY(rules[i].judge(judge));
        judge->found |= judge->progress && judge->progress->judged[i].found;
        if (judge->found || judge->is_cut_short)
            *rank = rules[i].rank + 1;
    }
    return SWP_OK;
}
