/* SPDX-License-Identifier: Apache-2.0 */
/* What the runs of a kernel have shown, as the findings, notes and assumptions of a report. */
#include "audit/ptx/box_sizes.h"
#include "audit/ptx/exploration.h"
#include "audit/ptx/launch.h"
#include "audit/ptx/report.h"

#include "audit/code/insn.h"
#include "base/text.h"

#include <inttypes.h>

static swp_status name_source(const swp_ptx_exploration *t, const swp_ptx_line *line,
                              const char **source, int *number)
{
    const swp_slice name = swp_ptx_source_of(t->module, line->file);
    if (!line->line || !name.length)
        return SWP_OK;
    *number = line->line;
    return swp_code_copy_printable(t->ctx, name, source);
}

static swp_status site_of(const swp_ptx_exploration *t, int insn, swp_audit_site *out)
{
    *out = (swp_audit_site){0};
    if (insn < 0)
        return SWP_OK;
    const swp_ptx_insn *of = &t->module->insns.items[insn];
    out->line = of->line;
    SWP_TRY(name_source(t, &of->place, &out->source, &out->source_line));
    SWP_TRY(name_source(t, &of->caller, &out->caller, &out->caller_line));
    return swp_code_copy_printable(t->ctx, of->text, &out->text);
}

static swp_status site_of_kernel(const swp_ptx_exploration *t, swp_audit_site *out)
{
    const char *name = NULL;
    *out = (swp_audit_site){.line = t->kernel->line};
    SWP_TRY(swp_code_copy_printable(t->ctx, t->kernel->name, &name));
    char *text = NULL;
    SWP_TRY(swp_format(t->ctx, &text, "kernel %s", name));
    out->text = text;
    return SWP_OK;
}

bool swp_ptx_has_zero(const swp_ptx_exploration *t)
{
    bool zero = false;
    for (int i = 0; i < t->arguments.count; i++) {
        const swp_ptx_argument *argument = &t->arguments.items[i];
        zero |=
            argument->given && !argument->stated && argument->param >= 0 && argument->value == 0;
    }
    return zero;
}

const swp_ptx_argument *swp_ptx_part_of_pass(const swp_ptx_exploration *t)
{
    for (int i = 0; i < t->arguments.count; i++) {
        const swp_ptx_argument *argument = &t->arguments.items[i];
        if (swp_ptx_is_free(argument) && argument->param >= 0 && argument->unit > 1 &&
            argument->value < (uint64_t)argument->unit)
            return argument;
    }
    return NULL;
}

/* As its author calls it, where that is known. */
static void name_param(const swp_ptx_exploration *t, int param, int64_t byte, swp_text *text)
{
    const char *name = NULL;
    if (swp_ptx_author_of_param(t->ctx, t->arguments.launch, t->kernel, param, &name) != SWP_OK ||
        !name)
        swp_ptx_name_param(text, param, byte);
    else if (byte)
        swp_text_format(text, "%s at byte %" PRId64, name, byte);
    else
        swp_text_format(text, "%s", name);
}

/* As an option names it. */
static void add_option(const swp_ptx_exploration *t, const swp_ptx_argument *argument,
                       swp_text *text)
{
    const char *name = NULL;
    (void)swp_ptx_author_of_param(t->ctx, t->arguments.launch, t->kernel, argument->param, &name);
    if (name)
        swp_text_format(text, "--argument %s", name);
    else
        swp_text_format(text, "--argument %d", argument->param);
    if (argument->offset)
        swp_text_format(text, ".%d", (int)argument->offset);
    swp_text_format(text, "=N");
}

static void add_argument(const swp_ptx_exploration *t, const swp_ptx_argument *argument,
                         swp_text *text)
{
    static const char *const special[] = {"%ctaid.x",  "%ctaid.y",  "%ctaid.z",
                                          "%nctaid.x", "%nctaid.y", "%nctaid.z"};
    static const char *const of_clusters[] = {"%clusterid.x",  "%clusterid.y",  "%clusterid.z",
                                              "%nclusterid.x", "%nclusterid.y", "%nclusterid.z"};
    if (argument->param == SWP_PTX_TERM)
        swp_text_format(text, "what line %d computes",
                        t->module->insns.items[t->terms->items[argument->offset].insn].line);
    else if (argument->param < 0)
        swp_text_format(
            text, "%s",
            (t->kernel->cluster[0] ? of_clusters : special)[argument->offset - SWP_PTX_CTAID]);
    else
        name_param(t, argument->param, argument->offset, text);
}

static void add_part(const swp_ptx_exploration *t, swp_text *text)
{
    const swp_ptx_argument *argument = swp_ptx_part_of_pass(t);
    if (!argument)
        return;
    swp_text_format(text, ", where ");
    name_param(t, argument->param, argument->offset, text);
    swp_text_format(text, " is less than the %d of a pass: state what it is (", argument->unit);
    add_option(t, argument, text);
    swp_text_format(text, ")");
}

static void add_arguments(const swp_ptx_exploration *t, swp_text *text)
{
    const char *before = "; seen with ";
    for (int i = 0; i < t->arguments.count; i++) {
        const swp_ptx_argument *argument = &t->arguments.items[i];
        if (!argument->given)
            continue;
        swp_text_format(text, "%s", before);
        add_argument(t, argument, text);
        swp_text_format(text, " = %d", (int)argument->value);
        before = ", ";
    }
}

swp_status swp_ptx_add_note(const swp_ptx_exploration *t, int insn, const char *why)
{
    swp_audit_note note = {.why = why};
    for (size_t i = 0; i < t->out->unknown_instructions.count; i++)
        if (insn >= 0 &&
            t->out->unknown_instructions.items[i].at.line == t->module->insns.items[insn].line)
            return SWP_OK;
    SWP_TRY(site_of(t, insn, &note.at));
    if (insn < 0)
        SWP_TRY(site_of_kernel(t, &note.at));
    return SWP_PUSH(t->ctx, &t->out->unknown_instructions, note);
}

swp_status swp_ptx_describe_finding(swp_ptx_exploration *t, const swp_ptx_finding *found,
                                    bool certain, swp_audit_finding *out)
{
    swp_audit_finding finding = {.kind = found->kind,
                                 .certain = certain,
                                 .should_be = "",
                                 .hint = found->hint,
                                 .kernel = t->number};
    swp_text detail = {.ctx = t->ctx};
    char *text = NULL;
    swp_text_format(&detail, "%s", found->detail);
    add_arguments(t, &detail);
    add_part(t, &detail);
    SWP_TRY(swp_text_end(&detail, &text, NULL));
    finding.detail = text;
    const int64_t rank = found->low / SWP_PTX_MOST_SHARED;
    const int64_t window = rank * SWP_PTX_MOST_SHARED;
    if (found->high && rank)
        SWP_TRY(swp_format(t->ctx, &text, "shared bytes %d to %d of work group %d of the cluster",
                           (int)(found->low - window), (int)(found->high - window) - 1, (int)rank));
    else if (found->high)
        SWP_TRY(swp_format(t->ctx, &text, "shared bytes %d to %d", (int)found->low,
                           (int)found->high - 1));
    finding.place = found->high ? text : "order of the threads";
    SWP_TRY(site_of(t, found->at, &finding.at));
    SWP_TRY(site_of(t, found->other, &finding.other));
    *out = finding;
    return SWP_OK;
}

/* The one that is about the same pair; a run that is sure of it says more than one that is not. */
static swp_audit_finding *find_told(const swp_ptx_exploration *t, const swp_ptx_finding *found)
{
    for (size_t i = t->first_finding; i < t->found->count; i++)
        if (t->found->items[i].kind == found->kind && t->found->items[i].at == found->at &&
            t->found->items[i].other == found->other)
            return &t->out->findings.items[i];
    return NULL;
}

swp_status swp_ptx_add_finding(swp_ptx_exploration *t, const swp_ptx_finding *found, bool certain)
{
    swp_audit_finding *told = find_told(t, found);
    swp_audit_finding finding;
    if (told)
        swp_ptx_join_threads(&t->found->items[told - t->out->findings.items], found);
    if (told && told->certain >= certain)
        return SWP_OK;
    t->faulty = true;
    t->found_at = t->steps;
    SWP_TRY(swp_ptx_describe_finding(t, found, certain, &finding));
    if (told) {
        *told = finding;
        return SWP_OK;
    }
    SWP_TRY(SWP_PUSH(t->ctx, t->found, *found));
    return SWP_PUSH(t->ctx, &t->out->findings, finding);
}

/* What would have to be stated of them, so that at most one is left. */
static void add_options(const swp_ptx_exploration *t, swp_text *text)
{
    bool grid = false;
    for (int i = 0; i < t->arguments.count; i++) {
        const swp_ptx_argument *argument = &t->arguments.items[i];
        if (!swp_ptx_is_free(argument))
            continue;
        if (argument->param < 0 && !grid)
            swp_text_format(text, " --grid X,Y,Z");
        if (argument->param >= 0) {
            swp_text_format(text, " ");
            add_option(t, argument, text);
        }
        grid |= argument->param < 0;
    }
}

static swp_status tell_others(swp_ptx_exploration *t)
{
    char *why = NULL;
    swp_text text = {.ctx = t->ctx};
    swp_text_format(&text,
                    "in no run that was followed anything goes wrong; that all others are like "
                    "these is not shown, as more than one argument decides the flow; state "
                    "all of these, or all but one:");
    add_options(t, &text);
    SWP_TRY(swp_text_end(&text, &why, NULL));
    return swp_ptx_add_note(t, -1, why);
}

swp_status swp_ptx_name_argument(const swp_ptx_exploration *t, const swp_ptx_argument *argument,
                                 int64_t most, char **out)
{
    swp_text text = {.ctx = t->ctx};
    add_argument(t, argument, &text);
    /* There is always one work group in each dimension. */
    const bool counts_groups = argument->param < 0 && argument->offset >= SWP_PTX_NCTAID;
    swp_text_format(&text, " is from %d to %" PRId64, t->lacks_zero || counts_groups, most);
    return swp_text_end(&text, out, NULL);
}

swp_status swp_ptx_assume(const swp_ptx_exploration *t, int insn, const char *why)
{
    swp_audit_note note = {.why = why};
    if (insn < 0)
        SWP_TRY(site_of_kernel(t, &note.at));
    else
        SWP_TRY(site_of(t, insn, &note.at));
    return SWP_PUSH(t->ctx, &t->out->assumptions, note);
}

/* The answer is one for the launch that is stated. */
static swp_status tell_stated(swp_ptx_exploration *t)
{
    char *why = NULL;
    swp_text text = {.ctx = t->ctx};
    const char *before = "as stated, ";
    for (int i = 0; i < t->arguments.count; i++) {
        const swp_ptx_argument *argument = &t->arguments.items[i];
        if (!argument->stated && !(argument->given && argument->groups))
            continue;
        swp_text_format(&text, "%s", before);
        add_argument(t, argument, &text);
        if (argument->groups)
            swp_text_format(&text, " is 0 to %d", argument->groups - 1);
        else
            swp_text_format(&text, " is %" PRIu64, argument->value);
        before = ", ";
    }
    for (size_t i = 0; i < t->equations.count; i++) {
        const swp_ptx_equation *equation = &t->equations.items[i];
        if (!equation->stated || !swp_ptx_is_copied(&t->equations, equation))
            continue;
        swp_text_format(&text, "%sthe box of the tensor map in ", before);
        name_param(t, equation->stated->param, equation->stated->byte, &text);
        swp_text_format(&text, " holds %" PRId64 " bytes", equation->stated->bytes);
        before = ", ";
    }
    if (!text.count)
        return SWP_OK;
    SWP_TRY(swp_text_end(&text, &why, NULL));
    return swp_ptx_assume(t, -1, why);
}

/* Runs of all lengths are shown to be in order, where that can be shown. */
static swp_status tell_length(swp_ptx_exploration *t)
{
    static const char none[] = "no run of this kernel came to its end";
    static const char longer[] =
        "in runs of up to 31 passes nothing goes wrong; that longer ones are like these could not "
        "be shown";
    if (!t->runs)
        return swp_ptx_add_note(t, -1, none);
    if (swp_ptx_count_free(t) > 1)
        return tell_others(t);
    if (t->unlike)
        return swp_ptx_add_note(t, -1, longer);
    for (int i = 0; i < t->arguments.count && t->most; i++) {
        char *why = NULL;
        if (!swp_ptx_is_free(&t->arguments.items[i]))
            continue;
        SWP_TRY(swp_ptx_name_argument(t, &t->arguments.items[i], t->most, &why));
        SWP_TRY(swp_ptx_assume(t, -1, why));
    }
    return SWP_OK;
}

static bool takes_from_room(const swp_ptx_equations *equations)
{
    const swp_ptx_sizes *sizes = &equations->sizes;
    for (size_t i = 0; i < sizes->count; i++)
        if (sizes->items[i].bytes == SWP_PTX_UNKNOWN_SIZE &&
            sizes->items[i].guess != SWP_PTX_UNKNOWN_SIZE)
            return true;
    return equations->guessed;
}

static const char *assumption_of(swp_audit_rule rule)
{
    switch (rule) {
    case SWP_AUDIT_FENCE_READS:
        return "a copy overwrites what ordinary instructions have read, with no fence.proxy.async "
               "in between";
    case SWP_AUDIT_FENCE_ANYWHERE:
        return "a proxy fence counts in any thread on the way to the asynchronous operation";
    case SWP_AUDIT_FENCE_INITS:
        return "copies see that the mbarrier is initialised, with no fence.mbarrier_init or "
               "fence.proxy.async behind it";
    case SWP_AUDIT_FENCE_GLOBALS:
        return "this copy sees what a flag in global memory has told of before, with no "
               "fence.proxy.async between the load of the flag and the copy";
    case SWP_AUDIT_NAMED_SCOPES:
        return "a wait that names no scope acquires what threads of other work groups have written";
    default:
        return "elect.sync elects one end of its mask";
    }
}

/* What was taken of rules that the manual leaves open, and how to take it the other way. */
static swp_status assume_rules(const swp_ptx_exploration *t)
{
    for (int rule = 0; rule < SWP_AUDIT_RULE_COUNT; rule++) {
        char *why = NULL;
        const bool holds = swp_audit_rule_holds(rule) != (t->changed_rules >> rule & 1);
        if (t->assumed[rule] < 0)
            continue;
        if (rule == SWP_AUDIT_ELECT_LOWEST)
            SWP_TRY(swp_format(t->ctx, &why,
                               "elect.sync elects the %s thread of its mask, which the manual "
                               "leaves open (--set %s=%s)",
                               holds ? "lowest" : "highest", swp_audit_rule_name(rule),
                               holds ? "false" : "true"));
        else
            SWP_TRY(swp_format(t->ctx, &why, "%s (--set %s=%s)", assumption_of(rule),
                               swp_audit_rule_name(rule), holds ? "false" : "true"));
        SWP_TRY(swp_ptx_assume(t, t->assumed[rule], why));
    }
    return SWP_OK;
}

/* The sizes of boxes are in tensor maps, which PTX does not show. */
swp_status swp_ptx_add_assumptions(const swp_ptx_exploration *t)
{
    int tensor = t->kernel->first;
    while (tensor < t->kernel->end && (t->module->insns.items[tensor].kind != SWP_PTX_BULK_LOAD ||
                                       !swp_ptx_has(t->module->insns.items[tensor].name, "tensor")))
        tensor++;
    if (tensor < t->kernel->end)
        SWP_TRY(swp_ptx_assume(
            t, tensor,
            "the copies of a phase bring together the bytes that it expects (--box states them)"));
    if (tensor < t->kernel->end && takes_from_room(&t->equations))
        SWP_TRY(swp_ptx_assume(
            t, tensor,
            "how much of them each of several tensor maps' boxes holds is as "
            "the room allows between the places that copies write, as no --box states it"));
    if (t->kernel->is_at_most) {
        char *why = NULL;
        SWP_TRY(swp_format(t->ctx, &why,
                           "the work group has %d threads, the most that .maxntid allows (--block)",
                           t->kernel->threads[0] * t->kernel->threads[1] * t->kernel->threads[2]));
        SWP_TRY(swp_ptx_assume(t, -1, why));
    }
    return assume_rules(t);
}

swp_status swp_ptx_report_limits(swp_ptx_exploration *t)
{
    const size_t before = t->out->unknown_instructions.count;
    if (t->undecided >= 0)
        SWP_TRY(swp_ptx_add_note(t, t->undecided,
                                 "what memory holds decides this branch: both ways were "
                                 "followed, each always taken alike"));
    if (t->unwritten.detail)
        SWP_TRY(swp_ptx_add_note(t, t->unwritten.at, t->unwritten.detail));
    if (t->doubt.detail) {
        SWP_TRY(SWP_PUSH(t->ctx, t->found, t->doubted));
        SWP_TRY(SWP_PUSH(t->ctx, &t->out->findings, t->doubt));
    }
    if (t->too_long)
        SWP_TRY(swp_ptx_add_note(t, -1, "runs take too long to follow them all"));
    SWP_TRY(swp_ptx_add_assumptions(t));
    SWP_TRY(tell_stated(t));
    return t->out->unknown_instructions.count == before && !t->doubt.detail && !t->faulty
               ? tell_length(t)
               : SWP_OK;
}

/* For which values it is shown; nothing: for all. */
static void add_range(const swp_ptx_exploration *t, swp_text *text)
{
    const char *before = ", where ";
    for (int i = 0; i < t->arguments.count && t->most; i++) {
        const swp_ptx_argument *argument = &t->arguments.items[i];
        if (!swp_ptx_is_free(argument))
            continue;
        swp_text_format(text, "%s", before);
        add_argument(t, argument, text);
        swp_text_format(text, " is up to %" PRId64, t->most);
        before = " and ";
    }
}

swp_status swp_ptx_describe_answer(const swp_ptx_exploration *t, swp_audit_kernel *out)
{
    swp_text proven = {.ctx = t->ctx};
    char *text = NULL;
    if (out->answer == SWP_AUDIT_FAULT && !t->first) {
        out->open = "that nothing else is wrong: runs of every length are looked at where no fault "
                    "is found";
        return SWP_OK;
    }
    if (out->answer == SWP_AUDIT_UNKNOWN) {
        out->open = "that it has no fault";
        return SWP_OK;
    }
    if (out->answer != SWP_AUDIT_NO_FAULT)
        return SWP_OK;
    swp_text_format(&proven, "in every timing each access to shared memory, copy, wait, barrier "
                             "and wgmma comes behind what it needs");
    add_range(t, &proven);
    SWP_TRY(swp_text_end(&proven, &text, NULL));
    out->proven = text;
    out->open = "results, accesses to global memory, and what ptxas makes of the PTX";
    return SWP_OK;
}
