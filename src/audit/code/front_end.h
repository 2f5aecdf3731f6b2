/* SPDX-License-Identifier: Apache-2.0 */
/* The table of machine languages that the audit reads. */
#ifndef SWP_AUDIT_CODE_FRONT_END_H
#define SWP_AUDIT_CODE_FRONT_END_H

#include "audit/code/insn.h"

typedef struct swp_front_end {
    const char *name;
    /* Whether a text is in this language, so that its errors are about it. */
    bool (*recognises)(swp_slice text);
    swp_status (*read)(swp_context *ctx, swp_slice text, const char *file, swp_machine_code *out);
} swp_front_end;

extern const swp_front_end swp_amd_front_end;
extern const swp_front_end swp_sass_front_end;

/* E0812 for a text in more than one of the languages that the audit knows. */
swp_status swp_audit_check_language(swp_context *ctx, swp_slice text, const char *file);

/* Reads a text of whatever language it is in; E0811 if it is in none that the audit knows. */
swp_status swp_audit_read_code(swp_context *ctx, swp_slice text, const char *file,
                               swp_machine_code *out);

#endif
