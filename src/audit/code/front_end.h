/* SPDX-License-Identifier: Apache-2.0 */
/* What reads a machine language, one for each. */
#ifndef SWP_AUDIT_CODE_FRONT_END_H
#define SWP_AUDIT_CODE_FRONT_END_H

#include "audit/code/insn.h"

typedef struct swp_front_end {
    const char *name;
    /* Whether a text is in this language, so that its errors are about it. */
    bool (*recognises)(swp_slice text);
    swp_status (*read)(swp_context *ctx, swp_slice text, const char *file, swp_machine_code *out);
} swp_front_end;

#endif
