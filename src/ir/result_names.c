/* SPDX-License-Identifier: Apache-2.0 */
/* What is found about schedules, by name: hazards, stalls, answers of an audit, differences. */
#include "base/names.h"
#include "swp/audit.h"
#include "swp/diff.h"
#include "swp/explain.h"

static const swp_name kinds[] = {SWP_HAZARDS(SWP_MEANING_ROW)};
static const swp_name causes[] = {SWP_STALLS(SWP_MEANING_ROW)};
static const swp_name answers[] = {SWP_AUDIT_ANSWERS(SWP_MEANING_ROW)};
#define RULE_ROW(constant, number, name, holds, meaning) {(number), (name), (meaning)},
static const swp_name rules[] = {SWP_AUDIT_RULES(RULE_ROW)};
#undef RULE_ROW
#define HOLDING(constant, number, name, holds, meaning) (holds),
static const bool holding[] = {SWP_AUDIT_RULES(HOLDING)};
#undef HOLDING
static const swp_name changes[] = {SWP_AUDIT_CHANGES(SWP_MEANING_ROW)};
static const swp_name differences[] = {SWP_DIFFERENCES(SWP_MEANING_ROW)};
static const swp_name constraints[] = {SWP_ORDER_CONSTRAINTS(SWP_MEANING_ROW)};

const char *swp_hazard_name(swp_hazard_kind kind)
{
    return swp_shown_name(kinds, SWP_COUNT_OF(kinds), (int)kind);
}

const char *swp_hazard_meaning(swp_hazard_kind kind)
{
    return swp_shown_meaning(kinds, SWP_COUNT_OF(kinds), (int)kind);
}

const char *swp_stall_name(swp_stall_cause cause)
{
    return swp_shown_name(causes, SWP_COUNT_OF(causes), (int)cause);
}

const char *swp_stall_meaning(swp_stall_cause cause)
{
    return swp_shown_meaning(causes, SWP_COUNT_OF(causes), (int)cause);
}

const char *swp_audit_answer_name(swp_audit_answer answer)
{
    return swp_shown_name(answers, SWP_COUNT_OF(answers), (int)answer);
}

const char *swp_audit_answer_meaning(swp_audit_answer answer)
{
    return swp_shown_meaning(answers, SWP_COUNT_OF(answers), (int)answer);
}

const char *swp_audit_rule_name(swp_audit_rule rule)
{
    return swp_shown_name(rules, SWP_COUNT_OF(rules), (int)rule);
}

const char *swp_audit_rule_meaning(swp_audit_rule rule)
{
    return swp_shown_meaning(rules, SWP_COUNT_OF(rules), (int)rule);
}

bool swp_audit_rule_holds(swp_audit_rule rule)
{
    return (unsigned)rule < SWP_COUNT_OF(holding) && holding[rule];
}

const char *swp_audit_change_name(swp_audit_change_kind kind)
{
    return swp_shown_name(changes, SWP_COUNT_OF(changes), (int)kind);
}

const char *swp_audit_change_meaning(swp_audit_change_kind kind)
{
    return swp_shown_meaning(changes, SWP_COUNT_OF(changes), (int)kind);
}

const char *swp_difference_name(swp_difference difference)
{
    return swp_shown_name(differences, SWP_COUNT_OF(differences), (int)difference);
}

const char *swp_difference_meaning(swp_difference difference)
{
    return swp_shown_meaning(differences, SWP_COUNT_OF(differences), (int)difference);
}

const char *swp_order_constraint_name(swp_order_constraint constraint)
{
    return swp_shown_name(constraints, SWP_COUNT_OF(constraints), (int)constraint);
}
