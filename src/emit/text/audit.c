/* SPDX-License-Identifier: Apache-2.0 */
/* Prints an audit as a compiler would: finding by finding, each with the instructions that it is about. */
#include "swp/report.h"

#include "audit_sites.h"

#include "base/require.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct audit_sheet {
    swp_text text;
    const swp_audit_report *report;
    bool *told; /* by finding: an earlier one has already told its cause */
    size_t *next_of_other;
    size_t *next_of_at;
} audit_sheet;

static void add_count(swp_text *text, int count, const char *one, const char *many)
{
    if (count)
        swp_text_format(text, ", %d %s", count, count == 1 ? one : many);
}

static void add_loop(audit_sheet *s, const swp_audit_loop *loop)
{
    swp_text_format(&s->text, "%s:%d: loop to line %d in %s: %d matrix instruction%s",
                    s->report->file, loop->first_line, loop->last_line, loop->function,
                    loop->matrix, loop->matrix == 1 ? "" : "s");
    add_count(&s->text, loop->loads_to_lds, "load to LDS", "loads to LDS");
    add_count(&s->text, loop->lds_reads, "LDS read", "LDS reads");
    add_count(&s->text, loop->lds_writes, "LDS write", "LDS writes");
    add_count(&s->text, loop->waits, "wait", "waits");
    add_count(&s->text, loop->barriers, "barrier", "barriers");
    swp_text_format(&s->text, "\n");
}

/* --- findings on instructions --- */

/* The instructions stand in the order in which they run: one of the pass before comes first. */
static void add_sites(audit_sheet *s, const swp_audit_finding *finding)
{
    swp_emit_audit_site(&s->text, &finding->other,
                        finding->earlier_pass ? "    (the pass before)" : "");
    swp_emit_audit_site(&s->text, &finding->wait, "");
    swp_emit_audit_site(&s->text, &finding->at, "");
}

/*
 * Findings of one kind share a sentence about the cause if the same wait could have helped, or if
 * they share one of their two instructions. The latter form a chain, by line.
 */
typedef struct cause {
    int kind;
    int certain;
    int wait;
    int line;
    size_t index;
} cause;

static int compare_lines(const cause *a, const cause *b)
{
    if (a->kind != b->kind)
        return a->kind - b->kind;
    if (a->certain != b->certain)
        return a->certain - b->certain;
    return a->wait != b->wait ? a->wait - b->wait : a->line - b->line;
}

static int compare_causes(const void *a, const void *b)
{
    const cause *first = a;
    const cause *second = b;
    const int order = compare_lines(first, second);
    return order ? order : (first->index > second->index) - (first->index < second->index);
}

static cause cause_of(const swp_audit_finding *finding, size_t index, bool by_other)
{
    const int line = by_other ? finding->other.line : finding->at.line;
    /* What has no other instruction shares none. */
    const int own = line ? line : -1 - (int)index;
    return (cause){(int)finding->kind, finding->certain, finding->wait.line,
                   finding->wait.line ? 0 : own, index};
}

/* Finds for each finding the next one of its chain; the number of findings stands for none. */
static swp_status link_causes(audit_sheet *s, bool by_other, size_t **next)
{
    const swp_audit_finding_list *list = &s->report->findings;
    cause *causes = NULL;
    SWP_TRY(SWP_TAKE(s->text.ctx, list->count, &causes));
    SWP_TRY(SWP_TAKE(s->text.ctx, list->count, next));
    for (size_t i = 0; i < list->count; i++)
        causes[i] = cause_of(&list->items[i], i, by_other);
    if (list->count)
        qsort(causes, list->count, sizeof *causes, compare_causes);
    for (size_t i = 0; i < list->count; i++) {
        const bool goes_on = i + 1 < list->count && !compare_lines(&causes[i], &causes[i + 1]);
        (*next)[causes[i].index] = goes_on ? causes[i + 1].index : list->count;
        s->told[causes[i].index] |= i > 0 && !compare_lines(&causes[i - 1], &causes[i]);
    }
    return SWP_OK;
}

static swp_status find_causes(audit_sheet *s)
{
    SWP_TRY(SWP_TAKE(s->text.ctx, s->report->findings.count, &s->told));
    SWP_TRY(link_causes(s, true, &s->next_of_other));
    return link_causes(s, false, &s->next_of_at);
}

static void add_others_of_cause(audit_sheet *s, size_t index)
{
    const swp_audit_finding_list *list = &s->report->findings;
    size_t other = s->next_of_other[index];
    size_t at = s->next_of_at[index];
    size_t others = 0;
    while (other < list->count || at < list->count) {
        const bool is_other = other <= at;
        const bool is_at = at <= other;
        swp_text_format(&s->text, others++ == 0 ? "  likewise in line %d" : ", %d",
                        list->items[is_other ? other : at].at.line);
        other = is_other ? s->next_of_other[other] : other;
        at = is_at ? s->next_of_at[at] : at;
    }
    if (others)
        swp_text_format(&s->text, "\n");
}

static void add_finding(audit_sheet *s, size_t index)
{
    const swp_audit_finding *finding = &s->report->findings.items[index];
    if (s->told[index])
        return;
    swp_emit_audit_place(&s->text, s->report->file, &finding->at);
    swp_text_toned(
        &s->text, swp_emit_audit_tone(finding->certain ? SWP_AUDIT_FAULT : SWP_AUDIT_UNKNOWN),
        "%s[%s]:", finding->certain ? "fault" : "unknown", swp_hazard_name(finding->kind));
    swp_text_format(&s->text, " %s", finding->place);
    if (s->report->kernels.count)
        swp_text_format(&s->text, ", in %s", s->report->kernels.items[finding->kernel].name);
    swp_text_format(&s->text, "\n  %s\n", finding->detail);
    add_sites(s, finding);
    if (finding->accepted)
        swp_text_format(&s->text, "  accepted: %s\n", finding->accepted);
    if (finding->should_be[0])
        swp_text_format(&s->text, "  enough: %s\n", finding->should_be);
    swp_emit_audit_also(&s->text, finding);
    add_others_of_cause(s, index);
    swp_text_format(&s->text, "  hint: %s\n\n", finding->hint);
}

static void add_unknown_instruction(audit_sheet *s, const swp_audit_note *unknown)
{
    swp_emit_audit_place(&s->text, s->report->file, &unknown->at);
    swp_text_toned(&s->text, SWP_TONE_DOUBT, "unknown:");
    swp_text_format(&s->text, " %s\n  %s\n\n", unknown->at.text, unknown->why);
}

/* --- against a schedule --- */

static void add_entry(audit_sheet *s, swp_phase phase, int entry, const char *name)
{
    if (entry >= 0)
        swp_text_format(&s->text, "%s (%s entry %d)", name, swp_phase_name(phase), entry);
    else
        swp_text_format(&s->text, "%s", name[0] ? name : swp_phase_name(phase));
}

static void add_change(audit_sheet *s, const swp_audit_change *change)
{
    swp_emit_audit_place(&s->text, s->report->file, &change->at);
    swp_text_format(&s->text, "%s: ", swp_audit_change_name(change->kind));
    add_entry(s, change->phase, change->entry, change->name);
    swp_text_format(&s->text, ": %s", change->detail);
    if (change->has_cycles)
        swp_text_format(&s->text, "; it stalls %" PRId64 " cycles a pass by the cycle model",
                        change->cycles);
    swp_text_format(&s->text, "\n");
}

static void add_changes(audit_sheet *s)
{
    const swp_audit_change_list *changes = &s->report->changes;
    for (size_t i = 0; i < changes->count; i++)
        add_change(s, &changes->items[i]);
    if (!changes->count && !s->report->obstacles.count)
        swp_text_format(&s->text, "%s: the schedule's order, waits and barriers are all there\n",
                        s->report->file);
    if (changes->count || !s->report->obstacles.count)
        swp_text_format(&s->text, "\n");
}

static void add_obstacle(audit_sheet *s, const swp_audit_note *obstacle)
{
    swp_emit_audit_place(&s->text, s->report->file, &obstacle->at);
    swp_text_toned(&s->text, SWP_TONE_DOUBT, "unknown:");
    swp_text_format(&s->text, " ");
    if (obstacle->at.line)
        swp_text_format(&s->text, "%s: ", obstacle->at.text);
    swp_text_format(&s->text, "%s\n\n", obstacle->why);
}

static void add_hazard(audit_sheet *s, const swp_audit_hazard *hazard)
{
    swp_emit_audit_place(&s->text, s->report->file, &hazard->at);
    swp_text_toned(&s->text, SWP_TONE_BAD, "fault[%s]:", swp_hazard_name(hazard->kind));
    swp_text_format(&s->text, " ");
    add_entry(s, hazard->ref.phase, hazard->ref.entry, hazard->name);
    swp_text_format(&s->text, ": %s", hazard->detail);
    if (hazard->other_name) {
        swp_text_format(&s->text, "; the other is ");
        add_entry(s, hazard->other_ref.phase, hazard->other_ref.entry, hazard->other_name);
        if (hazard->passes_before)
            swp_text_format(&s->text, ", %d pass%s before", hazard->passes_before,
                            hazard->passes_before == 1 ? "" : "es");
    }
    swp_text_format(&s->text, "\n");
    swp_emit_audit_site(&s->text, &hazard->other, "");
    swp_emit_audit_site(&s->text, &hazard->at, "");
    swp_text_format(&s->text, "  smallest N: %d K tile%s; %s\n  hint: %s\n\n", hazard->smallest_n,
                    hazard->smallest_n == 1 ? "" : "s",
                    hazard->in_schedule ? "the schedule has it as well" : "not in the schedule",
                    hazard->hint);
}

static void add_schedule(audit_sheet *s)
{
    const swp_audit_report *report = s->report;
    if (!report->schedule)
        return;
    for (size_t i = 0; i < report->obstacles.count; i++)
        add_obstacle(s, &report->obstacles.items[i]);
    add_changes(s);
    for (size_t i = 0; i < report->hazards.count; i++)
        add_hazard(s, &report->hazards.items[i]);
    if (report->has_cycles)
        swp_text_format(&s->text, "%s: %.5g cycles a pass by the cycle model, the schedule %.5g\n",
                        report->file, report->code_cycles, report->schedule_cycles);
}

static void add_assumption(audit_sheet *s, const swp_audit_note *assumption)
{
    swp_emit_audit_place(&s->text, s->report->file, &assumption->at);
    swp_text_format(&s->text, "taken for given: ");
    if (assumption->at.text)
        swp_text_format(&s->text, "%s: ", assumption->at.text);
    swp_text_format(&s->text, "%s\n\n", assumption->why);
}

static void add_advice(audit_sheet *s, const swp_audit_advice *advice)
{
    swp_emit_audit_place(&s->text, s->report->file, &advice->at);
    swp_text_format(&s->text, "advice: %s", advice->why);
    if (advice->has_cycles && advice->cycles > 0)
        swp_text_format(&s->text, ": %.5g cycles a pass by the cycle model", advice->cycles);
    else if (advice->has_cycles)
        swp_text_format(&s->text, ": alone it saves no cycle of the model");
    swp_text_format(&s->text, "\n");
    swp_emit_audit_site(&s->text, &advice->at, "");
    if (advice->should_be[0])
        swp_text_format(&s->text, "  enough: %s\n", advice->should_be);
    swp_text_format(&s->text, "\n");
}

static void add_all_advice(audit_sheet *s)
{
    const swp_audit_report *report = s->report;
    for (size_t i = 0; i < report->advice.count; i++)
        add_advice(s, &report->advice.items[i]);
    for (size_t i = 0; i < report->paces.count; i++) {
        const swp_audit_pace *pace = &report->paces.items[i];
        swp_text_format(&s->text,
                        "%s:%d: with all of the advice a pass of the loop takes %.5g cycles by the "
                        "cycle model, "
                        "without %.5g\n",
                        report->file, report->loops.items[pace->loop].first_line,
                        pace->advised_cycles, pace->cycles);
    }
    if (report->advised && !report->advice.count)
        swp_text_format(
            &s->text,
            "%s: no advice: no wait that can surely be weaker, no barrier that can surely go\n",
            report->file);
}

static bool is_stated(const swp_audit_launch *launch)
{
    return launch->argument_count || launch->box_count || launch->grid[0] || launch->block[0] ||
           launch->cluster[0] || launch->one_work_group;
}

static void add_closing_line(audit_sheet *s)
{
    const swp_audit_report *report = s->report;
    size_t faults = report->hazards.count;
    size_t unknown = report->unknown_instructions.count + report->obstacles.count;
    for (size_t i = 0; i < report->findings.count; i++) {
        faults += report->findings.items[i].certain;
        unknown += !report->findings.items[i].certain;
    }
    swp_text_format(&s->text, "%s: %s: ", report->file, report->target);
    /* PTX is not judged by registers; what is shown of each kernel stands above. */
    swp_text_toned(&s->text, swp_emit_audit_tone(report->answer), "%s",
                   report->kernels.count && report->answer == SWP_AUDIT_NO_FAULT
                       ? "nothing comes before what it needs"
                       : swp_audit_answer_meaning(report->answer));
    if (report->answer == SWP_AUDIT_NO_FAULT && is_stated(&report->launch))
        swp_text_format(&s->text, ", in the launch that is stated");
    if (faults || unknown)
        swp_text_format(&s->text, ": %zu fault%s, %zu unknown", faults, faults == 1 ? "" : "s",
                        unknown);
    swp_text_format(&s->text, " (%d instructions", report->instructions);
    if (report->loops.count)
        swp_text_format(&s->text, ", %zu loop%s", report->loops.count,
                        report->loops.count == 1 ? "" : "s");
    swp_text_format(&s->text, ")\n");
}

swp_status swp_audit_text(swp_context *ctx, const swp_audit_report *report, char **text,
                          size_t *length)
{
    SWP_REQUIRE(ctx, ctx && report && text);
    audit_sheet s = {.text = {.ctx = ctx}, .report = report};
    SWP_TRY(find_causes(&s));
    for (size_t i = 0; i < report->loops.count; i++)
        add_loop(&s, &report->loops.items[i]);
    if (report->loops.count)
        swp_text_format(&s.text, "\n");
    for (size_t i = 0; i < report->unknown_instructions.count; i++)
        add_unknown_instruction(&s, &report->unknown_instructions.items[i]);
    for (size_t i = 0; i < report->findings.count; i++)
        add_finding(&s, i);
    add_schedule(&s);
    for (size_t i = 0; i < report->assumptions.count; i++)
        add_assumption(&s, &report->assumptions.items[i]);
    add_all_advice(&s);
    swp_emit_audit_kernels(&s.text, report);
    add_closing_line(&s);
    return swp_text_end(&s.text, text, length);
}
