/* SPDX-License-Identifier: Apache-2.0 */
/* Small pieces of gfx950 assembly, audited. */
#ifndef TEST_AUDIT_SNIPPETS_H
#define TEST_AUDIT_SNIPPETS_H

#include "fixture.h"

#include "swp/audit.h"

#include <stdio.h>
#include <string.h>

/* What goes before the body of a kernel `k` with four waves, so that line 4 is the body's first. */
#define KERNEL_HEAD                                                                                \
    ".amdgcn_target \"amdgcn-amd-amdhsa--gfx950\"\n"                                               \
    ".amdhsa_kernel k\n"                                                                           \
    "k:\n"
/* s[0:1] point to the arguments, the first of which are in s2 to s15. */
#define KERNEL_TAIL(workgroup)                                                                     \
    "s_endpgm\n"                                                                                   \
    ".amdhsa_kernel k\n"                                                                           \
    ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n"                                                    \
    ".amdhsa_user_sgpr_kernarg_preload_length 14\n"                                                \
    ".end_amdhsa_kernel\n"                                                                         \
    ".amdgpu_metadata\n"                                                                           \
    "amdhsa.kernels:\n"                                                                            \
    "  - .args:\n"                                                                                 \
    "    .max_flat_workgroup_size: " #workgroup "\n"                                               \
    "    .name: k\n"                                                                               \
    ".end_amdgpu_metadata\n"

/* A kernel whose loop is `body`; line 1 of the body is line 5 of the file. */
#define LOOP(body) KERNEL_HEAD "loop:\n" body "s_cbranch_scc1 loop\n" KERNEL_TAIL(256)
enum { BODY_LINE = 5 };

static inline swp_audit_report audit_text(swp_context *ctx, const char *text)
{
    swp_audit_report report;
    assert_ok(ctx, swp_audit(ctx, text, strlen(text), "k.s", &report));
    return report;
}

/* Fails, naming what was found, unless the answer is this one. */
static inline void expect_answer(swp_context *ctx, const char *text, swp_audit_answer answer,
                                 const char *file, int line)
{
    const swp_audit_report report = audit_text(ctx, text);
    if (report.answer == answer)
        return;
    for (size_t i = 0; i < report.findings.count; i++)
        print_error("line %d: %s: %s\n", report.findings.items[i].at.line,
                    swp_hazard_name(report.findings.items[i].kind),
                    report.findings.items[i].detail);
    for (size_t i = 0; i < report.unknown_instructions.count; i++)
        print_error("line %d: unknown: %s\n", report.unknown_instructions.items[i].at.line,
                    report.unknown_instructions.items[i].at.text);
    print_error("answer %s, wanted %s, for\n%s", swp_audit_answer_name(report.answer),
                swp_audit_answer_name(answer), text);
    _fail(file, line);
}
#define assert_answer(ctx, text, answer) expect_answer(ctx, text, answer, __FILE__, __LINE__)

/* Fails unless there is a sure finding of this kind at this line about that other line. */
static inline void expect_fault(swp_context *ctx, const char *text, swp_hazard_kind kind, int at,
                                int other, const char *file, int line)
{
    const swp_audit_report report = audit_text(ctx, text);
    for (size_t i = 0; i < report.findings.count; i++) {
        const swp_audit_finding *found = &report.findings.items[i];
        if (found->kind == kind && found->certain && found->at.line == at &&
            found->other.line == other)
            return;
    }
    for (size_t i = 0; i < report.findings.count; i++)
        print_error("line %d against %d: %s: %s\n", report.findings.items[i].at.line,
                    report.findings.items[i].other.line,
                    swp_hazard_name(report.findings.items[i].kind),
                    report.findings.items[i].detail);
    print_error("no %s at line %d about line %d in\n%s", swp_hazard_name(kind), at, other, text);
    _fail(file, line);
}
#define assert_fault(ctx, text, kind, at, other)                                                   \
    expect_fault(ctx, text, kind, at, other, __FILE__, __LINE__)

#endif
