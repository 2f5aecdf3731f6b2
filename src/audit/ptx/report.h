/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of kernels in PTX beside what their runs show: names, and which findings are one. */
#ifndef SWP_AUDIT_PTX_REPORT_H
#define SWP_AUDIT_PTX_REPORT_H

#include "audit/ptx/run.h"
#include "base/text.h"

/* As the file writes it, and as its author does: without the types of its parameters, arguments of templates shortened. */
swp_status swp_ptx_name_kernel(swp_context *ctx, const swp_ptx_kernel *kernel, const char **symbol,
                               const char **name);

/* Adds those who execute the instructions of another finding of the same two, and what waits may leave. */
void swp_ptx_join_finding(swp_ptx_finding *to, const swp_ptx_finding *from);

/* Says who executes the two instructions: "line 12 is by warps 0 to 3, line 20 by warp 4 (lane 0)", or who executes the one. */
swp_status swp_ptx_tell_threads(swp_context *ctx, const swp_ptx_module *module,
                                const swp_ptx_finding *found, swp_audit_finding *out);

/* "line 12: 1 of 2 arrivals have come, and copies bring 4096 of 8192 bytes" */
void swp_ptx_add_facts(swp_text *text, const swp_ptx_module *module, const swp_ptx_finding *found);

/* Which instruction is to be inserted where; the finding's own hint, if it has one. */
swp_status swp_ptx_write_hint(swp_context *ctx, const swp_ptx_module *module,
                              const swp_ptx_finding *found, const char **out);

/* Of two accesses, of which a run finds either first. */
static inline bool swp_ptx_is_race(swp_hazard_kind kind)
{
    return kind == SWP_STALE_READ || kind == SWP_OVERWRITTEN || kind == SWP_WRITE_RACE;
}

/* Of a name: the part that instances of one template have in common. */
size_t swp_ptx_template_length(const char *name);

/*
 * What is one fault at several places stands as one, and the certain ones first. `found`: what each of the report's findings is
 * about.
 */
swp_status swp_ptx_fold_findings(swp_context *ctx, const swp_ptx_module *module,
                                 swp_ptx_findings *found, swp_audit_report *out);

#endif
