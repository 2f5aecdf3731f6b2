/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of `swp audit` without a schedule. */
#ifndef SWP_CLI_AUDIT_RULES_H
#define SWP_CLI_AUDIT_RULES_H

#include "invocation.h"

/* The rules that are not as by default, one bit each; an exit status that is not EXIT_DONE where a setting is none of them. */
int audit_rules(const cli_invocation *invocation, uint32_t *changed);

#endif
