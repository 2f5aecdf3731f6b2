/* SPDX-License-Identifier: Apache-2.0 */
/* `swp audit` of PTX. */
#ifndef SWP_AUDIT_PTX_JUDGE_H
#define SWP_AUDIT_PTX_JUDGE_H

#include "audit/code/slice.h"
#include "swp/audit.h"

/* Reads a text and judges each of its kernels, as far as the options say; fills in target, findings, launch and answer. */
swp_status swp_ptx_judge(swp_context *ctx, swp_slice text, const char *file,
                         const swp_audit_options *options, swp_audit_report *out);

#endif
