/* SPDX-License-Identifier: Apache-2.0 */
/* The machine languages that the audit reads. */
#ifndef SWP_AUDIT_LANGUAGES_H
#define SWP_AUDIT_LANGUAGES_H

#include "audit/code/insn.h"

/* E0812 for a text in more than one of the languages that the audit knows. */
swp_status swp_audit_check_language(swp_context *ctx, swp_slice text, const char *file);

/* Reads a text of whatever language it is in; E0811 if it is in none that the audit knows. */
swp_status swp_audit_read_code(swp_context *ctx, swp_slice text, const char *file,
                               swp_machine_code *out);

#endif
