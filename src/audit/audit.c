/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The audit of a file from text to report: each function by itself, then its main loop against the
 * schedule, and the answer that follows from both.
 */
#include "swp/audit.h"

#include "audit/advice/advice.h"
#include "audit/flow/assumptions.h"
#include "audit/flow/conflicts.h"
#include "audit/flow/findings.h"
#include "audit/flow/judge.h"
#include "audit/flow/witness.h"
#include "audit/languages.h"
#include "audit/match/sass_compare.h"
#include "audit/match/sass_roles.h"
#include "audit/match/schedule.h"
#include "audit/ptx/judge.h"
#include "audit/ptx/launch.h"
#include "audit/ptx/ptx.h"
#include "base/diag.h"
#include "base/require.h"
#include "ir/roles.h"
#include "ir/schedule.h"

#include <string.h>

/* The loop that looks most like the main one. */
typedef struct candidate {
    const swp_judged *function; /* NULL: none so far */
    int loop;
    int weight;
    int index; /* among the report's loops */
} candidate;

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

static swp_status add_loops(swp_context *ctx, const swp_judged *f, swp_audit_report *out,
                            candidate *main_loop)
{
    for (int l = 0; l < f->flow.loop_count; l++) {
        const int weight = swp_match_path_weight(&f->flow, l);
        if (weight > main_loop->weight)
            *main_loop = (candidate){f, l, weight, (int)out->loops.count};
        SWP_TRY(swp_flow_add_loop(ctx, &f->flow, l,
                                  f->fixpoint.contexts.counts[f->flow.loops[l].header], out));
    }
    return SWP_OK;
}

/* What is only needed meanwhile is taken from `work`. */
static swp_status audit_function(swp_context *ctx, swp_context *work, const char *file,
                                 const swp_machine_code *code, const swp_function *function,
                                 swp_audit_report *out, candidate *main_loop)
{
    swp_judged *f = NULL;
    SWP_TRY(SWP_TAKE(work, 1, &f));
    SWP_TRY(swp_flow_judge(work, file, code, function, f));
    if (!f->flow.block_count)
        return SWP_OK;
    SWP_TRY(add_unknown_instructions(ctx, &f->flow, out));
    SWP_TRY(add_loops(ctx, f, out, main_loop));
    SWP_TRY(add_findings(ctx, f, out));
    return swp_flow_add_assumptions(&f->fixpoint, out);
}

/* So that a file with many functions takes the memory of the largest one. */
static swp_status audit_alone(swp_context *ctx, const char *file, const swp_machine_code *code,
                              const swp_function *function, swp_audit_report *out)
{
    candidate main_loop = {.index = -1};
    swp_context *work = swp_context_within(ctx);
    if (!work)
        return swp_pass_on(ctx, swp_why_none(ctx));
    work->diags = ctx->diags;
    const swp_status status = audit_function(ctx, work, file, code, function, out, &main_loop);
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

/* Where the file does not say how many threads there are, a schedule does. */
static void size_functions(const swp_schedule *schedule, swp_machine_code *code)
{
    const swp_machine *machine = &schedule->machine;
    const int threads = machine->groups * machine->waves_per_group * SWP_WAVE;
    for (size_t f = 0; f < code->functions.count; f++)
        if (!code->functions.items[f].sized && threads > 0 && threads <= SWP_MOST_THREADS)
            code->functions.items[f].workgroup = threads;
}

/* How many waves there are decides whether accesses to LDS need barriers. */
static swp_status warn_of_sizes(swp_context *ctx, const char *file, const swp_machine_code *code,
                                const swp_schedule *schedule)
{
    static const char hint[] = "keep .max_flat_workgroup_size of its .amdgpu_metadata, which "
                               "clang -S writes at the end of the file";
    for (size_t f = 0; f < code->functions.count; f++) {
        const swp_function *function = &code->functions.items[f];
        bool accesses = false;
        for (int i = function->first; i >= 0 && i < function->end; i++)
            accesses |= swp_code_accesses_lds(&code->insns.items[i]);
        if (accesses && !function->sized)
            SWP_TRY(swp_warn(ctx, SWP_W0813, (swp_place){file, function->line, 1}, hint,
                             "the file does not say how many threads %.*s has: judged with %d%s",
                             SWP_SLICE_FORMAT(function->name), function->workgroup,
                             schedule ? ", as the schedule has" : ""));
    }
    return SWP_OK;
}

/* Straight code is judged as well, where there is something that could go wrong. */
static swp_status judge_without_loop(swp_context *ctx, const char *file,
                                     const swp_machine_code *code, const swp_audit_report *report)
{
    static const char hint[] = "give the kernel whose loop is to be judged, with a trip count that "
                               "the compiler does not know";
    const swp_place place = {file, 0, 0};
    /* What is not known may access it. */
    const bool any = report->findings.count || report->unknown_instructions.count;
    for (size_t i = 0; i < code->insns.count; i++)
        if (any || swp_code_accesses_lds(&code->insns.items[i]))
            return swp_warn(ctx, SWP_W0812, place, hint,
                            "no function of this file has a loop: judged as straight code");
    return swp_error(ctx, SWP_E0814, place, hint,
                     "no function of this file has a loop, and none accesses LDS");
}

static swp_status check_target(swp_context *ctx, const char *file, const swp_machine_code *code,
                               const swp_schedule *schedule)
{
    const unsigned processors = swp_code_processors_of_target(schedule->target);
    if (!processors || processors & code->processor)
        return SWP_OK;
    return swp_error(ctx, SWP_E0816, (swp_place){file, 0, 0},
                     "compile the kernel for the schedule's target, or the schedule for the "
                     "kernel's (--target)",
                     "the code is for %s, the schedule for %s", code->target, schedule->target);
}

static swp_status compare_with(swp_context *ctx, const candidate *main_loop,
                               const swp_schedule *schedule, const char *file,
                               swp_audit_report *out)
{
    swp_path path;
    SWP_TRY(swp_code_copy_printable_name(ctx, schedule->name, &out->schedule));
    if (!main_loop->function)
        return swp_error(ctx, SWP_E0814, (swp_place){file, 0, 0},
                         "give the kernel that carries out the schedule",
                         "no loop of this file multiplies matrices or accesses LDS");
    out->main_loop = main_loop->index;
    SWP_TRY(swp_match_path_find(ctx, &main_loop->function->flow, main_loop->loop, &path));
    return swp_match_schedule(ctx, &path, &main_loop->function->lags, schedule, out);
}

/* They are judged again: what was found out of them is of no more use, and large. */
static swp_status advise(swp_context *ctx, const char *file, swp_machine_code *code,
                         swp_audit_report *out)
{
    size_t first_loop = 0;
    out->advised = true;
    for (size_t i = 0; i < code->functions.count; i++) {
        swp_judged *f = NULL;
        SWP_TRY(SWP_TAKE(ctx, 1, &f));
        SWP_TRY(swp_flow_judge(ctx, file, code, &code->functions.items[i], f));
        if (!f->flow.block_count)
            continue;
        SWP_TRY(swp_advice_find(ctx, file, code, f, first_loop, out));
        first_loop += (size_t)f->flow.loop_count;
    }
    return SWP_OK;
}

/* PTX is judged by itself: ptxas orders what runs (docs/audit.md). */
static swp_status audit_ptx(swp_context *ctx, swp_slice text, const char *file,
                            const swp_audit_options *options, swp_audit_report *out)
{
    const swp_schedule *schedule = options->schedule;
    const swp_audit_note note = {
        .why = "PTX is judged by itself; to compare what ptxas made of it, give cuobjdump -sass"};
    SWP_TRY(swp_ptx_judge(ctx, text, file, &options->launch, out));
    if (!schedule)
        return SWP_OK;
    SWP_TRY(swp_code_copy_printable_name(ctx, schedule->name, &out->schedule));
    SWP_TRY(SWP_PUSH(ctx, &out->obstacles, note));
    out->answer = out->answer == SWP_AUDIT_FAULT ? SWP_AUDIT_FAULT : SWP_AUDIT_UNKNOWN;
    return SWP_OK;
}

/* What a launch gives is followed in PTX alone: AMD's code is judged for all arguments, SASS beside its schedule. */
static swp_status refuse_launch(swp_context *ctx, const char *file, const swp_machine_code *code)
{
    return swp_error(ctx, SWP_E0819, (swp_place){file, 0, 0},
                     code->judged
                         ? "leave the launch out: the answer holds for all of them"
                         : "leave the launch out, or give the PTX of the kernel (nvcc -ptx)",
                     "a launch is stated for PTX, and this is machine code for %s", code->target);
}

static swp_status audit(swp_context *ctx, swp_slice text, const char *file,
                        const swp_audit_options *options, swp_audit_report *out)
{
    const swp_schedule *schedule = options->schedule;
    swp_machine_code code;
    candidate main_loop = {.index = -1};
    *out = (swp_audit_report){.target = "", .main_loop = -1};
    const bool roles = schedule && swp_ir_has_roles(schedule);
    if (schedule && !roles)
        SWP_TRY(swp_ir_check_one_stream(ctx, schedule));
    SWP_TRY(swp_code_copy_printable_name(ctx, file ? file : "", &out->file));
    SWP_TRY(swp_audit_check_language(ctx, text, file));
    if (!memchr(text.start, '\0', text.length) && swp_ptx_recognises(text))
        return audit_ptx(ctx, text, file, options, out);
    SWP_TRY(swp_audit_read_code(ctx, text, file, &code));
    if (swp_ptx_is_stated(&options->launch))
        return refuse_launch(ctx, file, &code);
    out->target = code.target;
    SWP_TRY(add_doubts(ctx, &code, out));
    if (schedule)
        SWP_TRY(check_target(ctx, file, &code, schedule));
    if (roles && !code.judged)
        return swp_match_sass_roles(ctx, file, &code, schedule, out);
    if (roles)
        SWP_TRY(swp_ir_check_one_stream(ctx, schedule));
    if (!code.judged)
        return swp_match_sass(ctx, file, &code, schedule, out);
    if (schedule)
        size_functions(schedule, &code);
    for (size_t i = 0; i < code.functions.count; i++)
        SWP_TRY(schedule ? audit_function(ctx, ctx, file, &code, &code.functions.items[i], out,
                                          &main_loop)
                         : audit_alone(ctx, file, &code, &code.functions.items[i], out));
    if (schedule)
        SWP_TRY(compare_with(ctx, &main_loop, schedule, file, out));
    SWP_TRY(warn_of_sizes(ctx, file, &code, schedule));
    doubt_findings(out);
    out->answer = answer_of(out);
    if (options->advice && out->answer == SWP_AUDIT_NO_FAULT)
        SWP_TRY(advise(ctx, file, &code, out));
    return out->loops.count ? SWP_OK : judge_without_loop(ctx, file, &code, out);
}

swp_status swp_audit_with(swp_context *ctx, const char *text, size_t length, const char *file,
                          const swp_audit_options *options, swp_audit_report *out)
{
    SWP_REQUIRE(ctx, ctx && (text || length == 0) && options && out);
    SWP_REQUIRE(ctx, !options->advice || !options->schedule);
    SWP_REQUIRE(ctx, options->launch.arguments || !options->launch.argument_count);
    return audit(ctx, (swp_slice){text ? text : "", length}, file, options, out);
}

swp_status swp_audit_schedule(swp_context *ctx, const char *text, size_t length, const char *file,
                              const swp_schedule *schedule, swp_audit_report *out)
{
    return swp_audit_with(ctx, text, length, file, &(swp_audit_options){.schedule = schedule}, out);
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
