/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the proof's rules. */
#include "verify/bodies/rules.h"

const char *swp_bodies_rule_meaning(swp_rule rule)
{
    static const char *const meanings[] = {
#define ROW(name, meaning) meaning,
        SWP_RULES(ROW)
#undef ROW
    };
    if (rule < SWP_RULE_OF_HAZARDS)
        return meanings[rule];
    return rule == SWP_NO_RULE ? ""
                               : swp_hazard_meaning((swp_hazard_kind)(rule - SWP_RULE_OF_HAZARDS));
}
