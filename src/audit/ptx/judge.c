/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges the kernels of a file in PTX: each is run with arguments of many values, of those that decide its flow (explore.c); what
 * goes wrong in a run is a fault. Runs say nothing of longer ones: induction.c does, where one argument decides the flow that is
 * not stated.
 */
#include "audit/ptx/judge.h"

#include "audit/code/insn.h"
#include "audit/ptx/box_sizes.h"
#include "audit/ptx/exploration.h"
#include "audit/ptx/launch.h"
#include "audit/ptx/windows.h"
#include "base/diag.h"
#include "base/random.h"
#include "base/text.h"

enum { MOST_REGISTERS = 1 << 17 };

static bool is_concerned(const swp_ptx_exploration *t)
{
    for (int i = t->kernel->first; i < t->kernel->end; i++)
        if (t->module->insns.items[i].kind >= SWP_PTX_LOAD)
            return true;
    return false;
}

/* Nothing is sure to go wrong, and that nothing does is not to be shown by the runs of a single argument. */
static bool is_open(const swp_ptx_exploration *t, size_t findings)
{
    bool sure = false;
    for (size_t i = findings; i < t->out->findings.count; i++)
        sure |= t->out->findings.items[i].certain;
    return !sure && !t->doubt.detail && (t->ends || t->undecided >= 0 || swp_ptx_count_free(t) > 1);
}

static swp_status judge_kernel(swp_ptx_exploration *t)
{
    static const char hint[] = "give it a number of threads (__launch_bounds__, .maxntid)";
    const swp_place place = {t->file, t->kernel->line, 1};
    const int *size = t->kernel->threads;
    t->out->instructions += t->kernel->end - t->kernel->first;
    if (!is_concerned(t))
        return SWP_OK;
    t->concerned = true;
    if (size[0] * size[1] * size[2] > SWP_PTX_MOST_THREADS)
        return swp_error(t->ctx, SWP_E0815, place, hint, "a work group of more than 1024 threads");
    if (t->kernel->registers > MOST_REGISTERS)
        return swp_error(t->ctx, SWP_E0815, place, "unroll less",
                         "a kernel of %d registers; the audit follows %d", t->kernel->registers,
                         MOST_REGISTERS);
    if (swp_ptx_cluster_size(t->kernel) > SWP_PTX_MOST_CLUSTER ||
        swp_ptx_cluster_size(t->kernel) * swp_ptx_warps_of(t->kernel) > SWP_PTX_MOST_WARPS)
        return swp_ptx_add_note(t, -1,
                                "a cluster of more than 1024 threads, or of 17 work groups or "
                                "more, is not followed");
    if (!t->kernel->sized)
        SWP_TRY(swp_warn(t->ctx, SWP_W0813, place, hint,
                         "the file does not say how many threads %.*s has: judged with %d",
                         SWP_SLICE_FORMAT(t->kernel->name), SWP_PTX_MOST_THREADS));
    const size_t findings = t->out->findings.count;
    const size_t notes = t->out->unknown_instructions.count;
    bool shown = false;
    SWP_TRY(swp_ptx_state_boxes(t->ctx, &t->equations, t->arguments.launch));
    SWP_TRY(swp_ptx_try_all(t));
    if (!t->ends && swp_ptx_states_flow(t->arguments.launch))
        SWP_TRY(swp_ptx_compare_launches(t));
    /* What is stated is a number already. */
    if (is_open(t, findings) && !swp_ptx_states_flow(t->arguments.launch))
        SWP_TRY(swp_ptx_show_by_terms(t, &shown));
    if (shown) {
        t->out->findings.count = findings;
        t->out->unknown_instructions.count = notes;
        return SWP_OK;
    }
    return t->ends ? SWP_OK : swp_ptx_report_limits(t);
}

swp_status swp_ptx_judge(swp_context *ctx, swp_slice text, const char *file,
                         const swp_audit_launch *launch, swp_audit_report *out)
{
    swp_ptx_module module;
    bool fault = false;
    bool concerned = false;
    SWP_TRY(swp_ptx_read(ctx, text, file, &module));
    out->target = module.target;
    SWP_TRY(swp_ptx_apply_launch(ctx, file, launch, &module));
    SWP_TRY(swp_ptx_copy_launch(ctx, launch, &out->launch));
    for (size_t i = 0; i < module.kernels.count; i++) {
        swp_ptx_exploration t = {.ctx = ctx,
                                 .file = file,
                                 .module = &module,
                                 .kernel = &module.kernels.items[i],
                                 .out = out,
                                 .arguments.launch = &out->launch,
                                 .random = SWP_RANDOM_SEED,
                                 .undecided = -1,
                                 .unfenced_init = -1};
        if (!swp_ptx_is_asked_for(t.kernel, launch))
            continue;
        SWP_TRY(judge_kernel(&t));
        concerned |= t.concerned;
    }
    if (!concerned)
        return swp_error(ctx, SWP_E0814, (swp_place){file, 0, 0},
                         "give the kernel whose copies and barriers are to be judged",
                         "no kernel of this file accesses memory or orders threads");
    for (size_t i = 0; i < out->findings.count; i++)
        fault |= out->findings.items[i].certain;
    if (fault)
        out->answer = SWP_AUDIT_FAULT;
    else if (out->findings.count || out->unknown_instructions.count)
        out->answer = SWP_AUDIT_UNKNOWN;
    else
        out->answer = SWP_AUDIT_NO_FAULT;
    return SWP_OK;
}
