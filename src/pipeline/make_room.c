/* SPDX-License-Identifier: Apache-2.0 */
/* Reorders times, with more stages, eases them, and at last allows more slots, as long as waits cost too much. */
#include "pipeline/make_room.h"

#include "base/budget.h"
#include "ir/loop_dataflow.h"
#include "pipeline/ease.h"
#include "pipeline/reorder.h"
#include "pipeline/slot_choices.h"
#include "pipeline/tighten.h"

typedef struct room {
    swp_context *ctx;
    swp_issue_models *models;
    swp_budget budget;
    swp_priced best;
    int64_t interval; /* the least so far; costs are fractions of it */
} room;

static double cost_of(const room *r, const swp_priced *p)
{
    return (double)p->cycles.cycles / (double)p->cycles.passes / (double)r->interval - 1;
}

/*
 * Finds another order in which ops that wait for a unit issue when they get it, and takes it if it
 * costs no more.
 */
static swp_status tighten_units(room *r, swp_priced *p, bool *is_less)
{
    swp_pipeline *other = NULL;
    swp_priced priced;
    SWP_TRY(SWP_TAKE(r->ctx, 1, &other));
    SWP_TRY(swp_pipeline_tighten(r->ctx, r->models->machine, p->pipeline, false, other, is_less));
    if (!*is_less)
        return SWP_OK;
    SWP_TRY(swp_pipeline_price(r->ctx, r->models, other, &priced));
    *is_less = swp_solve_ratio_compare(priced.cycles, p->cycles) <= 0;
    if (*is_less)
        *p = priced;
    return SWP_OK;
}

/* Finds out whether the order of a pipeline allows a lesser interval. */
static swp_status tighten(room *r, swp_priced *p, bool *is_less)
{
    bool by_units = false;
    SWP_TRY(
        swp_pipeline_tighten(r->ctx, r->models->machine, p->pipeline, true, p->pipeline, is_less));
    SWP_TRY(tighten_units(r, p, &by_units));
    *is_less = *is_less || by_units;
    if (p->pipeline->answer.value < r->interval)
        r->interval = p->pipeline->answer.value;
    return SWP_OK;
}

static void take_if_less(room *r, const swp_priced *other, double gain)
{
    if (cost_of(r, other) < cost_of(r, &r->best) - gain)
        r->best = *other;
}

const swp_extension swp_pipeline_extensions[] = {{0.002, 0}, {0.004, 0.001}, {0.008, 0.001}};

enum { MOST_TIGHTENED = 8 };

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static swp_status reorder_from(room *r, const swp_priced *from, int stages, double gain)
{
    swp_priced found = *from;
    bool is_less = true;
    /* At a lesser interval the search goes on. */
    for (int i = 0; i < MOST_TIGHTENED && is_less && !r->budget.stopped; i++) {
        const swp_priced last = found;
        SWP_TRY(swp_pipeline_reorder(r->ctx, r->models, &r->budget, &last, last.pipeline->slots,
                                     larger(stages, last.pipeline->stages), &found));
        SWP_TRY(tighten(r, &found, &is_less));
    }
    take_if_less(r, &found, gain);
    return SWP_OK;
}

/* The order of two ops may still cost a single cycle, so a last search polishes it away. */
static swp_status polish(room *r)
{
    swp_priced found;
    if (cost_of(r, &r->best) <= 0 || cost_of(r, &r->best) > swp_pipeline_extensions[0].cost)
        return SWP_OK;
    SWP_TRY(swp_pipeline_polish(r->ctx, r->models, &r->budget, &r->best, &found));
    take_if_less(r, &found, 0);
    return SWP_OK;
}

static swp_status reorder(room *r, int stages, int more)
{
    const swp_extension *e = &swp_pipeline_extensions[more];
    const bool is_open = more == 0 && !r->best.pipeline->interval_proven;
    const bool is_worth = is_open || cost_of(r, &r->best) > e->cost;
    const swp_priced from = r->best;
    return is_worth ? reorder_from(r, &from, stages + more, e->gain) : SWP_OK;
}

/* Searches again from other times. */
static swp_status ease(room *r, const swp_pipeline *given, int more)
{
    const double gain = swp_pipeline_extensions[more].gain;
    swp_pipeline *eased = NULL;
    swp_priced priced;
    bool found = false;
    if (cost_of(r, &r->best) <= swp_pipeline_extensions[1].cost || r->budget.stopped)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(r->ctx, 1, &eased));
    SWP_TRY(
        swp_pipeline_ease(r->ctx, r->models->machine, given, given->stages + more, eased, &found));
    if (!found)
        return SWP_OK;
    SWP_TRY(swp_pipeline_price(r->ctx, r->models, eased, &priced));
    SWP_TRY(tighten(r, &priced, &found));
    take_if_less(r, &priced, gain);
    return reorder_from(r, &priced, given->stages + more, gain);
}

enum { MOST_RAISES = 8 };

static swp_status copy_slots(const room *r, const swp_pipeline *from, int **slots)
{
    const size_t count = from->loop->value_count;
    SWP_TRY(SWP_TAKE(r->ctx, count, slots));
    for (size_t v = 0; v < count; v++)
        (*slots)[v] = from->slots[v];
    return SWP_OK;
}

static swp_status raise_slots(room *r, const swp_priced *from, int **slots, bool *raised)
{
    const swp_loop *loop = from->pipeline->loop;
    SWP_TRY(copy_slots(r, from->pipeline, slots));
    *raised = false;
    for (int v = 0; v < (int)loop->value_count; v++)
        if (from->critical[v] && (*slots)[v] == from->pipeline->slots[v] &&
            swp_pipeline_raise_slots(loop, *slots, v))
            *raised = true;
    return SWP_OK;
}

/* Gives slots back, value by value, as long as that costs no cycles. */
static swp_status give_back(room *r, const int *before, swp_priced *priced)
{
    const swp_loop *loop = priced->pipeline->loop;
    for (int v = 0; v < (int)loop->value_count; v++) {
        bool enough = true;
        while (enough && priced->pipeline->slots[v] > before[v]) {
            int *slots = NULL;
            SWP_TRY(copy_slots(r, priced->pipeline, &slots));
            swp_ir_loop_set_slots(loop, slots, v, slots[v] - 1);
            enough = swp_pipeline_is_short(loop, slots);
            if (enough)
                SWP_TRY(swp_pipeline_with_slots(r->ctx, r->models, priced, slots, &enough, priced));
        }
    }
    return SWP_OK;
}

/* Gives more slots to the values that hold the steps up, again and again. */
static swp_status reorder_with_slots(room *r, int stages)
{
    swp_priced next = r->best;
    bool raised = true;
    for (int i = 0; i < MOST_RAISES && raised && cost_of(r, &next) > 0; i++) {
        int *slots = NULL;
        SWP_TRY(raise_slots(r, &next, &slots, &raised));
        if (raised)
            SWP_TRY(swp_pipeline_reorder(r->ctx, r->models, &r->budget, &next, slots,
                                         stages + SWP_MOST_MORE_STAGES, &next));
    }
    if (cost_of(r, &next) >= cost_of(r, &r->best))
        return SWP_OK;
    SWP_TRY(give_back(r, r->best.pipeline->slots, &next));
    take_if_less(r, &next, 0);
    return SWP_OK;
}

swp_status swp_pipeline_make_room(swp_context *ctx, swp_issue_models *models, swp_pipeline *given,
                                  bool keeps_slots, swp_room *out)
{
    room whole = {.ctx = ctx, .models = models, .budget = swp_budget_start(ctx, 0)};
    room *r = &whole;
    bool is_less = false;
    r->interval = given->answer.value;
    SWP_TRY(swp_pipeline_price(ctx, models, given, &r->best));
    SWP_TRY(tighten(r, &r->best, &is_less));
    const swp_ratio before = r->best.cycles;
    SWP_TRY(polish(r));
    for (int more = 0; more <= (keeps_slots ? 0 : SWP_MOST_MORE_STAGES); more++)
        SWP_TRY(reorder(r, given->stages, more));
    for (int more = 0; more <= (keeps_slots ? 0 : SWP_MOST_MORE_STAGES_EASED); more++)
        SWP_TRY(ease(r, given, more));
    if (!keeps_slots)
        SWP_TRY(reorder_with_slots(r, given->stages));
    *out = (swp_room){.pipeline = r->best.pipeline,
                      .cycles = r->best.cycles,
                      .cycles_before = before,
                      .exact = r->best.exact,
                      .stopped = r->budget.stopped};
    return SWP_OK;
}
