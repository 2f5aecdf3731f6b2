/* SPDX-License-Identifier: Apache-2.0 */
/* Where the branches of machine code go. */
#ifndef SWP_AUDIT_CODE_TARGETS_H
#define SWP_AUDIT_CODE_TARGETS_H

#include "audit/code/insn.h"

/*
 * Gives each branch the instruction of its label. E0813 for labels that are missing or stand twice, and for functions that
 * control leaves elsewhere than at their end.
 */
swp_status swp_code_resolve_targets(swp_context *ctx, const char *file, swp_machine_code *code);

#endif
