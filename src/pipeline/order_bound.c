/* SPDX-License-Identifier: Apache-2.0 */
/* Halves the range between the interval and the best order, and asks which limits the refutation needs. */
#include "pipeline/order_bound.h"

#include "ir/roles.h"
#include "pipeline/make_room.h"
#include "pipeline/order_refuter.h"
#include "pipeline/shares.h"

/* Limits how often constraints or pairs are looked at, in one question and in all. */
enum { MOST_WORK = 1 << 24, ALL_WORK = 1 << 26 };

typedef struct bounding {
    swp_context *ctx;
    swp_context scratch; /* the memory of one question; without an arena between two */
    const swp_machine *machine;
    const swp_pipeline *pipeline;
    swp_budget budget;
    int *slots; /* the slots that each value may have */
    uint64_t left;
} bounding;

/* Gives a refuter memory of its own, which end() frees: a loop may have many values, and each needs one. */
static swp_status begin(bounding *b, swp_sync_object unordered, swp_order_refuter *refuter)
{
    SWP_TRY(swp_scope_open(b->ctx, &b->scratch));
    return swp_pipeline_refuter_new(&b->scratch, b->machine, b->pipeline->loop, b->slots, unordered,
                                    refuter);
}

static swp_status end(bounding *b, swp_status status)
{
    swp_scope_close(&b->scratch);
    return status;
}

static swp_status ask(bounding *b, swp_order_refuter *refuter, int64_t period)
{
    refuter->budget = &b->budget;
    refuter->most_work = b->left < MOST_WORK ? b->left : MOST_WORK;
    SWP_TRY(swp_pipeline_refute_orders(refuter, period));
    b->left -= refuter->work < b->left ? refuter->work : b->left;
    return SWP_OK;
}

static swp_status halve(bounding *b, int64_t most, int64_t *refuted)
{
    swp_order_refuter refuter = {0};
    SWP_TRY(begin(b, SWP_NO_OBJECT, &refuter));
    while (*refuted + 1 < most && b->left > 0) {
        const int64_t period = *refuted + (most - *refuted) / 2;
        SWP_TRY(ask(b, &refuter, period));
        if (refuter.outcome == SWP_ORDERS_REFUTED)
            *refuted = period;
        else
            most = period;
    }
    return SWP_OK;
}

/* Finds out whether orders remain if the loop lacks some limit. */
static swp_status leaves_orders(bounding *b, swp_sync_object unordered, int64_t refuted, bool *are)
{
    swp_order_refuter refuter = {0};
    *are = false;
    if (b->left == 0)
        return SWP_OK;
    swp_status status = begin(b, unordered, &refuter);
    if (status == SWP_OK)
        status = ask(b, &refuter, refuted);
    *are = refuter.outcome == SWP_ORDERS_LEFT;
    return end(b, status);
}

static swp_status list_objects(bounding *b, swp_loop_order_bound *out)
{
    const char **queues = NULL;
    SWP_TRY(SWP_TAKE(b->ctx, SWP_SYNC_OBJECTS, &queues));
    for (int o = 0; o < SWP_SYNC_OBJECTS; o++) {
        bool needs = false;
        SWP_TRY(leaves_orders(b, (swp_sync_object)o, out->refuted, &needs));
        if (needs)
            queues[out->queue_count++] = swp_ir_sync_object_name((swp_sync_object)o);
    }
    out->queues = queues;
    return SWP_OK;
}

/* Asks the same with one more slot of a value. */
static swp_status needs_slot(bounding *b, int value, int64_t refuted, bool *needs)
{
    b->slots[value]++;
    const swp_status status = leaves_orders(b, SWP_NO_OBJECT, refuted, needs);
    b->slots[value]--;
    return status;
}

static swp_status list_values(bounding *b, swp_loop_order_bound *out)
{
    const size_t count = b->pipeline->loop->value_count;
    int *values = NULL;
    int *slots = NULL;
    SWP_TRY(SWP_TAKE(b->ctx, count, &values));
    SWP_TRY(SWP_TAKE(b->ctx, count, &slots));
    for (int v = 0; v < (int)count; v++) {
        bool needs = false;
        if (b->slots[v] > 0 && b->slots[v] < SWP_MOST_SLOTS)
            SWP_TRY(needs_slot(b, v, out->refuted, &needs));
        slots[out->value_count] = b->slots[v];
        values[out->value_count] = v;
        out->value_count += needs;
    }
    out->values = values;
    out->slots = slots;
    return SWP_OK;
}

static swp_status bound(bounding *b, int64_t most, swp_loop_order_bound *out)
{
    const swp_loop *loop = b->pipeline->loop;
    const int64_t least = b->pipeline->answer.bound - 1;
    int64_t refuted = least;
    SWP_TRY(SWP_TAKE(b->ctx, loop->value_count, &b->slots));
    for (int v = 0; v < (int)loop->value_count; v++)
        b->slots[v] = swp_ir_loop_most_slots(loop, v);
    SWP_TRY(end(b, halve(b, most, &refuted)));
    if (refuted == least)
        return SWP_OK;
    out->refuted = refuted;
    SWP_TRY(list_objects(b, out));
    return list_values(b, out);
}

/* A bound is worth the work only if waits cost more than a search for a better order tolerates. */
static bool is_worth(const swp_loop_and_pipeline *of, int64_t most)
{
    const double interval = (double)of->pipeline->answer.bound;
    return (double)most > interval * (1 + swp_pipeline_extensions[0].cost) &&
           !swp_ir_loop_has_roles(of->loop);
}

swp_status swp_pipeline_bound_orders(swp_context *ctx, const swp_machine *machine,
                                     const swp_loop_and_pipeline *of, const swp_schedule *schedule)
{
    enum { DIAGS = 4 };
    swp_diag items[DIAGS];
    swp_diags unsaid = {.items = items, .capacity = DIAGS, .arena = ctx->arena};
    swp_context own = *ctx;
    const int64_t iterations = (int64_t)schedule->sync.passes * schedule->loop.tiles_per_pass;
    const int64_t most = iterations > 0 ? (schedule->sync.cycles + iterations - 1) / iterations : 0;
    swp_loop_order_bound found = {0};
    if (!is_worth(of, most))
        return SWP_OK;
    own.diags = &unsaid;
    own.limits.seconds = swp_pipeline_seconds_of(&ctx->limits, SWP_LOOP_ORDERS);
    bounding b = {.ctx = &own,
                  .machine = machine,
                  .pipeline = of->pipeline,
                  .budget = swp_budget_start(&own, 0),
                  .left = ALL_WORK};
    const swp_status status = bound(&b, most, &found);
    if (status == SWP_OK)
        of->pipeline->order_bound = found;
    return status == SWP_OUT_OF_MEMORY ? swp_out_of_memory(ctx) : SWP_OK;
}
