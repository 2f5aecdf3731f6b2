/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges the kernels of a file in PTX: each is run with arguments of many values, of those that decide its flow (explore.c); what
 * goes wrong in a run is a fault. Runs say nothing of longer ones: induction.c does, where one argument decides the flow that is
 * not stated.
 */
#include "audit/ptx/judge.h"

#include "audit/code/insn.h"
#include "audit/ptx/advice.h"
#include "audit/ptx/block_trials.h"
#include "audit/ptx/box_sizes.h"
#include "audit/ptx/cluster_trials.h"
#include "audit/ptx/exploration.h"
#include "audit/ptx/launch.h"
#include "audit/ptx/liveness.h"
#include "audit/ptx/report.h"
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

/* Not so where the file names each dimension for all launches, or the launch does. */
static bool guesses_shape(const swp_ptx_module *module, const swp_ptx_kernel *kernel)
{
    bool reads = false;
    if ((kernel->sized && !kernel->is_at_most) || kernel->threads[1] * kernel->threads[2] > 1)
        return false;
    for (int i = kernel->first; i < kernel->end; i++) {
        const swp_ptx_insn *insn = &module->insns.items[i];
        for (int o = insn->first; o < insn->end; o++) {
            const swp_ptx_operand *operand = &module->operands.items[o];
            reads |= operand->atom == SWP_PTX_SPECIAL &&
                     (operand->reg == SWP_PTX_TID + 1 || operand->reg == SWP_PTX_TID + 2);
        }
    }
    return reads;
}

/* Nothing is sure to go wrong, and that nothing does is not to be shown by the runs of a single argument. */
static bool is_open(const swp_ptx_exploration *t, size_t findings)
{
    bool closed = false;
    for (size_t i = findings; i < t->told.out->findings.count; i++)
        closed |= t->told.out->findings.items[i].certain || t->told.found->items[i].settled;
    /* What another launch says of boxes is not in the runs that terms are given values for. */
    return !closed && !t->doubt.detail && !t->contradiction.detail &&
           (t->ends || t->faulty || t->undecided >= 0 || swp_ptx_count_free(t) > 1);
}

static swp_status judge_sized(swp_ptx_exploration *t)
{
    if (swp_ptx_cluster_size(t->kernel) > SWP_PTX_MOST_CLUSTER ||
        swp_ptx_cluster_size(t->kernel) * swp_ptx_warps_of(t->kernel) > SWP_PTX_MOST_WARPS)
        return swp_ptx_add_note(t, -1,
                                "a cluster of more than 1024 threads, or of 17 work groups or "
                                "more, is not followed");
    const size_t findings = t->told.out->findings.count;
    const size_t notes = t->told.out->unknown_instructions.count;
    bool shown = false;
    SWP_TRY(swp_ptx_state_boxes(t->ctx, &t->equations, t->arguments.launch));
    SWP_TRY(swp_ptx_try_all(t));
    if (!t->ends && !t->faulty && swp_ptx_states_flow(t->arguments.launch))
        SWP_TRY(swp_ptx_compare_launches(t));
    /* Work groups that are stated are judged one by one. */
    if (is_open(t, findings) && !swp_ptx_states_grid(t->arguments.launch))
        SWP_TRY(swp_ptx_show_by_terms(t, &shown));
    if (shown) {
        t->told.out->findings.count = t->told.found->count = findings;
        t->told.out->unknown_instructions.count = notes;
        return swp_ptx_settle_aside(t, findings, notes);
    }
    if (!t->ends || (t->faulty && !t->first))
        SWP_TRY(swp_ptx_report_limits(t));
    return swp_ptx_settle_aside(t, findings, notes);
}

static bool is_decided(const swp_ptx_exploration *t, size_t findings, size_t notes)
{
    bool certain = false;
    for (size_t i = findings; i < t->told.out->findings.count; i++)
        certain |= t->told.out->findings.items[i].certain;
    return certain || (t->told.out->findings.count == findings &&
                       t->told.out->unknown_instructions.count == notes);
}

/* Where neither the file nor the launch says in which cluster it runs, and it asks, clusters are tried. */
static swp_status judge_clustered(swp_ptx_exploration *t)
{
    const size_t findings = t->told.out->findings.count;
    const size_t notes = t->told.out->unknown_instructions.count;
    const size_t assumptions = t->told.out->assumptions.count;
    const swp_ptx_exploration before = *t;
    SWP_TRY(judge_sized(t));
    if (t->kernel->cluster[0] || !t->lacks_cluster || is_decided(t, findings, notes))
        return SWP_OK;
    *t = before;
    t->told.out->findings.count = t->told.found->count = findings;
    t->told.out->unknown_instructions.count = notes;
    t->told.out->assumptions.count = assumptions;
    return swp_ptx_try_clusters(t, judge_sized);
}

static const char size_hint[] =
    "give it a number of threads (--block, __launch_bounds__, .maxntid)";

static swp_status judge_unsized(swp_ptx_exploration *t)
{
    swp_ptx_block_sizes sizes;
    char *names = NULL;
    SWP_TRY(swp_ptx_find_block_sizes(t->ctx, t->module, t->kernel, &sizes));
    SWP_TRY(swp_ptx_list_block_sizes(t->ctx, &sizes, &names));
    SWP_TRY(swp_warn(t->ctx, SWP_W0813, (swp_place){t->file, t->kernel->line, 1}, size_hint,
                     "the file does not say how many threads %.*s has: judged with %s",
                     SWP_SLICE_FORMAT(t->kernel->name), names));
    return swp_ptx_try_block_sizes(t, &sizes, judge_clustered);
}

static swp_status judge_kernel(swp_ptx_exploration *t)
{
    const swp_place place = {t->file, t->kernel->line, 1};
    const int *size = t->kernel->threads;
    t->told.out->instructions += t->kernel->end - t->kernel->first;
    if (!is_concerned(t))
        return SWP_OK;
    t->concerned = true;
    if (size[0] * size[1] * size[2] > SWP_PTX_MOST_THREADS)
        return swp_error(t->ctx, SWP_E0815, place, size_hint,
                         "a work group of more than 1024 threads");
    if (t->kernel->registers > MOST_REGISTERS)
        return swp_error(t->ctx, SWP_E0815, place, "unroll less",
                         "a kernel of %d registers; the audit follows %d", t->kernel->registers,
                         MOST_REGISTERS);
    return t->kernel->sized ? judge_clustered(t) : judge_unsized(t);
}

/* What a kernel's findings and notes come to. */
static void answer_kernel(const swp_ptx_exploration *t, size_t notes, swp_audit_kernel *out)
{
    const bool open = t->told.out->findings.count > t->told.first_finding;
    bool sure = false;
    for (size_t i = t->told.first_finding; i < t->told.out->findings.count; i++)
        sure |= t->told.out->findings.items[i].certain;
    out->unknown = (int)(t->told.out->unknown_instructions.count - notes);
    out->answer = sure                   ? SWP_AUDIT_FAULT
                  : open || out->unknown ? SWP_AUDIT_UNKNOWN
                                         : SWP_AUDIT_NO_FAULT;
}

static swp_status judge(swp_ptx_exploration *t)
{
    swp_audit_report *out = t->told.out;
    swp_audit_kernel kernel = {.line = t->kernel->line, .proven = "", .open = ""};
    const size_t notes = out->unknown_instructions.count;
    t->random = SWP_RANDOM_SEED;
    t->undecided = t->too_many = -1;
    for (int rule = 0; rule < SWP_AUDIT_RULE_COUNT; rule++)
        t->assumed[rule] = -1;
    t->told.first_assumption = out->assumptions.count;
    t->guesses_shape = guesses_shape(t->module, t->kernel);
    t->told.number = (int)out->kernels.count;
    t->told.first_finding = out->findings.count;
    SWP_TRY(swp_ptx_name_kernel(t->ctx, t->kernel, &kernel.symbol, &kernel.name));
    SWP_TRY(SWP_PUSH(t->ctx, &out->kernels, kernel));
    SWP_TRY(judge_kernel(t));
    if (!t->concerned) {
        out->kernels.count--;
        return SWP_OK;
    }
    answer_kernel(t, notes, &out->kernels.items[t->told.number]);
    return swp_ptx_describe_answer(t, &out->kernels.items[t->told.number]);
}

/* The first finding is enough here. */
static swp_status judge_again(swp_context *ctx, const swp_ptx_exploration *of, bool *holds,
                              size_t *assumptions)
{
    swp_audit_report scratch = {.target = of->module->target};
    swp_ptx_findings found = {0};
    swp_ptx_exploration t = {.ctx = ctx,
                             .file = of->file,
                             .module = of->module,
                             .kernel = of->kernel,
                             .told = {.out = &scratch, .found = &found},
                             .first = true,
                             .arguments.launch = of->arguments.launch,
                             .changed_rules = of->changed_rules};
    SWP_TRY(judge(&t));
    /* What orders nothing any more needs no audit, and is in order. */
    *holds = !scratch.kernels.count || scratch.kernels.items[0].answer == SWP_AUDIT_NO_FAULT;
    *assumptions = scratch.assumptions.count;
    return SWP_OK;
}

static swp_status advise(const swp_ptx_exploration *t, swp_ptx_module *module)
{
    if (!t->concerned || t->told.out->kernels.items[t->told.number].answer != SWP_AUDIT_NO_FAULT)
        return SWP_OK;
    return swp_ptx_advise(t, module, t->told.out->assumptions.count - t->told.first_assumption,
                          judge_again);
}

static swp_audit_answer answer_of(const swp_audit_report *report)
{
    swp_audit_answer answer = SWP_AUDIT_NO_FAULT;
    for (size_t i = 0; i < report->kernels.count; i++)
        if (report->kernels.items[i].answer == SWP_AUDIT_FAULT)
            return SWP_AUDIT_FAULT;
        else if (report->kernels.items[i].answer == SWP_AUDIT_UNKNOWN)
            answer = SWP_AUDIT_UNKNOWN;
    return answer;
}

swp_status swp_ptx_judge(swp_context *ctx, swp_slice text, const char *file,
                         const swp_audit_options *options, swp_audit_report *out)
{
    const swp_audit_launch *launch = &out->launch;
    swp_ptx_findings found = {0};
    swp_ptx_module module;
    SWP_TRY(swp_ptx_read(ctx, text, file, &module));
    out->target = module.target;
    out->advised = options->advice;
    SWP_TRY(swp_ptx_copy_launch(ctx, &options->launch, &module, file, &out->launch));
    SWP_TRY(swp_ptx_apply_launch(ctx, file, launch, &module));
    for (size_t i = 0; i < module.kernels.count; i++) {
        swp_ptx_exploration t = {.ctx = ctx,
                                 .file = file,
                                 .module = &module,
                                 .kernel = &module.kernels.items[i],
                                 .told = {.out = out, .found = &found},
                                 .first = options->first,
                                 .arguments.launch = &out->launch,
                                 .changed_rules = options->changed_rules};
        if (!swp_ptx_is_asked_for(t.kernel, launch))
            continue;
        SWP_TRY(swp_ptx_find_shared_addresses(ctx, &module, &module.kernels.items[i]));
        SWP_TRY(swp_ptx_find_behind_fences(ctx, &module, &module.kernels.items[i]));
        SWP_TRY(swp_ptx_find_wait_tests(ctx, &module, &module.kernels.items[i]));
        SWP_TRY(judge(&t));
        if (options->advice)
            SWP_TRY(advise(&t, &module));
    }
    if (!out->kernels.count)
        return swp_error(ctx, SWP_E0814, (swp_place){file, 0, 0},
                         "give the kernel whose copies and barriers are to be judged",
                         "no kernel of this file accesses memory or orders threads");
    out->answer = answer_of(out);
    return swp_ptx_fold_findings(ctx, &module, &found, out);
}
