/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges kernels in PTX: each is run with arguments of many values, of those that decide its flow; what goes wrong in a run is a
 * fault. Runs say nothing of longer ones.
 */
#include "audit/ptx/judge.h"

#include "audit/code/insn.h"
#include "audit/ptx/run.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"

enum {
    MOST_REGISTERS = 1 << 17,
    MOST_NEEDED = 10,     /* arguments that decide the flow */
    MOST_SMALL = 31,      /* values of one, from 0 */
    MOST_UNIT = 2048,     /* elements of a pass that are looked for */
    BASES = 2,            /* values of the others, from 1 */
    MOST_STEPS = 16000000 /* of a kernel's runs together */
};

typedef struct judge {
    swp_context *ctx;
    const char *file;
    const swp_ptx_module *module;
    const swp_ptx_kernel *kernel;
    swp_audit_report *out;
    swp_ptx_arguments arguments;
    swp_ptx_sums sums;
    swp_ptx_places places;
    swp_ptx_places sources;
    bool concerned; /* it accesses shared memory, or orders threads */
    bool restarts;  /* another argument turned out to be needed */
    bool ends;      /* a fault, or a doubt */
    bool scouts;    /* this run only looks where copies write */
    bool too_long;  /* a run is not followed to its end */
    int64_t steps;
    int64_t last_steps; /* of the last run */
    int runs;           /* that ended */
    int undecided;
    int unfenced_init;
} judge;

/* --- findings --- */

static swp_status site_of(const judge *j, int insn, swp_audit_site *out)
{
    *out = (swp_audit_site){0};
    if (insn < 0)
        return SWP_OK;
    out->line = j->module->insns.items[insn].line;
    return swp_code_copy_printable(j->ctx, j->module->insns.items[insn].text, &out->text);
}

static swp_status site_of_kernel(const judge *j, swp_audit_site *out)
{
    const char *name = NULL;
    *out = (swp_audit_site){.line = j->kernel->line};
    SWP_TRY(swp_code_copy_printable(j->ctx, j->kernel->name, &name));
    char *text = NULL;
    SWP_TRY(swp_format(j->ctx, &text, "kernel %s", name));
    out->text = text;
    return SWP_OK;
}

static bool has_zero(const judge *j)
{
    bool zero = false;
    for (int i = 0; i < j->arguments.count; i++) {
        const swp_ptx_argument *argument = &j->arguments.items[i];
        zero |= argument->given && argument->param >= 0 && argument->value == 0;
    }
    return zero;
}

static void add_argument(const swp_ptx_argument *argument, swp_text *text)
{
    static const char *const special[] = {"%ctaid.x",  "%ctaid.y",  "%ctaid.z",
                                          "%nctaid.x", "%nctaid.y", "%nctaid.z"};
    if (argument->param < 0)
        swp_text_format(text, "%s", special[argument->offset - SWP_PTX_CTAID]);
    else if (argument->offset)
        swp_text_format(text, "parameter %d at byte %d", argument->param, (int)argument->offset);
    else
        swp_text_format(text, "parameter %d", argument->param);
}

static void add_arguments(const judge *j, swp_text *text)
{
    const char *before = "; seen with ";
    for (int i = 0; i < j->arguments.count; i++) {
        const swp_ptx_argument *argument = &j->arguments.items[i];
        if (!argument->given)
            continue;
        swp_text_format(text, "%s", before);
        add_argument(argument, text);
        swp_text_format(text, " = %d", (int)argument->value);
        before = ", ";
    }
}

static swp_status add_note(const judge *j, int insn, const char *why)
{
    swp_audit_note note = {.why = why};
    for (size_t i = 0; i < j->out->unknown_instructions.count; i++)
        if (insn >= 0 &&
            j->out->unknown_instructions.items[i].at.line == j->module->insns.items[insn].line)
            return SWP_OK;
    SWP_TRY(site_of(j, insn, &note.at));
    if (insn < 0)
        SWP_TRY(site_of_kernel(j, &note.at));
    return SWP_PUSH(j->ctx, &j->out->unknown_instructions, note);
}

static swp_status add_finding(judge *j, const swp_ptx_finding *found, bool certain)
{
    swp_audit_finding finding = {
        .kind = found->kind, .certain = certain, .should_be = "", .hint = found->hint};
    swp_text detail = {.ctx = j->ctx};
    char *text = NULL;
    swp_text_format(&detail, "%s", found->detail);
    add_arguments(j, &detail);
    SWP_TRY(swp_text_end(&detail, &text, NULL));
    finding.detail = text;
    if (found->high)
        SWP_TRY(swp_format(j->ctx, &text, "shared bytes %d to %d", (int)found->low,
                           (int)found->high - 1));
    finding.place = found->high ? text : "order of the threads";
    SWP_TRY(site_of(j, found->at, &finding.at));
    SWP_TRY(site_of(j, found->other, &finding.other));
    return SWP_PUSH(j->ctx, &j->out->findings, finding);
}

/* --- runs --- */

/* Values to begin with: one work group, and as many of all else as the base says. */
static uint64_t base_value(const swp_ptx_argument *argument, int base)
{
    if (argument->param < 0)
        return argument->offset >= SWP_PTX_NCTAID;
    return (uint64_t)base;
}

static swp_status need(judge *j, const swp_ptx_run *run)
{
    int given = 0;
    for (int i = 0; i < j->arguments.count; i++) {
        j->arguments.items[i].given |= run->needed >> i & 1;
        given += j->arguments.items[i].given;
    }
    j->restarts = true;
    if (given <= MOST_NEEDED)
        return SWP_OK;
    j->ends = true;
    return add_note(j, run->finding.at, "more than 10 arguments decide the flow of the kernel");
}

static swp_status take_result(judge *j, const swp_ptx_run *run)
{
    j->last_steps = run->steps;
    if (run->scouts && run->outcome != SWP_PTX_NEEDS)
        return SWP_OK;
    j->steps += run->steps;
    j->undecided = run->undecided >= 0 ? run->undecided : j->undecided;
    j->unfenced_init = run->unfenced_init >= 0 ? run->unfenced_init : j->unfenced_init;
    switch (run->outcome) {
    case SWP_PTX_NEEDS:
        return need(j, run);
    case SWP_PTX_FAULT:
        j->ends = true;
        return add_finding(j, &run->finding, run->undecided < 0 && !has_zero(j));
    case SWP_PTX_DOUBT:
        j->ends = !has_zero(j);
        return j->ends ? add_note(j, run->finding.at, run->finding.detail) : SWP_OK;
    case SWP_PTX_TOO_LONG:
        j->too_long |= !has_zero(j);
        return SWP_OK;
    default:
        j->runs += run->outcome == SWP_PTX_ENDED;
        return SWP_OK;
    }
}

static void set_up(judge *j, swp_context *ctx, bool takes, swp_ptx_run *run)
{
    *run = (swp_ptx_run){.ctx = ctx,
                         .scouts = j->scouts,
                         .outer = j->ctx,
                         .module = j->module,
                         .kernel = j->kernel,
                         .arguments = &j->arguments,
                         .sums = &j->sums,
                         .places = &j->places,
                         .sources = &j->sources,
                         .takes = takes};
}

static swp_status run_once(judge *j, bool takes)
{
    swp_context inner = *j->ctx;
    swp_ptx_run *run = NULL;
    inner.arena = swp_arena_new(&j->ctx->arena->allocator);
    if (!inner.arena)
        return swp_out_of_memory(j->ctx);
    swp_status status = SWP_TAKE(&inner, 1, &run);
    if (status == SWP_OK) {
        set_up(j, &inner, takes, run);
        status = swp_ptx_run_follow(run);
    }
    if (status == SWP_OK)
        status = take_result(j, run);
    swp_arena_free(inner.arena);
    return status;
}

static swp_status run_both(judge *j)
{
    j->undecided = -1;
    SWP_TRY(run_once(j, false));
    if (j->undecided >= 0 && !j->ends && !j->restarts)
        SWP_TRY(run_once(j, true));
    return SWP_OK;
}

/* How much boxes bring and stores read shows in the places of others: these are looked for before anything is judged. */
static swp_status scout(judge *j)
{
    j->scouts = true;
    SWP_TRY(run_once(j, false));
    j->scouts = false;
    return SWP_OK;
}

static swp_status scout_with(judge *j, swp_ptx_argument *argument, int64_t value)
{
    argument->value = (uint64_t)value;
    return scout(j);
}

/* How many elements a pass takes, of an argument that counts these: one more makes the run longer. */
static swp_status find_unit(judge *j, swp_ptx_argument *argument)
{
    argument->unit = 1;
    SWP_TRY(scout_with(j, argument, 1));
    const int64_t first = j->last_steps;
    for (int unit = 1; unit <= MOST_UNIT && !j->restarts; unit *= 2) {
        SWP_TRY(scout_with(j, argument, unit + 1));
        if (j->last_steps == first)
            continue;
        argument->unit = unit;
        break;
    }
    if (!j->restarts)
        SWP_TRY(scout_with(j, argument, (int64_t)MOST_SMALL * argument->unit));
    return SWP_OK;
}

static swp_status run_values(judge *j, swp_ptx_argument *argument, int unit)
{
    for (int i = 1; i <= MOST_SMALL; i++) {
        if (j->ends || j->restarts || j->steps > MOST_STEPS)
            break;
        argument->value = (uint64_t)i * (uint64_t)unit;
        SWP_TRY(run_both(j));
    }
    return SWP_OK;
}

/* One argument takes many values. */
static swp_status vary(judge *j, swp_ptx_argument *argument)
{
    const uint64_t kept = argument->value;
    argument->unit = 1;
    if (argument->param >= 0)
        SWP_TRY(find_unit(j, argument));
    SWP_TRY(run_values(j, argument, 1));
    if (argument->unit > 1)
        SWP_TRY(run_values(j, argument, argument->unit));
    argument->value = 0;
    if (!j->ends && !j->restarts)
        SWP_TRY(run_both(j));
    argument->value = kept;
    return SWP_OK;
}

static swp_status run_all(judge *j)
{
    j->restarts = false;
    for (int base = 1; base <= BASES; base++) {
        int given = 0;
        for (int i = 0; i < j->arguments.count; i++)
            j->arguments.items[i].value = base_value(&j->arguments.items[i], base);
        SWP_TRY(scout(j));
        if (!j->restarts)
            SWP_TRY(run_both(j));
        for (int i = 0; i < j->arguments.count && !j->ends && !j->restarts; i++)
            if (j->arguments.items[i].given) {
                given += j->arguments.items[i].param >= 0;
                SWP_TRY(vary(j, &j->arguments.items[i]));
            }
        if (j->ends || j->restarts || given <= 1)
            break;
    }
    return SWP_OK;
}

/* The one argument that decides the flow; NULL: there is none, or there are more. */
static swp_ptx_argument *only_argument(judge *j, int *given)
{
    swp_ptx_argument *only = NULL;
    *given = 0;
    for (int i = 0; i < j->arguments.count; i++) {
        if (!j->arguments.items[i].given)
            continue;
        only = &j->arguments.items[i];
        ++*given;
    }
    return *given == 1 ? only : NULL;
}

/* Runs of all lengths are shown to be in order, where that can be shown. */
static swp_status tell_length(judge *j)
{
    static const char none[] = "no run of this kernel came to its end";
    static const char others[] =
        "in no run that was followed anything goes wrong; that all others are like these is not "
        "shown, as more than one argument decides the flow";
    static const char longer[] =
        "in runs of up to 31 passes nothing goes wrong; that longer ones are like these could not "
        "be shown";
    bool repeats = false;
    int64_t most = 0;
    int given = 0;
    swp_ptx_run *form = NULL;
    swp_ptx_argument *argument = only_argument(j, &given);
    if (!j->runs)
        return add_note(j, -1, none);
    if (!given)
        return SWP_OK;
    if (!argument)
        return add_note(j, -1, others);
    SWP_TRY(SWP_TAKE(j->ctx, 1, &form));
    set_up(j, j->ctx, false, form);
    SWP_TRY(swp_ptx_repeats(form, argument, MOST_SMALL + 1, &repeats, &most));
    if (!repeats)
        return add_note(j, -1, longer);
    char *why = NULL;
    swp_text text = {.ctx = j->ctx};
    add_argument(argument, &text);
    swp_text_format(&text, " is from 0 to %d", (int)most);
    SWP_TRY(swp_text_end(&text, &why, NULL));
    swp_audit_note note = {.why = why};
    SWP_TRY(site_of_kernel(j, &note.at));
    return SWP_PUSH(j->ctx, &j->out->assumptions, note);
}

static swp_status assume(const judge *j, int insn, const char *why)
{
    swp_audit_note note = {.why = why};
    SWP_TRY(site_of(j, insn, &note.at));
    return SWP_PUSH(j->ctx, &j->out->assumptions, note);
}

/* The sizes of boxes are in tensor maps, which PTX does not show. */
static swp_status add_assumptions(const judge *j)
{
    int tensor = j->kernel->first;
    while (tensor < j->kernel->end && (j->module->insns.items[tensor].kind != SWP_PTX_BULK_LOAD ||
                                       !swp_ptx_has(j->module->insns.items[tensor].name, "tensor")))
        tensor++;
    if (tensor < j->kernel->end)
        SWP_TRY(
            assume(j, tensor, "the copies of a phase bring together the bytes that it expects"));
    if (j->unfenced_init >= 0)
        SWP_TRY(
            assume(j, j->unfenced_init,
                   "copies see that the mbarrier is initialised, with no fence.mbarrier_init or "
                   "fence.proxy.async behind it"));
    return SWP_OK;
}

static swp_status tell_limits(judge *j)
{
    const size_t before = j->out->unknown_instructions.count;
    if (j->undecided >= 0)
        SWP_TRY(add_note(j, j->undecided,
                         "what memory holds decides this branch: both ways were "
                         "followed, each always taken alike"));
    if (j->steps > MOST_STEPS || j->too_long)
        SWP_TRY(add_note(j, -1, "runs take too long to follow them all"));
    SWP_TRY(add_assumptions(j));
    return j->out->unknown_instructions.count == before ? tell_length(j) : SWP_OK;
}

static bool is_concerned(const judge *j)
{
    for (int i = j->kernel->first; i < j->kernel->end; i++)
        if (j->module->insns.items[i].kind >= SWP_PTX_LOAD)
            return true;
    return false;
}

static swp_status judge_kernel(judge *j)
{
    static const char hint[] = "give it a number of threads (__launch_bounds__, .maxntid)";
    const swp_place place = {j->file, j->kernel->line, 1};
    const int *size = j->kernel->threads;
    j->out->instructions += j->kernel->end - j->kernel->first;
    if (!is_concerned(j))
        return SWP_OK;
    j->concerned = true;
    if (size[0] * size[1] * size[2] > SWP_PTX_MOST_THREADS)
        return swp_error(j->ctx, SWP_E0815, place, hint, "a work group of more than 1024 threads");
    if (j->kernel->registers > MOST_REGISTERS)
        return swp_error(j->ctx, SWP_E0815, place, "unroll less",
                         "a kernel of %d registers; the audit follows %d", j->kernel->registers,
                         MOST_REGISTERS);
    if (!j->kernel->sized)
        SWP_TRY(swp_warn(j->ctx, SWP_W0813, place, hint,
                         "the file does not say how many threads %.*s has: judged with %d",
                         SWP_SLICE_FORMAT(j->kernel->name), SWP_PTX_MOST_THREADS));
    do
        SWP_TRY(run_all(j));
    while (j->restarts && !j->ends);
    return j->ends ? SWP_OK : tell_limits(j);
}

swp_status swp_ptx_judge(swp_context *ctx, swp_slice text, const char *file, swp_audit_report *out)
{
    swp_ptx_module module;
    bool fault = false;
    bool concerned = false;
    SWP_TRY(swp_ptx_read(ctx, text, file, &module));
    out->target = module.target;
    for (size_t i = 0; i < module.kernels.count; i++) {
        judge j = {.ctx = ctx,
                   .file = file,
                   .module = &module,
                   .kernel = &module.kernels.items[i],
                   .out = out,
                   .undecided = -1,
                   .unfenced_init = -1};
        SWP_TRY(judge_kernel(&j));
        concerned |= j.concerned;
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
