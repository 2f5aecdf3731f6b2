/* SPDX-License-Identifier: Apache-2.0 */
/* Proves the schedule without each wait and barrier in turn: the hazards that come up are what it is there for. */
#include "swp/explain.h"

#include "base/budget.h"
#include "base/context.h"
#include "base/diag.h"
#include "base/names.h"
#include "base/require.h"
#include "ir/entry.h"
#include "ir/roles.h"
#include "ir/schedule.h"
#include "ir/sync_objects.h"
#include "verify/partners.h"
#include "verify/roles_prove.h"

#include <string.h>

/*
 * Each wait and barrier takes a proof of its own, so that all of them take the square of the schedule. The
 * kernel's come first, and what is left when so much has been looked at is told of, not explained.
 */
enum { MOST_WORK = 200000000, MOST_WORK_OF_ROLES = 50000000 };

enum { MOST_GROUPS = 64 }; /* that a wait is tried with */

typedef struct explainer {
    swp_context *ctx;
    swp_schedule schedule; /* a copy whose entries may be changed */
    bool **known;  /* of each list of each stream: whether an entry has a hazard of a kind anyway */
    uint64_t work; /* of the proofs so far */
    bool ends_early; /* proofs end with the first run that goes wrong */
    swp_explanation_list *out;
} explainer;

/* Prologue, kernel, the epilogue of each form, and the lists that an output tile has besides. */
static size_t number_of(const swp_schedule *schedule, swp_phase phase, int form)
{
    if (phase >= SWP_BEGIN)
        return (size_t)phase - 1 + (size_t)swp_schedule_forms(schedule);
    return (size_t)phase + (phase == SWP_EPILOGUE ? (size_t)form : 0);
}

static swp_phase phase_of(const swp_schedule *schedule, size_t number)
{
    const size_t begin = number_of(schedule, SWP_BEGIN, 0);
    if (number >= begin)
        return (swp_phase)(SWP_BEGIN + (number - begin));
    return number < SWP_EPILOGUE ? (swp_phase)number : SWP_EPILOGUE;
}

/* Of a stream. */
static size_t count_lists(const swp_schedule *schedule)
{
    return number_of(schedule, SWP_DRAIN, 0) + 1;
}

static swp_entry_list *list_at(swp_schedule *schedule, int stream_number, size_t number)
{
    swp_stream *stream = &schedule->streams[stream_number];
    swp_tails *tails = &stream->tails;
    if (number == SWP_PROLOGUE)
        return &stream->prologue;
    if (number == SWP_KERNEL)
        return &stream->kernel;
    const size_t form = number - SWP_EPILOGUE;
    const swp_phase phase = phase_of(schedule, number);
    if (phase >= SWP_BEGIN)
        return phase == SWP_BEGIN ? &stream->begin
               : phase == SWP_END ? &stream->end
                                  : &stream->drain;
    if (form == 0)
        return &stream->epilogue;
    return form <= tails->epilogue_count ? &tails->epilogues[form - 1]
                                         : &tails->straight[form - 1 - tails->epilogue_count];
}

static bool *known_at(const explainer *e, const swp_hazard *hazard)
{
    const int n = hazard->tiles && hazard->tile < hazard->tile_count ? hazard->tiles[hazard->tile]
                                                                     : hazard->smallest_n;
    const int form = swp_ir_form_at(&e->schedule, hazard->at.phase, n);
    const size_t first = (size_t)hazard->stream * count_lists(&e->schedule);
    return &e->known[first + number_of(&e->schedule, hazard->at.phase, form)]
                    [hazard->at.entry * SWP_HAZARD_KINDS + (int)hazard->kind];
}

static swp_status note_known(explainer *e, const swp_hazard_list *hazards)
{
    const size_t lists = count_lists(&e->schedule);
    const size_t all = lists * e->schedule.stream_count;
    SWP_TRY(SWP_TAKE(e->ctx, all, &e->known));
    for (size_t i = 0; i < all; i++) {
        const size_t length = list_at(&e->schedule, (int)(i / lists), i % lists)->count + 1;
        SWP_TRY(SWP_TAKE(e->ctx, length * SWP_HAZARD_KINDS, &e->known[i]));
    }
    for (size_t i = 0; i < hazards->count; i++)
        *known_at(e, &hazards->items[i]) = true;
    return SWP_OK;
}

static swp_status copy_list(swp_context *ctx, swp_entry_list *list)
{
    const swp_entry_list from = *list;
    *list = (swp_entry_list){.count = from.count, .capacity = from.count};
    SWP_TRY(SWP_TAKE(ctx, from.count, &list->items));
    if (from.count > 0)
        memcpy(list->items, from.items, from.count * sizeof *list->items);
    return SWP_OK;
}

static swp_status copy_lists(swp_context *ctx, swp_entry_list **lists, size_t count)
{
    const swp_entry_list *from = *lists;
    SWP_TRY(SWP_TAKE(ctx, count, lists));
    if (count > 0)
        memcpy(*lists, from, count * sizeof *from);
    return SWP_OK;
}

/* A copy whose entries may be changed. */
static swp_status copy_schedule(explainer *e)
{
    for (int stream = 0; stream < (int)e->schedule.stream_count; stream++) {
        swp_tails *tails = &e->schedule.streams[stream].tails;
        SWP_TRY(copy_lists(e->ctx, &tails->epilogues, tails->epilogue_count));
        SWP_TRY(copy_lists(e->ctx, &tails->straight, tails->straight_count));
        for (size_t i = 0; i < count_lists(&e->schedule); i++)
            SWP_TRY(copy_list(e->ctx, list_at(&e->schedule, stream, i)));
    }
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

/* An entry of an epilogue is in one form, and in no other's way. */
static swp_status prove(const explainer *e, swp_context *scratch,
                        const swp_explanation *explanation, swp_verdict *out)
{
    enum { ALL_FORMS = -1 };
    const bool has_form = explanation->at.phase == SWP_EPILOGUE && !e->schedule.output_tiles;
    if (e->ends_early)
        return swp_verify_roles_until_unsafe(scratch, &e->schedule,
                                             has_form ? explanation->form : ALL_FORMS,
                                             SWP_PROOF_ASKED_FOR, NULL, out);
    return has_form ? swp_verify_form(scratch, &e->schedule, explanation->form, out)
                    : swp_verify(scratch, &e->schedule, NULL, 0, out);
}

static swp_status find_needs(explainer *e, swp_context *scratch, swp_explanation *explanation)
{
    swp_verdict verdict = {0};
    SWP_TRY(prove(e, scratch, explanation, &verdict));
    e->work += verdict.work;
    return keep_new(e, &verdict.hazards, &explanation->needs);
}

/*
 * What stands in the place of an entry, so that all others keep their numbers: a hint, or in a list of a warp role a fence of
 * the other kind, which orders nothing that the entry did.
 */
static swp_op idle(const char *role, const swp_op *op)
{
    if (!role)
        return swp_op_set_prio(0);
    swp_op fence = swp_op_none();
    fence.tag = op->tag == SWP_TAG_MATRIX_FENCE ? SWP_TAG_FENCE_ASYNC : SWP_TAG_MATRIX_FENCE;
    fence.role = SWP_SYNC;
    fence.instances = op->instances;
    return fence;
}

/* A step of a run of a loop takes longer than one of a body. */
static uint64_t most_work(const swp_schedule *schedule)
{
    return schedule->dataflow ? MOST_WORK_OF_ROLES : MOST_WORK;
}

static swp_entry *entry_at(explainer *e, const swp_explanation *explanation)
{
    const swp_entry_list *list =
        list_at(&e->schedule, explanation->stream,
                number_of(&e->schedule, explanation->at.phase, explanation->form));
    return &list->items[explanation->at.entry];
}

/* What the proof finds with another op in the place of the entry, less what it finds anyway. */
static swp_status find_needs_with(explainer *e, swp_op other, swp_explanation *explanation)
{
    swp_entry *entry = entry_at(e, explanation);
    const swp_op op = entry->op;
    swp_context scratch;
    SWP_TRY(swp_scope_open(e->ctx, &scratch));
    entry->op = other;
    const swp_status status = find_needs(e, &scratch, explanation);
    entry->op = op;
    swp_scope_close(&scratch);
    return status;
}

/* --- Slack --- */

static swp_status may_leave(explainer *e, const swp_explanation *explanation, int count, bool *may)
{
    swp_explanation probe = {
        .stream = explanation->stream, .at = explanation->at, .form = explanation->form};
    swp_op op = entry_at(e, explanation)->op;
    op.wait_value = count;
    SWP_TRY(find_needs_with(e, op, &probe));
    *may = probe.needs.count == 0;
    return SWP_OK;
}

/* The largest count, by steps that double and then halve. One that no dependence needs may leave any number. */
static swp_status find_slack(explainer *e, swp_explanation *explanation)
{
    const swp_op op = entry_at(e, explanation)->op;
    const bool counts = swp_ir_is_wait(&op) || swp_ir_is_group_wait(&op);
    const int most = swp_ir_is_wait(&op)
                         ? swp_ir_most_in_flight(&e->schedule.machine, swp_ir_wait_kind(&op))
                         : MOST_GROUPS;
    int step = 1;
    if (!counts || explanation->needs.count == 0)
        return SWP_OK;
    explanation->may_leave = op.wait_value;
    for (bool grows = true; step > 0 && e->work <= most_work(&e->schedule);
         step = grows ? 2 * step : step / 2) {
        const int count = explanation->may_leave + step;
        bool may = false;
        if (count <= most)
            SWP_TRY(may_leave(e, explanation, count, &may));
        grows = grows && may;
        if (may)
            explanation->may_leave = count;
    }
    return SWP_OK;
}

static swp_status explain_entry(explainer *e, swp_explanation *explanation)
{
    const swp_op op = entry_at(e, explanation)->op;
    SWP_TRY(find_needs_with(e, idle(swp_ir_role_name(&e->schedule, explanation->stream), &op),
                            explanation));
    return find_slack(e, explanation);
}

static swp_status explain_phase(explainer *e, swp_phase phase)
{
    for (size_t i = 0; i < e->out->count; i++) {
        swp_explanation *explanation = &e->out->items[i];
        if (explanation->at.phase != phase)
            continue;
        explanation->left_out = e->work > most_work(&e->schedule);
        e->out->left_out += explanation->left_out;
        if (!explanation->left_out)
            SWP_TRY(explain_entry(e, explanation));
    }
    return SWP_OK;
}

/* All that is neither work nor a hint orders something. */
static bool is_explained(const swp_op *op)
{
    return !swp_ir_is_work(op) && op->role != SWP_FENCE;
}

static swp_status list_entries(explainer *e, int stream)
{
    for (size_t number = 0; number < count_lists(&e->schedule); number++) {
        const swp_phase phase = phase_of(&e->schedule, number);
        const int form = phase == SWP_EPILOGUE ? (int)(number - SWP_EPILOGUE) : 0;
        const swp_entry_list *entries = list_at(&e->schedule, stream, number);
        for (size_t i = 0; i < entries->count; i++) {
            swp_explanation explanation = {
                .stream = stream, .at = {phase, (int)i}, .form = form, .may_leave = -1};
            if (!is_explained(&entries->items[i].op))
                continue;
            SWP_TRY(swp_verify_list_partners(e->ctx, &e->schedule, &explanation));
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
                    "own, and those of the others took %llu steps of the %llu allowed",
                    e->out->left_out, e->out->count, (unsigned long long)e->work,
                    (unsigned long long)most_work(&e->schedule));
}

/*
 * Of output tiles, whose sequences are many, and of long lists the shortest runs that go wrong say enough. Where
 * some do anyway, such a proof would not get past these.
 */
static bool ends_early(const explainer *e, uint64_t work)
{
    return e->schedule.dataflow && e->out->hazards == 0 &&
           (e->schedule.output_tiles || work * e->out->count > MOST_WORK_OF_ROLES);
}

/* Each explanation is what goes wrong without an entry, so that the whole has to be judged first. */
static swp_status judge_whole(swp_context *ctx, const swp_schedule *schedule, swp_verdict *verdict)
{
    const size_t first = ctx->diags->count;
    const swp_status status = swp_verify(ctx, schedule, NULL, 0, verdict);
    if (status != SWP_STOPPED || ctx->diags->count == first)
        return status;
    swp_give_grace(ctx);
    SWP_TRY(swp_diag_extend(ctx, first,
                            ": the proof that the whole schedule is safe has no end yet, and what "
                            "each entry is there for is told by proofs without it"));
    ctx->diags->items[first].hint = "allow more time (`--time-limit`), or make rings of fewer "
                                    "slots or of equal ones; `swp simulate` takes no proof";
    return SWP_STOPPED;
}

swp_status swp_explain(swp_context *ctx, const swp_schedule *schedule, swp_explanation_list *out)
{
    SWP_REQUIRE(ctx, ctx && schedule && out);
    static const swp_phase by_interest[] = {SWP_KERNEL, SWP_PROLOGUE, SWP_EPILOGUE,
                                            SWP_BEGIN,  SWP_END,      SWP_DRAIN};
    explainer e = {.ctx = ctx, .schedule = *schedule, .out = out};
    swp_verdict verdict = {0};
    *out = (swp_explanation_list){0};
    SWP_TRY(judge_whole(ctx, schedule, &verdict));
    out->hazards = verdict.hazards.count;
    SWP_TRY(note_known(&e, &verdict.hazards));
    SWP_TRY(copy_schedule(&e));
    for (int stream = 0; stream < (int)schedule->stream_count; stream++)
        SWP_TRY(list_entries(&e, stream));
    e.ends_early = ends_early(&e, verdict.work);
    for (size_t i = 0; i < SWP_COUNT_OF(by_interest); i++)
        SWP_TRY(explain_phase(&e, by_interest[i]));
    return warn_of_left_out(&e);
}
