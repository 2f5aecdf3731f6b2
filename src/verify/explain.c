/* SPDX-License-Identifier: Apache-2.0 */
#include "swp/explain.h"

#include "base/context.h"

#include <string.h>

static bool same_hazard(const swp_hazard *a, const swp_hazard *b)
{
    return a->kind == b->kind && a->at.phase == b->at.phase && a->at.entry == b->at.entry;
}

static bool contains(const swp_hazard_list *list, const swp_hazard *hazard)
{
    for (size_t i = 0; i < list->count; i++)
        if (same_hazard(&list->items[i], hazard))
            return true;
    return false;
}

/* A copy whose entries may be changed. */
static swp_status copy_phase(swp_context *ctx, const swp_entry_list *from, swp_entry_list *to)
{
    *to = (swp_entry_list){.count = from->count, .capacity = from->count};
    SWP_TRY(SWP_TAKE(ctx, from->count, &to->items));
    if (from->count > 0)
        memcpy(to->items, from->items, from->count * sizeof *to->items);
    return SWP_OK;
}

/* What the proof finds with the entry out of the way, less what it finds anyway. */
static swp_status find_needs(swp_context *ctx, const swp_schedule *schedule, swp_entry *entry,
                             const swp_hazard_list *known, swp_hazard_list *needs)
{
    swp_verdict verdict = {0};
    const swp_op op = entry->op;
    /* A hint in its place keeps the numbers of all other entries. */
    entry->op = swp_op_set_prio(0);
    const swp_status status = swp_verify(ctx, schedule, NULL, 0, &verdict);
    entry->op = op;
    SWP_TRY(status);
    for (size_t i = 0; i < verdict.hazards.count; i++)
        if (!contains(known, &verdict.hazards.items[i]))
            SWP_TRY(SWP_PUSH(ctx, needs, verdict.hazards.items[i]));
    return SWP_OK;
}

static swp_status explain_phase(swp_context *ctx, const swp_schedule *schedule, swp_phase phase,
                                swp_entry_list *entries, const swp_hazard_list *known,
                                swp_explanation_list *out)
{
    for (size_t i = 0; i < entries->count; i++) {
        swp_explanation explanation = {.at = {phase, (int)i}};
        if (entries->items[i].op.role != SWP_SYNC)
            continue;
        SWP_TRY(find_needs(ctx, schedule, &entries->items[i], known, &explanation.needs));
        SWP_TRY(SWP_PUSH(ctx, out, explanation));
    }
    return SWP_OK;
}

swp_status swp_explain(swp_context *ctx, const swp_schedule *schedule, swp_explanation_list *out)
{
    swp_schedule copy = *schedule;
    swp_verdict verdict = {0};
    *out = (swp_explanation_list){0};
    SWP_TRY(swp_verify(ctx, schedule, NULL, 0, &verdict));
    out->hazards = verdict.hazards.count;
    SWP_TRY(copy_phase(ctx, &schedule->prologue, &copy.prologue));
    SWP_TRY(copy_phase(ctx, &schedule->kernel, &copy.kernel));
    SWP_TRY(copy_phase(ctx, &schedule->epilogue, &copy.epilogue));
    swp_entry_list *phases[] = {&copy.prologue, &copy.kernel, &copy.epilogue};
    for (int p = 0; p < 3; p++)
        SWP_TRY(explain_phase(ctx, &copy, (swp_phase)p, phases[p], &verdict.hazards, out));
    return SWP_OK;
}
