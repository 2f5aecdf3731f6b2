/* SPDX-License-Identifier: Apache-2.0 */
/* What the runs of a kernel have shown, as the findings, notes and assumptions of a report. */
#include "audit/ptx/box_sizes.h"
#include "audit/ptx/exploration.h"
#include "audit/ptx/launch.h"
#include "audit/ptx/report.h"

#include "audit/code/insn.h"
#include "base/text.h"

#include <inttypes.h>

void swp_ptx_tell_apart(const swp_ptx_exploration *t, swp_audit_report *report,
                        swp_ptx_findings *found, swp_ptx_exploration *out)
{
    const swp_audit_report *whole = t->told.out;
    *report =
        (swp_audit_report){.target = whole->target, .file = whole->file, .launch = whole->launch};
    *found = (swp_ptx_findings){0};
    *out = *t;
    out->told = (swp_ptx_telling){.out = report, .found = found, .number = t->told.number};
}

static swp_status name_source(const swp_ptx_exploration *t, const swp_ptx_line *line,
                              const char **source, int *number)
{
    const swp_slice name = swp_ptx_source_of(t->module, line->file);
    if (!line->line || !name.length)
        return SWP_OK;
    *number = line->line;
    return swp_code_copy_printable(t->ctx, name, source);
}

swp_status swp_ptx_set_site(const swp_ptx_exploration *t, int insn, swp_audit_site *out)
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

swp_status swp_ptx_add_note(const swp_ptx_exploration *t, int insn, const char *why)
{
    swp_audit_note note = {.why = why};
    for (size_t i = 0; i < t->told.out->unknown_instructions.count; i++)
        if (insn >= 0 &&
            t->told.out->unknown_instructions.items[i].at.line == t->module->insns.items[insn].line)
            return SWP_OK;
    SWP_TRY(swp_ptx_set_site(t, insn, &note.at));
    if (insn < 0)
        SWP_TRY(site_of_kernel(t, &note.at));
    return SWP_PUSH(t->ctx, &t->told.out->unknown_instructions, note);
}

swp_status swp_ptx_describe_finding(swp_ptx_exploration *t, const swp_ptx_finding *found,
                                    bool certain, swp_audit_finding *out)
{
    swp_audit_finding finding = {.kind = found->kind,
                                 .certain = certain,
                                 .should_be = "",
                                 .hint = found->hint,
                                 .kernel = t->told.number};
    swp_text detail = {.ctx = t->ctx};
    char *text = NULL;
    swp_text_format(&detail, "%s", found->detail);
    swp_ptx_add_facts(&detail, t->module, found);
    swp_ptx_add_arguments(t, &detail);
    swp_ptx_add_part_of_pass(t, &detail);
    if (t->guesses_shape)
        swp_text_format(&detail, ", where all threads of a work group have y and z of 0: the file "
                                 "does not say that, so state it (--block X,Y)");
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
    SWP_TRY(swp_ptx_set_site(t, found->at, &finding.at));
    SWP_TRY(swp_ptx_set_site(t, found->other, &finding.other));
    *out = finding;
    return SWP_OK;
}

swp_status swp_ptx_assume(const swp_ptx_exploration *t, int insn, const char *why)
{
    swp_audit_note note = {.why = why};
    if (insn < 0)
        SWP_TRY(site_of_kernel(t, &note.at));
    else
        SWP_TRY(swp_ptx_set_site(t, insn, &note.at));
    return SWP_PUSH(t->ctx, &t->told.out->assumptions, note);
}

/* The one that is about the same pair; a run that is sure of it says more than one that is not. */
static int find_told(const swp_ptx_findings *among, size_t first, const swp_ptx_finding *found)
{
    for (size_t i = first; i < among->count; i++)
        if (among->items[i].kind == found->kind && among->items[i].at == found->at &&
            (found->kind == SWP_DEADLOCK || among->items[i].other == found->other))
            return (int)i;
    return -1;
}

/* A launch with none of what an argument counts, or less than a pass, need make no sense. One whose flag is 0 does. */
static bool is_small(const swp_ptx_exploration *t)
{
    bool counts = true;
    for (int i = 0; i < t->arguments.count; i++)
        counts &= !swp_ptx_is_zero(&t->arguments.items[i]) || t->arguments.items[i].is_count;
    return counts && (swp_ptx_has_zero(t) || swp_ptx_part_of_pass(t));
}

static swp_status set_aside(swp_ptx_exploration *t, const swp_ptx_finding *found)
{
    swp_audit_finding finding;
    if (find_told(&t->aside_found, 0, found) >= 0)
        return SWP_OK;
    SWP_TRY(swp_ptx_describe_finding(t, found, false, &finding));
    SWP_TRY(SWP_PUSH(t->ctx, &t->aside_found, *found));
    return SWP_PUSH(t->ctx, &t->aside, finding);
}

swp_status swp_ptx_settle_aside(swp_ptx_exploration *t, size_t findings, size_t notes)
{
    const bool clean = t->told.out->findings.count == findings &&
                       t->told.out->unknown_instructions.count == notes && !t->doubt.detail;
    for (size_t i = 0; i < t->aside.count; i++) {
        const swp_ptx_finding *found = &t->aside_found.items[i];
        char *why = NULL;
        if (find_told(t->told.found, t->told.first_finding, found) >= 0)
            continue;
        if (clean) {
            SWP_TRY(swp_format(t->ctx, &why,
                               "no launch has arguments with which this goes wrong: %s",
                               t->aside.items[i].detail));
            SWP_TRY(swp_ptx_assume(t, found->at, why));
            continue;
        }
        SWP_TRY(SWP_PUSH(t->ctx, t->told.found, *found));
        SWP_TRY(SWP_PUSH(t->ctx, &t->told.out->findings, t->aside.items[i]));
    }
    return SWP_OK;
}

swp_status swp_ptx_add_finding(swp_ptx_exploration *t, const swp_ptx_finding *found, bool certain)
{
    swp_audit_finding finding;
    if (is_small(t) || (swp_ptx_has_zero(t) && find_told(&t->aside_found, 0, found) >= 0))
        return set_aside(t, found);
    const int at = find_told(t->told.found, t->told.first_finding, found);
    swp_audit_finding *told = at < 0 ? NULL : &t->told.out->findings.items[at];
    const bool is_of_bytes = found->kind == SWP_DEADLOCK || found->kind == SWP_ARRIVALS;
    certain &= !t->guesses_shape && !(is_of_bytes && swp_ptx_guesses_bytes(t));
    if (told)
        swp_ptx_join_finding(&t->told.found->items[at], found);
    if (told && told->certain >= certain)
        return SWP_OK;
    if (certain && !t->has_certain)
        t->fault_arguments = t->arguments;
    t->has_certain |= certain;
    t->faulty = true;
    t->found_at = t->steps;
    SWP_TRY(swp_ptx_describe_finding(t, found, certain, &finding));
    if (told) {
        *told = finding;
        return SWP_OK;
    }
    SWP_TRY(SWP_PUSH(t->ctx, t->told.found, *found));
    return SWP_PUSH(t->ctx, &t->told.out->findings, finding);
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
        swp_ptx_add_argument(t, argument, text);
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
