/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A modulo schedule knows neither counters nor waits, so an op that ends just in time is late once
 * another one delays it. This file solves the dependences of the pipeline again with some wishes:
 * counters become resources, and what is in flight gets longer latencies.
 */
#include "pipeline/ease.h"

#include "ir/loop_dataflow.h"
#include "ir/sync_objects.h"
#include "pipeline/stages.h"
#include "solve/solve_problem.h"

typedef struct latency_wish {
    bool in_order; /* ops that are issued later do not end sooner */
    int64_t slack; /* cycles */
} latency_wish;

typedef struct easing {
    swp_context *ctx;
    const swp_machine *machine;
    const swp_pipeline *given;
    swp_loop_problem loop_problem; /* the problem without wishes */
    int64_t longest[SWP_SYNC_OBJECTS];
    int resource[SWP_SYNC_OBJECTS]; /* by object: its resource; -1: none */
    const int64_t *times;           /* times of the last wish that came true */
} easing;

static swp_sync_object object_of(const easing *e, size_t op)
{
    return swp_ir_loop_object_of(e->given->loop, &e->given->loop->ops[op]);
}

/* Adds the counters after the loop's own units. */
static swp_status add_counters(easing *e, swp_problem *problem)
{
    swp_problem_resource *resources = NULL;
    SWP_TRY(SWP_TAKE(e->ctx, problem->resource_count + SWP_SYNC_OBJECTS, &resources));
    for (size_t r = 0; r < problem->resource_count; r++)
        resources[r] = problem->resources[r];
    for (int o = 0; o < SWP_SYNC_OBJECTS; o++) {
        const int most = swp_ir_sync_largest(e->machine, (swp_sync_object)o);
        e->resource[o] = most > 0 ? (int)problem->resource_count : -1;
        if (most > 0)
            resources[problem->resource_count++] =
                (swp_problem_resource){swp_ir_sync_object_name((swp_sync_object)o), most};
    }
    problem->resources = resources;
    return SWP_OK;
}

/* An op that counts more than its counter holds waits for itself, which no schedule can change. */
static bool is_counted(const easing *e, size_t op, const swp_problem *problem)
{
    const swp_sync_object object = object_of(e, op);
    const int accesses = e->given->loop->ops[op].accesses;
    return object != SWP_NO_OBJECT && e->resource[object] >= 0 && accesses > 0 &&
           accesses <= problem->resources[e->resource[object]].capacity;
}

static swp_status hold_counters(easing *e, swp_problem *problem)
{
    swp_problem_op *ops = NULL;
    SWP_TRY(SWP_TAKE(e->ctx, problem->op_count, &ops));
    for (size_t i = 0; i < problem->op_count; i++) {
        swp_problem_use *uses = NULL;
        ops[i] = problem->ops[i];
        if (i >= e->given->loop->op_count || !is_counted(e, i, problem))
            continue;
        const swp_loop_op *op = &e->given->loop->ops[i];
        SWP_TRY(SWP_TAKE(e->ctx, ops[i].use_count + 1, &uses));
        for (size_t u = 0; u < ops[i].use_count; u++)
            uses[u] = ops[i].uses[u];
        uses[ops[i].use_count++] =
            (swp_problem_use){e->resource[object_of(e, i)], op->accesses, op->latency};
        ops[i].uses = uses;
    }
    problem->ops = ops;
    return SWP_OK;
}

static swp_status set_delays(easing *e, latency_wish wish, swp_problem *problem)
{
    const swp_problem *plain = &e->loop_problem.problem;
    swp_problem_edge *edges = NULL;
    SWP_TRY(SWP_TAKE(e->ctx, problem->edge_count, &edges));
    for (size_t i = 0; i < problem->edge_count; i++) {
        const size_t producer = (size_t)plain->edges[i].producer;
        edges[i] = plain->edges[i];
        if (e->loop_problem.edges[i].kind == SWP_LOOP_WITHIN || edges[i].delay == 0)
            continue;
        const swp_sync_object object = object_of(e, producer);
        if (object == SWP_NO_OBJECT || edges[i].producer == edges[i].consumer)
            continue;
        edges[i].delay += wish.slack;
        if (wish.in_order)
            edges[i].delay += e->longest[object] - e->given->loop->ops[producer].latency;
    }
    problem->edges = edges;
    return SWP_OK;
}

static swp_status try_wish(easing *e, swp_problem *problem, latency_wish wish, bool *came_true)
{
    const int64_t interval = e->given->answer.value;
    const swp_solve_aim aim = {.most = interval, .at_once = true};
    swp_answer answer = {0};
    *came_true = false;
    SWP_TRY(set_delays(e, wish, problem));
    SWP_TRY(swp_solve_problem_for(e->ctx, problem, &aim, &answer));
    *came_true = answer.times && answer.value == interval;
    if (*came_true)
        e->times = answer.times;
    return SWP_OK;
}

/* Tries more and more slack, up to some part of the interval. */
static swp_status try_wishes(easing *e, swp_problem *problem)
{
    static const int parts[] = {64, 32, 16, 8};
    latency_wish wish = {.in_order = true};
    bool came_true = false;
    SWP_TRY(try_wish(e, problem, wish, &came_true));
    if (!came_true) {
        wish.in_order = false;
        SWP_TRY(try_wish(e, problem, wish, &came_true));
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts && came_true; i++) {
        wish.slack = e->given->answer.value / parts[i];
        SWP_TRY(try_wish(e, problem, wish, &came_true));
    }
    return SWP_OK;
}

swp_status swp_pipeline_ease(swp_context *ctx, const swp_machine *machine,
                             const swp_pipeline *given, int stages, swp_pipeline *out, bool *eased)
{
    easing e = {.ctx = ctx, .machine = machine, .given = given};
    *eased = false;
    SWP_TRY(swp_ir_loop_build_problem(ctx, given->loop, given->slots, stages, &e.loop_problem));
    for (size_t i = 0; i < given->loop->op_count; i++) {
        const swp_sync_object object = object_of(&e, i);
        if (object != SWP_NO_OBJECT && given->loop->ops[i].latency > e.longest[object])
            e.longest[object] = given->loop->ops[i].latency;
    }
    swp_problem problem = e.loop_problem.problem;
    SWP_TRY(add_counters(&e, &problem));
    SWP_TRY(hold_counters(&e, &problem));
    SWP_TRY(try_wishes(&e, &problem));
    *eased = e.times != NULL;
    return *eased ? swp_pipeline_retime(ctx, given, given->slots, given->answer.value, e.times, out)
                  : SWP_OK;
}
