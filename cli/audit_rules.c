/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of `swp audit` without a schedule: rules of the machine that PTX leaves open. A setting that is none does nothing, and is refused. */
#include "audit_rules.h"

#include <stdio.h>
#include <string.h>

static bool find_rule(const char *path, swp_audit_rule *out)
{
    for (int rule = 0; rule < SWP_AUDIT_RULE_COUNT; rule++) {
        *out = (swp_audit_rule)rule;
        if (strcmp(path, swp_audit_rule_name(*out)) == 0)
            return true;
    }
    return false;
}

static int refuse(const cli_invocation *invocation, const cli_setting *setting)
{
    char hint[512] = "without --schedule there are";
    size_t length = strlen(hint);
    for (int rule = 0; rule < SWP_AUDIT_RULE_COUNT && length < sizeof hint; rule++)
        length += (size_t)snprintf(hint + length, sizeof hint - length, "%s %s=true|false",
                                   rule ? "," : "", swp_audit_rule_name((swp_audit_rule)rule));
    return option_reject(invocation, setting->option, setting->text.text, hint);
}

int audit_rules(const cli_invocation *invocation, uint32_t *changed)
{
    *changed = 0;
    if (invocation->target.text)
        return option_reject(invocation, OPTION_TARGET, invocation->target.text,
                             "leave it out: the file says what it is compiled for");
    for (const cli_setting *s = invocation->settings; s; s = s->next) {
        swp_audit_rule rule;
        const bool on = strcmp(s->value, "true") == 0;
        if (!find_rule(s->path, &rule) || (!on && strcmp(s->value, "false") != 0))
            return refuse(invocation, s);
        *changed &= ~(UINT32_C(1) << rule);
        *changed |= (uint32_t)(on != swp_audit_rule_holds(rule)) << rule;
    }
    return EXIT_DONE;
}
