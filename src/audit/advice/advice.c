/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each wait and barrier is weakened as far as the audit still finds nothing: the weakest that passes stays while the next
 * one is tried, so that all advice holds at once. Barriers come first, for a wait before one that is not
 * needed is not needed either; inner loops come before outer ones, for what they save counts more often.
 */
#include "audit/advice/advice.h"

#include "audit/amd/amd.h"
#include "audit/flow/assumptions.h"
#include "audit/flow/conflicts.h"
#include "audit/flow/findings.h"
#include "base/text.h"

#include <stdlib.h>

typedef struct edit {
    int insn;
    int depth; /* loops that it is in */
    int loop;
    bool is_wait;
    swp_insn before;
    swp_insn after;
} edit;

typedef struct edit_list {
    edit *items;
    size_t count;
    size_t capacity;
} edit_list;

typedef struct advisor {
    swp_context *ctx;
    const char *file;
    swp_machine_code *code;
    swp_judged *judged;
    const swp_wait_room *rooms; /* by instruction and counter */
    size_t assumptions;         /* that the code as it is takes for given */
    bool shared_outside;
    edit_list edits;
    size_t first_loop;
    swp_audit_report *out;
} advisor;

static swp_insn *insn_at(const advisor *a, int index)
{
    return &a->code->insns.items[index];
}

/* --- judging again --- */

static swp_status count_assumptions(const swp_fixpoint *fixpoint, size_t *out)
{
    swp_audit_report scratch = {0};
    SWP_TRY(swp_flow_add_assumptions(fixpoint, &scratch));
    *out = scratch.assumptions.count;
    return SWP_OK;
}

static swp_status judge_again(const advisor *a, swp_context *ctx, bool *holds)
{
    swp_judged *judged = NULL;
    swp_conflict_list conflicts = {0};
    size_t assumptions = 0;
    SWP_TRY(SWP_TAKE(ctx, 1, &judged));
    SWP_TRY(swp_flow_judge(ctx, a->file, a->code, a->judged->flow.function, judged));
    SWP_TRY(swp_flow_find_conflicts(&judged->fixpoint, &judged->lags, &conflicts));
    SWP_TRY(count_assumptions(&judged->fixpoint, &assumptions));
    *holds = conflicts.count == 0 && assumptions <= a->assumptions;
    return SWP_OK;
}

/* Whether nothing goes wrong in the code as it is edited now, for all that the audit can tell. */
static swp_status still_holds(const advisor *a, bool *holds)
{
    swp_context *within = swp_context_within(a->ctx);
    *holds = false;
    if (!within)
        return swp_pass_on(a->ctx, swp_why_none(a->ctx));
    const swp_status status = judge_again(a, within, holds);
    swp_context_free(within);
    return swp_ends_work(status) ? swp_pass_on(a->ctx, status) : SWP_OK;
}

/* --- one wait or barrier --- */

static swp_status try_count(const advisor *a, int insn, int counter, int count, bool *holds)
{
    swp_insn *at = insn_at(a, insn);
    const int before = at->waits[counter];
    at->waits[counter] = count >= a->code->counter_max[counter] ? SWP_NO_WAIT : count;
    SWP_TRY(still_holds(a, holds));
    if (!*holds)
        at->waits[counter] = before;
    return SWP_OK;
}

/* The largest count from `low`, which holds, up to below `high`, which does not. */
static swp_status search_count(const advisor *a, int insn, int counter, int low, int high)
{
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        bool holds = false;
        SWP_TRY(try_count(a, insn, counter, middle, &holds));
        low = holds ? middle : low;
        high = holds ? high : middle;
    }
    return SWP_OK;
}

static swp_status weaken(const advisor *a, int insn, int counter)
{
    const int count = insn_at(a, insn)->waits[counter];
    const int first = a->judged->flow.function->first;
    const int most = a->rooms[(insn - first) * SWP_AUDIT_COUNTERS + counter].most;
    bool holds = false;
    if (count == SWP_NO_WAIT || count >= most || (counter == SWP_AUDIT_VM && a->shared_outside))
        return SWP_OK;
    SWP_TRY(try_count(a, insn, counter, count + 1, &holds));
    if (!holds || count + 1 == most)
        return SWP_OK;
    SWP_TRY(try_count(a, insn, counter, most, &holds));
    return holds ? SWP_OK : search_count(a, insn, counter, count + 1, most);
}

static swp_status remove_barrier(const advisor *a, int insn)
{
    bool orders = a->shared_outside;
    bool holds = false;
    if (!orders)
        SWP_TRY(swp_advice_barrier_orders_memory(a->ctx, &a->judged->flow, insn, &orders));
    if (orders)
        return SWP_OK;
    insn_at(a, insn)->kind = SWP_INSN_NOTHING;
    SWP_TRY(still_holds(a, &holds));
    if (!holds)
        insn_at(a, insn)->kind = SWP_INSN_BARRIER;
    return SWP_OK;
}

static swp_status try_edit(const advisor *a, edit *e)
{
    if (!e->is_wait)
        SWP_TRY(remove_barrier(a, e->insn));
    for (int c = 0; e->is_wait && c < SWP_AUDIT_COUNTERS; c++)
        SWP_TRY(weaken(a, e->insn, c));
    e->after = *insn_at(a, e->insn);
    return SWP_OK;
}

/* --- all of them --- */

static int compare_edits(const void *a, const void *b)
{
    const edit *first = a;
    const edit *second = b;
    if (first->is_wait != second->is_wait)
        return first->is_wait - second->is_wait;
    return first->depth != second->depth ? second->depth - first->depth
                                         : first->insn - second->insn;
}

static int compare_places(const void *a, const void *b)
{
    return ((const edit *)a)->insn - ((const edit *)b)->insn;
}

static int depth_of(const swp_flow *flow, int loop)
{
    int depth = 0;
    for (; loop >= 0; loop = flow->loops[loop].outer)
        depth++;
    return depth;
}

static swp_status collect(advisor *a)
{
    const swp_flow *flow = &a->judged->flow;
    edit_list *edits = &a->edits;
    for (int b = 0; b < flow->block_count; b++)
        for (int i = flow->blocks[b].first; flow->blocks[b].reached && i < flow->blocks[b].end;
             i++) {
            const swp_insn *insn = insn_at(a, i);
            const int loop = flow->blocks[b].loop;
            const edit added = {.insn = i,
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

static bool is_changed(const edit *e)
{
    bool changed = e->before.kind != e->after.kind;
    for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
        changed |= e->before.waits[c] != e->after.waits[c];
    return changed;
}

static void keep_changed(edit_list *edits)
{
    size_t kept = 0;
    for (size_t i = 0; i < edits->count; i++)
        if (is_changed(&edits->items[i]))
            edits->items[kept++] = edits->items[i];
    edits->count = kept;
    if (kept)
        qsort(edits->items, kept, sizeof *edits->items, compare_places);
}

static void apply(const advisor *a, bool after)
{
    for (size_t i = 0; i < a->edits.count; i++)
        *insn_at(a, a->edits.items[i].insn) =
            after ? a->edits.items[i].after : a->edits.items[i].before;
}

/* --- what it saves --- */

static swp_status cycles_of(const advisor *a, int loop, bool *known, double *cycles)
{
    swp_context *within = swp_context_within(a->ctx);
    if (!within)
        return swp_pass_on(a->ctx, swp_why_none(a->ctx));
    const swp_status status = swp_advice_pass_cycles(within, &a->judged->flow, loop, known, cycles);
    swp_context_free(within);
    return status == SWP_OK ? SWP_OK : swp_pass_on(a->ctx, status);
}

static swp_status add_pace(const advisor *a, int loop)
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
static swp_status count_saved(const advisor *a, const edit *e, swp_audit_advice *out)
{
    for (size_t i = 0; i < a->out->paces.count && e->loop >= 0; i++) {
        const swp_audit_pace *pace = &a->out->paces.items[i];
        double cycles = 0;
        if (pace->loop != (int)a->first_loop + e->loop)
            continue;
        *insn_at(a, e->insn) = e->after;
        const swp_status status = cycles_of(a, e->loop, &out->has_cycles, &cycles);
        *insn_at(a, e->insn) = e->before;
        out->cycles = pace->cycles - cycles;
        return status;
    }
    return SWP_OK;
}

/* --- in words --- */

static swp_status describe(const advisor *a, const edit *e, swp_audit_advice *out)
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

static swp_status add_advice(const advisor *a, const edit *e)
{
    swp_audit_advice advice = {.should_be = ""};
    if (e->is_wait)
        SWP_TRY(swp_amd_write_wait(a->ctx, &e->before, e->after.waits, &advice.should_be));
    SWP_TRY(swp_flow_set_site(a->ctx, &e->before, &advice.at));
    SWP_TRY(describe(a, e, &advice));
    SWP_TRY(count_saved(a, e, &advice));
    return SWP_PUSH(a->ctx, &a->out->advice, advice);
}

static swp_status find(advisor *a)
{
    SWP_TRY(collect(a));
    for (size_t i = 0; i < a->edits.count; i++)
        SWP_TRY(try_edit(a, &a->edits.items[i]));
    apply(a, false);
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
    advisor a = {.ctx = ctx,
                 .file = file,
                 .code = code,
                 .judged = judged,
                 .first_loop = first_loop,
                 .out = out};
    SWP_TRY(swp_advice_find_rooms(&judged->fixpoint, &rooms));
    a.rooms = rooms;
    a.shared_outside = swp_advice_is_shared_outside(&judged->flow);
    SWP_TRY(count_assumptions(&judged->fixpoint, &a.assumptions));
    return find(&a);
}
