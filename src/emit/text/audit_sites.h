/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions in the text of an audit: where they stand, in the file and in its source. */
#ifndef SWP_EMIT_TEXT_AUDIT_SITES_H
#define SWP_EMIT_TEXT_AUDIT_SITES_H

#include "base/text.h"
#include "swp/audit.h"

/* "k.cu:7 (k.ptx:12): ", "k.s:12: ", or without a line where there is none. */
void swp_emit_audit_place(swp_text *text, const char *file, const swp_audit_site *site);

/* A line with the instruction, and its source where that is known; nothing where there is no instruction. */
void swp_emit_audit_site(swp_text *text, const swp_audit_site *site, const char *remark);

/* Where else it goes wrong alike. */
void swp_emit_audit_also(swp_text *text, const swp_audit_finding *finding);

swp_tone swp_emit_audit_tone(swp_audit_answer answer);

/* A line with what is said of a kernel. */
void swp_emit_audit_answer(swp_text *text, const swp_audit_report *report,
                           const swp_audit_kernel *kernel);

/* A line for each kernel, where there are several, and what is shown of it and what is not. */
void swp_emit_audit_kernels(swp_text *text, const swp_audit_report *report);

#endif
