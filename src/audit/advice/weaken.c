/* SPDX-License-Identifier: Apache-2.0 */
/* A wait, a barrier, or all waits of a loop, edited as far as the audit of the edited code finds nothing. */
#include "audit/advice/weaken.h"

#include "audit/flow/assumptions.h"
#include "audit/flow/conflicts.h"
#include "audit/flow/findings.h"

swp_status swp_advice_count_assumptions(const swp_fixpoint *fixpoint, size_t *out)
{
    swp_audit_report scratch = {0};
    SWP_TRY(swp_flow_add_assumptions(fixpoint, &scratch));
    *out = scratch.assumptions.count;
    return SWP_OK;
}

static swp_status judge_again(const swp_advisor *a, swp_context *ctx, bool *holds)
{
    swp_judged *judged = NULL;
    swp_conflict_list conflicts = {0};
    size_t assumptions = 0;
    SWP_TRY(SWP_TAKE(ctx, 1, &judged));
    SWP_TRY(swp_flow_judge(ctx, a->file, a->code, a->judged->flow.function, judged));
    SWP_TRY(swp_flow_find_conflicts(&judged->fixpoint, &judged->lags, &conflicts));
    SWP_TRY(swp_advice_count_assumptions(&judged->fixpoint, &assumptions));
    *holds = conflicts.count == 0 && assumptions <= a->assumptions;
    return SWP_OK;
}

/* Whether nothing goes wrong in the code as it is edited now, for all that the audit can tell. */
static swp_status still_holds(const swp_advisor *a, bool *holds)
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

static swp_status try_count(const swp_advisor *a, int insn, int counter, int count, bool *holds)
{
    swp_insn *at = swp_advice_insn(a, insn);
    const int before = at->waits[counter];
    at->waits[counter] = count >= a->code->counter_max[counter] ? SWP_NO_WAIT : count;
    SWP_TRY(still_holds(a, holds));
    if (!*holds)
        at->waits[counter] = before;
    return SWP_OK;
}

/* The largest count from `low`, which holds, up to below `high`, which does not. */
static swp_status search_count(const swp_advisor *a, int insn, int counter, int low, int high)
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

static swp_status weaken(const swp_advisor *a, int insn, int counter)
{
    const int count = swp_advice_insn(a, insn)->waits[counter];
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

static swp_status remove_barrier(const swp_advisor *a, int insn)
{
    bool orders = a->shared_outside;
    bool holds = false;
    if (!orders)
        SWP_TRY(swp_advice_barrier_orders_memory(a->ctx, &a->judged->flow, insn, &orders));
    if (orders)
        return SWP_OK;
    swp_advice_insn(a, insn)->kind = SWP_INSN_NOTHING;
    SWP_TRY(still_holds(a, &holds));
    if (!holds)
        swp_advice_insn(a, insn)->kind = SWP_INSN_BARRIER;
    return SWP_OK;
}

swp_status swp_advice_try_edit(const swp_advisor *a, swp_advice_edit *e)
{
    if (!e->is_wait)
        SWP_TRY(remove_barrier(a, e->insn));
    for (int c = 0; e->is_wait && c < SWP_AUDIT_COUNTERS; c++)
        SWP_TRY(weaken(a, e->insn, c));
    e->after = *swp_advice_insn(a, e->insn);
    return SWP_OK;
}

/* --- the waits of a loop --- */

static bool may_weaken(const swp_advisor *a, const swp_advice_edit *e, int loop, int counter)
{
    return e->is_wait && e->loop == loop && e->before.waits[counter] != SWP_NO_WAIT &&
           !(counter == SWP_AUDIT_VM && a->shared_outside);
}

static int most_of(const swp_advisor *a, const swp_advice_edit *e, int counter)
{
    const int first = a->judged->flow.function->first;
    return a->rooms[(e->insn - first) * SWP_AUDIT_COUNTERS + counter].most;
}

/* Each has at least its own count, and at most its room. */
static void set_alike(const swp_advisor *a, int loop, int counter, int count)
{
    for (size_t i = 0; i < a->edits.count; i++) {
        const swp_advice_edit *e = &a->edits.items[i];
        const int most = most_of(a, e, counter);
        int own = count < most ? count : most;
        if (!may_weaken(a, e, loop, counter))
            continue;
        own = own > e->before.waits[counter] ? own : e->before.waits[counter];
        swp_advice_insn(a, e->insn)->waits[counter] =
            own >= a->code->counter_max[counter] ? SWP_NO_WAIT : own;
    }
}

static swp_status weaken_counter(const swp_advisor *a, int loop, int counter)
{
    int low = 0; /* the code as it was */
    int high = 1;
    for (size_t i = 0; i < a->edits.count; i++)
        if (may_weaken(a, &a->edits.items[i], loop, counter) &&
            most_of(a, &a->edits.items[i], counter) >= high)
            high = most_of(a, &a->edits.items[i], counter) + 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        bool holds = false;
        set_alike(a, loop, counter, middle);
        SWP_TRY(still_holds(a, &holds));
        low = holds ? middle : low;
        high = holds ? high : middle;
    }
    set_alike(a, loop, counter, low);
    return SWP_OK;
}

swp_status swp_advice_weaken_alike(const swp_advisor *a, int loop)
{
    for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
        SWP_TRY(weaken_counter(a, loop, c));
    return SWP_OK;
}
