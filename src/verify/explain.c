/* SPDX-License-Identifier: Apache-2.0 */
/* Proves the schedule without each wait and barrier in turn: the hazards that come up are what it is there for. */
#include "swp/explain.h"

#include "base/context.h"
#include "base/diag.h"
#include "base/require.h"

#include <string.h>

/*
 * Each wait and barrier takes a proof of its own, so that all of them take the square of the schedule. The
 * kernel's come first, and what is left when so much has been looked at is told of, not explained.
 */
enum { MOST_WORK = 200000000 };

typedef struct explainer {
    swp_context *ctx;
    swp_schedule schedule; /* a copy whose entries may be changed */
    bool *known[3];        /* of each phase: whether an entry has a hazard of a kind anyway */
    uint64_t work;         /* of the proofs so far */
    swp_explanation_list *out;
} explainer;

/* Of the epilogues the longest, at whose end there may be a hazard, too. */
static size_t length_of(const swp_schedule *schedule, swp_phase phase)
{
    size_t length = swp_schedule_phase(schedule, phase)->count;
    for (int i = 0; i < swp_schedule_forms(schedule); i++) {
        const swp_schedule form = swp_schedule_form(schedule, i);
        const size_t own = swp_schedule_phase(&form, phase)->count;
        length = own > length ? own : length;
    }
    return length;
}

static bool *known_at(const explainer *e, const swp_hazard *hazard)
{
    return &e->known[hazard->at.phase][hazard->at.entry * SWP_HAZARD_KINDS + (int)hazard->kind];
}

static swp_status note_known(explainer *e, const swp_hazard_list *hazards)
{
    for (int phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        SWP_TRY(SWP_TAKE(e->ctx, (length_of(&e->schedule, (swp_phase)phase) + 1) * SWP_HAZARD_KINDS,
                         &e->known[phase]));
    for (size_t i = 0; i < hazards->count; i++)
        *known_at(e, &hazards->items[i]) = true;
    return SWP_OK;
}

/* A copy whose entries may be changed. */
static swp_status copy_phase(swp_context *ctx, swp_entry_list *list)
{
    const swp_entry_list from = *list;
    *list = (swp_entry_list){.count = from.count, .capacity = from.count};
    SWP_TRY(SWP_TAKE(ctx, from.count, &list->items));
    if (from.count > 0)
        memcpy(list->items, from.items, from.count * sizeof *list->items);
    return SWP_OK;
}

/* The hazards that do not count anyway, in the memory of the result. */
static swp_status keep_new(const explainer *e, const swp_hazard_list *hazards,
                           swp_hazard_list *needs)
{
    for (size_t i = 0; i < hazards->count; i++) {
        swp_hazard need = hazards->items[i];
        char *detail = NULL;
        if (*known_at(e, &need))
            continue;
        SWP_TRY(swp_copy_text(e->ctx, need.detail, strlen(need.detail), &detail));
        need.detail = detail;
        SWP_TRY(SWP_PUSH(e->ctx, needs, need));
    }
    return SWP_OK;
}

static swp_status find_needs(explainer *e, swp_context *scratch, swp_hazard_list *needs)
{
    swp_verdict verdict = {0};
    SWP_TRY(swp_verify(scratch, &e->schedule, NULL, 0, &verdict));
    e->work += verdict.work;
    return keep_new(e, &verdict.hazards, needs);
}

/* What the proof finds with the entry out of the way, less what it finds anyway. */
static swp_status explain_entry(explainer *e, swp_entry *entry, swp_hazard_list *needs)
{
    const swp_op op = entry->op;
    swp_context scratch = *e->ctx;
    scratch.arena = swp_arena_new(&e->ctx->arena->allocator);
    if (!scratch.arena)
        return swp_out_of_memory(e->ctx);
    /* A hint in its place keeps the numbers of all other entries. */
    entry->op = swp_op_set_prio(0);
    const swp_status status = find_needs(e, &scratch, needs);
    entry->op = op;
    swp_arena_free(scratch.arena);
    return status;
}

static swp_status explain_phase(explainer *e, swp_phase phase)
{
    for (size_t i = 0; i < e->out->count; i++) {
        swp_explanation *explanation = &e->out->items[i];
        const swp_entry_ref at = explanation->at;
        if (at.phase != phase)
            continue;
        explanation->left_out = e->work > MOST_WORK;
        e->out->left_out += explanation->left_out;
        if (!explanation->left_out)
            SWP_TRY(explain_entry(e, &swp_schedule_phase(&e->schedule, phase)->items[at.entry],
                                  &explanation->needs));
    }
    return SWP_OK;
}

static swp_status list_entries(explainer *e)
{
    for (int phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_schedule_phase(&e->schedule, (swp_phase)phase);
        for (size_t i = 0; i < entries->count; i++) {
            const swp_explanation explanation = {.at = {(swp_phase)phase, (int)i}};
            if (entries->items[i].op.role == SWP_SYNC)
                SWP_TRY(SWP_PUSH(e->ctx, e->out, explanation));
        }
    }
    return SWP_OK;
}

static swp_status warn_of_left_out(const explainer *e)
{
    if (e->out->left_out == 0)
        return SWP_OK;
    return swp_warn(e->ctx, SWP_W0704, SWP_NOWHERE,
                    "take some away by hand and verify, or explain a smaller schedule",
                    "%zu of %zu waits and barriers are not explained: each takes a proof of its "
                    "own, and those of the others took %llu steps of the %d allowed",
                    e->out->left_out, e->out->count, (unsigned long long)e->work, MOST_WORK);
}

swp_status swp_explain(swp_context *ctx, const swp_schedule *schedule, swp_explanation_list *out)
{
    SWP_REQUIRE(ctx, ctx && schedule && out);
    static const swp_phase by_interest[] = {SWP_KERNEL, SWP_PROLOGUE, SWP_EPILOGUE};
    explainer e = {.ctx = ctx, .schedule = *schedule, .out = out};
    swp_stream *stream = &e.schedule.streams[0];
    swp_verdict verdict = {0};
    *out = (swp_explanation_list){0};
    SWP_TRY(swp_verify(ctx, schedule, NULL, 0, &verdict));
    out->hazards = verdict.hazards.count;
    SWP_TRY(note_known(&e, &verdict.hazards));
    SWP_TRY(copy_phase(ctx, &stream->prologue));
    SWP_TRY(copy_phase(ctx, &stream->kernel));
    SWP_TRY(copy_phase(ctx, &stream->epilogue));
    SWP_TRY(list_entries(&e));
    for (int i = 0; i < 3; i++)
        SWP_TRY(explain_phase(&e, by_interest[i]));
    return warn_of_left_out(&e);
}
