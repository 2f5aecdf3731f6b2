/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may be weaker or go, all of it at once. Two plans are tried, and the one with fewer cycles by the model is kept: each barrier
 * and wait by itself, in order, so that most of them go; and first all waits of a loop alike, so that none has to make up for
 * another one.
 */
#include "audit/advice/weaken.h"

#include "audit/amd/amd.h"
#include "audit/flow/findings.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* --- all of them --- */

static int compare_edits(const void *a, const void *b)
{
    const swp_advice_edit *first = a;
    const swp_advice_edit *second = b;
    if (first->is_wait != second->is_wait)
        return first->is_wait - second->is_wait;
    return first->depth != second->depth ? second->depth - first->depth
                                         : first->insn - second->insn;
}

static int compare_places(const void *a, const void *b)
{
    return ((const swp_advice_edit *)a)->insn - ((const swp_advice_edit *)b)->insn;
}

static int depth_of(const swp_flow *flow, int loop)
{
    int depth = 0;
    for (; loop >= 0; loop = flow->loops[loop].outer)
        depth++;
    return depth;
}

static swp_status collect(swp_advisor *a)
{
    const swp_flow *flow = &a->judged->flow;
    swp_advice_edit_list *edits = &a->edits;
    for (int b = 0; b < flow->block_count; b++)
        for (int i = flow->blocks[b].first; flow->blocks[b].reached && i < flow->blocks[b].end;
             i++) {
            const swp_insn *insn = swp_advice_insn(a, i);
            const int loop = flow->blocks[b].loop;
            const swp_advice_edit added = {.insn = i,
                                           .depth = depth_of(flow, loop),
                                           .loop = loop,
                                           .is_wait = insn->kind == SWP_INSN_WAIT,
                                           .before = *insn,
                                           .after = *insn};
            if (added.is_wait || insn->kind == SWP_INSN_BARRIER)
                SWP_TRY(SWP_PUSH(a->ctx, edits, added));
        }
    if (edits->count)
        qsort(edits->items, edits->count, sizeof *edits->items, compare_edits);
    return SWP_OK;
}

static bool is_changed(const swp_advice_edit *e)
{
    bool changed = e->before.kind != e->after.kind;
    for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
        changed |= e->before.waits[c] != e->after.waits[c];
    return changed;
}

static void keep_changed(swp_advice_edit_list *edits)
{
    size_t kept = 0;
    for (size_t i = 0; i < edits->count; i++)
        if (is_changed(&edits->items[i]))
            edits->items[kept++] = edits->items[i];
    edits->count = kept;
    if (kept)
        qsort(edits->items, kept, sizeof *edits->items, compare_places);
}

static void apply(const swp_advisor *a, bool after)
{
    for (size_t i = 0; i < a->edits.count; i++)
        *swp_advice_insn(a, a->edits.items[i].insn) =
            after ? a->edits.items[i].after : a->edits.items[i].before;
}

/* --- what it saves --- */

static swp_status cycles_of(const swp_advisor *a, int loop, bool *known, double *cycles)
{
    swp_context *within = swp_context_within(a->ctx);
    if (!within)
        return swp_pass_on(a->ctx, swp_why_none(a->ctx));
    const swp_status status = swp_advice_pass_cycles(within, &a->judged->flow, loop, known, cycles);
    swp_context_free(within);
    return status == SWP_OK ? SWP_OK : swp_pass_on(a->ctx, status);
}

static swp_status add_pace(const swp_advisor *a, int loop)
{
    swp_audit_pace pace = {.loop = (int)a->first_loop + loop};
    bool known = false;
    bool edited = false;
    for (size_t i = 0; i < a->edits.count; i++)
        edited |= a->edits.items[i].loop == loop;
    if (!edited)
        return SWP_OK;
    SWP_TRY(cycles_of(a, loop, &known, &pace.cycles));
    apply(a, true);
    const swp_status status = known ? cycles_of(a, loop, &known, &pace.advised_cycles) : SWP_OK;
    apply(a, false);
    SWP_TRY(status);
    return known ? SWP_PUSH(a->ctx, &a->out->paces, pace) : SWP_OK;
}

/* The loop's cycles with this edit alone. */
static swp_status count_saved(const swp_advisor *a, const swp_advice_edit *e, swp_audit_advice *out)
{
    for (size_t i = 0; i < a->out->paces.count && e->loop >= 0; i++) {
        const swp_audit_pace *pace = &a->out->paces.items[i];
        double cycles = 0;
        if (pace->loop != (int)a->first_loop + e->loop)
            continue;
        *swp_advice_insn(a, e->insn) = e->after;
        const swp_status status = cycles_of(a, e->loop, &out->has_cycles, &cycles);
        *swp_advice_insn(a, e->insn) = e->before;
        out->cycles = pace->cycles - cycles;
        return status;
    }
    return SWP_OK;
}

/* --- in words --- */

static swp_status describe(const swp_advisor *a, const swp_advice_edit *e, swp_audit_advice *out)
{
    swp_text text = {.ctx = a->ctx};
    char *why = NULL;
    if (!out->should_be[0]) {
        swp_text_format(&text, "nothing needs this %s", e->is_wait ? "wait" : "barrier");
    } else {
        const char *separator = "";
        for (int c = 0; c < SWP_AUDIT_COUNTERS; c++) {
            if (e->before.waits[c] == e->after.waits[c])
                continue;
            swp_text_format(&text, "%s", separator);
            if (e->after.waits[c] == SWP_NO_WAIT)
                swp_text_format(&text, "nothing needs its %s", swp_code_counter_name(c));
            else
                swp_text_format(&text, "%s(%d) is enough, %d weaker", swp_code_counter_name(c),
                                e->after.waits[c], e->after.waits[c] - e->before.waits[c]);
            separator = ", ";
        }
    }
    SWP_TRY(swp_text_end(&text, &why, NULL));
    out->why = why;
    return SWP_OK;
}

static swp_status add_advice(const swp_advisor *a, const swp_advice_edit *e)
{
    swp_audit_advice advice = {.should_be = ""};
    if (e->is_wait)
        SWP_TRY(swp_amd_write_wait(a->ctx, &e->before, e->after.waits, &advice.should_be));
    SWP_TRY(swp_flow_set_site(a->ctx, &e->before, &advice.at));
    SWP_TRY(describe(a, e, &advice));
    SWP_TRY(count_saved(a, e, &advice));
    return SWP_PUSH(a->ctx, &a->out->advice, advice);
}

/* --- plans --- */

/* Of a pass of each loop, together. */
static swp_status cycles_of_all(const swp_advisor *a, double *out)
{
    *out = 0;
    for (int l = 0; l < a->judged->flow.loop_count; l++) {
        bool known = false;
        double cycles = 0;
        SWP_TRY(cycles_of(a, l, &known, &cycles));
        *out += known ? cycles : 0;
    }
    return SWP_OK;
}

/* Leaves the code as it is edited. */
static swp_status try_in_order(swp_advisor *a, double *cycles)
{
    for (size_t i = 0; i < a->edits.count; i++)
        SWP_TRY(swp_advice_try_edit(a, &a->edits.items[i]));
    return cycles_of_all(a, cycles);
}

/* Waits come first here, as a barrier that is gone can need a wait to be as it was. */
static swp_status try_alike(swp_advisor *a, double *cycles)
{
    for (int l = 0; l < a->judged->flow.loop_count; l++)
        SWP_TRY(swp_advice_weaken_alike(a, l));
    for (int barriers = 0; barriers < 2; barriers++)
        for (size_t i = 0; i < a->edits.count; i++)
            if (a->edits.items[i].is_wait == !barriers)
                SWP_TRY(swp_advice_try_edit(a, &a->edits.items[i]));
    return cycles_of_all(a, cycles);
}

static bool has_several_waits(const swp_advisor *a)
{
    for (size_t i = 0; i < a->edits.count; i++)
        for (size_t j = 0; j < i; j++)
            if (a->edits.items[i].is_wait && a->edits.items[j].is_wait &&
                a->edits.items[i].loop >= 0 && a->edits.items[i].loop == a->edits.items[j].loop)
                return true;
    return false;
}

static swp_status choose(swp_advisor *a)
{
    double cycles = 0;
    double other = 0;
    swp_advice_edit *kept = NULL;
    swp_status status = try_in_order(a, &cycles);
    apply(a, false);
    if (status != SWP_OK || !has_several_waits(a))
        return status;
    SWP_TRY(SWP_TAKE(a->ctx, a->edits.count, &kept));
    memcpy(kept, a->edits.items, a->edits.count * sizeof *kept);
    status = try_alike(a, &other);
    apply(a, false);
    if (status == SWP_OK && other >= cycles)
        memcpy(a->edits.items, kept, a->edits.count * sizeof *kept);
    return status;
}

static swp_status find(swp_advisor *a)
{
    SWP_TRY(collect(a));
    SWP_TRY(choose(a));
    keep_changed(&a->edits);
    for (int l = 0; l < a->judged->flow.loop_count; l++)
        SWP_TRY(add_pace(a, l));
    for (size_t i = 0; i < a->edits.count; i++)
        SWP_TRY(add_advice(a, &a->edits.items[i]));
    return SWP_OK;
}

swp_status swp_advice_find(swp_context *ctx, const char *file, swp_machine_code *code,
                           swp_judged *judged, size_t first_loop, swp_audit_report *out)
{
    swp_wait_room *rooms = NULL;
    swp_advisor a = {.ctx = ctx,
                     .file = file,
                     .code = code,
                     .judged = judged,
                     .first_loop = first_loop,
                     .out = out};
    SWP_TRY(swp_advice_find_rooms(&judged->fixpoint, &rooms));
    a.rooms = rooms;
    a.shared_outside = swp_advice_is_shared_outside(&judged->flow);
    SWP_TRY(swp_advice_count_assumptions(&judged->fixpoint, &a.assumptions));
    return find(&a);
}
