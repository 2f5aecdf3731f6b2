/* SPDX-License-Identifier: Apache-2.0 */
/* The audit of a file from text to report: each function by itself, and the answer that follows. */
#include "audit/file.h"

#include "audit/advice/advice.h"
#include "audit/flow/assumptions.h"
#include "audit/flow/conflicts.h"
#include "audit/flow/findings.h"
#include "audit/flow/witness.h"
#include "audit/languages.h"
#include "audit/ptx/judge.h"
#include "audit/ptx/launch.h"
#include "audit/ptx/ptx.h"
#include "base/diag.h"
#include "base/require.h"

#include <string.h>

static swp_status add_doubts(swp_context *ctx, const swp_machine_code *code, swp_audit_report *out)
{
    for (size_t i = 0; i < code->doubts.count; i++)
        SWP_TRY(swp_flow_add_note(ctx, &code->doubts.items[i], code->doubts.items[i].unknown,
                                  &out->unknown_instructions));
    return SWP_OK;
}

static swp_status add_unknown_instructions(swp_context *ctx, const swp_flow *flow,
                                           swp_audit_report *out)
{
    for (int b = 0; b < flow->block_count; b++)
        for (int i = flow->blocks[b].first; flow->blocks[b].reached && i < flow->blocks[b].end;
             i++) {
            const swp_insn *insn = &flow->code->insns.items[i];
            out->instructions++;
            if (insn->unknown)
                SWP_TRY(swp_flow_add_note(ctx, insn, insn->unknown, &out->unknown_instructions));
        }
    return SWP_OK;
}

static swp_status add_findings(swp_context *ctx, swp_judged *f, swp_audit_report *out)
{
    swp_conflict_list conflicts = {0};
    SWP_TRY(swp_flow_find_conflicts(&f->fixpoint, &f->lags, &conflicts));
    SWP_TRY(swp_flow_find_witnesses(f->fixpoint.ctx, &f->fixpoint, &conflicts));
    /* Texts outlive what they are about. */
    f->fixpoint.ctx = ctx;
    for (size_t i = 0; i < conflicts.count; i++) {
        swp_audit_finding finding;
        SWP_TRY(swp_flow_conflict_describe(&f->fixpoint, &conflicts.items[i], &finding));
        SWP_TRY(SWP_PUSH(ctx, &out->findings, finding));
    }
    return SWP_OK;
}

static swp_status add_loops(swp_context *ctx, const swp_judged *f, swp_audit_report *out)
{
    for (int l = 0; l < f->flow.loop_count; l++)
        SWP_TRY(swp_flow_add_loop(ctx, &f->flow, l,
                                  f->fixpoint.contexts.counts[f->flow.loops[l].header], out));
    return SWP_OK;
}

swp_status swp_audit_function(swp_context *ctx, swp_context *work, const swp_audit_file *file,
                              const swp_function *function, swp_judged *f, swp_audit_report *out)
{
    SWP_TRY(swp_flow_judge(work, file->name, &file->code, function, f));
    if (!f->flow.block_count)
        return SWP_OK;
    SWP_TRY(add_unknown_instructions(ctx, &f->flow, out));
    SWP_TRY(add_loops(ctx, f, out));
    SWP_TRY(add_findings(ctx, f, out));
    return swp_flow_add_assumptions(&f->fixpoint, out);
}

/* So that a file with many functions takes the memory of the largest one. */
static swp_status audit_alone(swp_context *ctx, const swp_audit_file *file,
                              const swp_function *function, swp_audit_report *out)
{
    swp_judged *f = NULL;
    swp_context *work = swp_context_within(ctx);
    if (!work)
        return swp_pass_on(ctx, swp_why_none(ctx));
    work->diags = ctx->diags;
    swp_status status = SWP_TAKE(work, 1, &f);
    if (status == SWP_OK)
        status = swp_audit_function(ctx, work, file, function, f, out);
    swp_context_free(work);
    return status;
}

static bool has_fault(const swp_audit_report *report)
{
    for (size_t i = 0; i < report->findings.count; i++)
        if (report->findings.items[i].certain)
            return true;
    return report->hazards.count > 0;
}

/* What is not known may do the very thing that seems to be missing. */
static void doubt_findings(swp_audit_report *report)
{
    for (size_t i = 0; report->unknown_instructions.count && i < report->findings.count; i++)
        report->findings.items[i].certain = false;
}

static swp_audit_answer answer_of(const swp_audit_report *report)
{
    if (report->unknown_instructions.count)
        return SWP_AUDIT_UNKNOWN;
    if (has_fault(report))
        return SWP_AUDIT_FAULT;
    if (report->findings.count || report->obstacles.count)
        return SWP_AUDIT_UNKNOWN;
    return report->schedule ? SWP_AUDIT_PROVEN : SWP_AUDIT_NO_FAULT;
}

/* How many waves there are decides whether accesses to LDS need barriers. */
static swp_status warn_of_sizes(swp_context *ctx, const swp_audit_file *file)
{
    static const char hint[] = "keep .max_flat_workgroup_size of its .amdgpu_metadata, which "
                               "clang -S writes at the end of the file";
    const swp_machine_code *code = &file->code;
    for (size_t f = 0; f < code->functions.count; f++) {
        const swp_function *function = &code->functions.items[f];
        bool accesses = false;
        for (int i = function->first; i >= 0 && i < function->end; i++)
            accesses |= swp_code_accesses_lds(&code->insns.items[i]);
        if (accesses && !function->sized)
            SWP_TRY(swp_warn(ctx, SWP_W0813, (swp_place){file->name, function->line, 1}, hint,
                             "the file does not say how many threads %.*s has: judged with %d%s",
                             SWP_SLICE_FORMAT(function->name), function->workgroup,
                             file->sized_as));
    }
    return SWP_OK;
}

swp_status swp_audit_answer_file(swp_context *ctx, const swp_audit_file *file,
                                 swp_audit_report *out)
{
    SWP_TRY(warn_of_sizes(ctx, file));
    doubt_findings(out);
    out->answer = answer_of(out);
    return SWP_OK;
}

/* Straight code is judged as well, where there is something that could go wrong. */
swp_status swp_audit_check_loops(swp_context *ctx, const swp_audit_file *file,
                                 const swp_audit_report *report)
{
    static const char hint[] = "give the kernel whose loop is to be judged, with a trip count that "
                               "the compiler does not know";
    const swp_machine_code *code = &file->code;
    const swp_place place = {file->name, 0, 0};
    if (report->loops.count)
        return SWP_OK;
    /* What is not known may access it. */
    const bool any = report->findings.count || report->unknown_instructions.count;
    for (size_t i = 0; i < code->insns.count; i++)
        if (any || swp_code_accesses_lds(&code->insns.items[i]))
            return swp_warn(ctx, SWP_W0812, place, hint,
                            "no function of this file has a loop: judged as straight code");
    return swp_error(ctx, SWP_E0814, place, hint,
                     "no function of this file has a loop, and none accesses LDS");
}

/* They are judged again: what was found out of them is of no more use, and large. */
static swp_status advise(swp_context *ctx, swp_audit_file *file, swp_audit_report *out)
{
    swp_machine_code *code = &file->code;
    size_t first_loop = 0;
    out->advised = true;
    for (size_t i = 0; i < code->functions.count; i++) {
        swp_judged *f = NULL;
        SWP_TRY(SWP_TAKE(ctx, 1, &f));
        SWP_TRY(swp_flow_judge(ctx, file->name, code, &code->functions.items[i], f));
        if (!f->flow.block_count)
            continue;
        SWP_TRY(swp_advice_find(ctx, file->name, code, f, first_loop, out));
        first_loop += (size_t)f->flow.loop_count;
    }
    return SWP_OK;
}

/* What a launch gives is followed in PTX alone: AMD's code is judged for all arguments, SASS beside its schedule. */
static swp_status refuse_launch(swp_context *ctx, const swp_audit_file *file)
{
    return swp_error(
        ctx, SWP_E0819, (swp_place){file->name, 0, 0},
        file->code.judged ? "leave the launch out: the answer holds for all of them"
                          : "leave the launch out, or give the PTX of the kernel (nvcc -ptx)",
        "a launch is stated for PTX, and this is machine code for %s", file->code.target);
}

static swp_status refuse_rules(swp_context *ctx, const swp_audit_file *file)
{
    return swp_error(ctx, SWP_E0819, (swp_place){file->name, 0, 0}, "leave the settings out",
                     "rules of PTX are set, and this is machine code for %s", file->code.target);
}

swp_status swp_audit_open(swp_context *ctx, swp_slice text, const char *name,
                          const swp_audit_options *options, swp_audit_file *file,
                          swp_audit_report *out)
{
    *file = (swp_audit_file){.name = name, .sized_as = ""};
    *out = (swp_audit_report){.target = "", .main_loop = -1};
    SWP_TRY(swp_code_copy_printable_name(ctx, name ? name : "", &out->file));
    SWP_TRY(swp_audit_check_language(ctx, text, name));
    file->is_ptx = !memchr(text.start, '\0', text.length) && swp_ptx_recognises(text);
    if (file->is_ptx)
        return swp_ptx_judge(ctx, text, name, options, out);
    SWP_TRY(swp_audit_read_code(ctx, text, name, &file->code));
    if (swp_ptx_is_stated(&options->launch))
        return refuse_launch(ctx, file);
    if (options->changed_rules)
        return refuse_rules(ctx, file);
    out->target = file->code.target;
    return add_doubts(ctx, &file->code, out);
}

/* An assembler that orders instructions by itself leaves nothing to judge without what was meant. */
static swp_status refuse_alone(swp_context *ctx, const swp_audit_file *file)
{
    return swp_error(ctx, SWP_E0817, (swp_place){file->name, 0, 0}, "give its schedule: --schedule",
                     "machine code for %s is compared with a schedule, not judged alone",
                     file->code.target);
}

static swp_status audit(swp_context *ctx, swp_slice text, const char *name,
                        const swp_audit_options *options, swp_audit_report *out)
{
    swp_audit_file file;
    SWP_TRY(swp_audit_open(ctx, text, name, options, &file, out));
    if (file.is_ptx)
        return SWP_OK;
    if (!file.code.judged)
        return refuse_alone(ctx, &file);
    for (size_t i = 0; i < file.code.functions.count; i++)
        SWP_TRY(audit_alone(ctx, &file, &file.code.functions.items[i], out));
    SWP_TRY(swp_audit_answer_file(ctx, &file, out));
    if (options->advice && out->answer == SWP_AUDIT_NO_FAULT)
        SWP_TRY(advise(ctx, &file, out));
    return swp_audit_check_loops(ctx, &file, out);
}

swp_status swp_audit_with(swp_context *ctx, const char *text, size_t length, const char *file,
                          const swp_audit_options *options, swp_audit_report *out)
{
    SWP_REQUIRE(ctx, ctx && (text || length == 0) && options && out);
    SWP_REQUIRE(ctx, options->launch.arguments || !options->launch.argument_count);
    return audit(ctx, (swp_slice){text ? text : "", length}, file, options, out);
}

swp_status swp_audit(swp_context *ctx, const char *text, size_t length, const char *file,
                     swp_audit_report *out)
{
    return swp_audit_with(ctx, text, length, file, &(swp_audit_options){0}, out);
}

swp_status swp_audit_advise(swp_context *ctx, const char *text, size_t length, const char *file,
                            swp_audit_report *out)
{
    return swp_audit_with(ctx, text, length, file, &(swp_audit_options){.advice = true}, out);
}
