/* SPDX-License-Identifier: Apache-2.0 */
/* `swp audit` of PTX. */
#ifndef SWP_AUDIT_PTX_JUDGE_H
#define SWP_AUDIT_PTX_JUDGE_H

#include "audit/code/slice.h"
#include "swp/audit.h"

/* Reads a text and judges each of its kernels; fills in target, findings and answer. */
swp_status swp_ptx_judge(swp_context *ctx, swp_slice text, const char *file, swp_audit_report *out);

#endif
