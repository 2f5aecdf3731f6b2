/* SPDX-License-Identifier: Apache-2.0 */
/* With warp roles: what waits cost is known when a pipeline is written out. Other roles, shifts, intervals and orders are tried. */
#include "pipeline/choice.h"

#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "ir/roles.h"
#include "pipeline/make_room.h"
#include "pipeline/reshift.h"

enum { MOST_ROLES = 16 /* ways to give ops to roles that are written out */ };

/* With as many stages more, instances shifted in other ways, as long as waits cost anything. */
static swp_status try_shifts(swp_choice *c, int more)
{
    const swp_pipeline *given = c->given->pipeline;
    for (int part = 0; part < SWP_PIPELINE_SHIFT_PARTS; part++) {
        swp_pipeline *other = NULL;
        bool found = false;
        if (!swp_pipeline_may_be_less(c))
            return SWP_OK;
        SWP_TRY(SWP_TAKE(c->ctx, 1, &other));
        SWP_TRY(swp_pipeline_reshift(c->ctx, given, given->answer.value, given->slots,
                                     given->stages + more, part, other, &found));
        if (found)
            SWP_TRY(swp_pipeline_try_given(c, other, SWP_LOOP_REST));
    }
    return SWP_OK;
}

/* Pipelines of the same interval with other roles, as long as waits cost much. */
static swp_status try_roles(swp_choice *c)
{
    const swp_pipeline_choice *asked = c->asked;
    const swp_loop_and_pipeline *best = c->given;
    for (size_t i = 0; i < asked->other_count && i < MOST_ROLES; i++) {
        const swp_schedule *before = c->best.schedule;
        if (swp_pipeline_is_schedule(&c->best) &&
            (!swp_pipeline_may_be_less(c) || swp_pipeline_cost_of_best(c) <= SWP_PIPELINE_WORTH))
            break;
        if (!swp_pipeline_has_time(c))
            break;
        c->given = &asked->others[i];
        SWP_TRY(swp_pipeline_try_given(c, c->given->pipeline, SWP_LOOP_REST));
        if (c->best.schedule != before)
            best = c->given;
    }
    c->given = best;
    return SWP_OK;
}

swp_status swp_pipeline_go_on_from_given(swp_choice *c)
{
    for (int more = 0; more <= SWP_MOST_MORE_STAGES_EASED; more++)
        if (swp_ir_loop_shifts(c->given->pipeline->loop) > 0)
            SWP_TRY(try_shifts(c, more));
    return swp_pipeline_choose_slots(c);
}

enum { NO_VALUE = -1 };

/* The other values get as many slots as one has: those that save nothing are given back when it is better. */
static swp_status try_one_fewer(swp_choice *c, int value)
{
    const swp_pipeline *given = c->given->pipeline;
    const int64_t most = given->answer.value + given->answer.value / SWP_PIPELINE_LONGER;
    swp_pipeline *other = NULL;
    int *slots = NULL;
    bool found = false;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &other));
    SWP_TRY(SWP_TAKE(c->ctx, given->loop->value_count, &slots));
    for (int v = 0; v < (int)given->loop->value_count; v++)
        slots[v] = given->slots[v];
    swp_pipeline_level_slots(c, 0, slots);
    if (value != NO_VALUE)
        swp_ir_loop_set_slots(given->loop, slots, value, given->slots[value] - 1);
    SWP_TRY(swp_pipeline_reshift(c->ctx, given, most, slots, 0, SWP_PIPELINE_SAME_SHIFTS, other,
                                 &found));
    if (!found)
        return SWP_OK;
    const swp_candidate before = c->best;
    const size_t tried = c->tried.count;
    SWP_TRY(swp_pipeline_try_given(c, other, SWP_LOOP_REST));
    swp_pipeline_keep_for_cycles(c, &before, tried);
    return SWP_OK;
}

/*
 * A slot less of a value makes a longer interval, at which its ops stand in another order: a role that runs ahead of it
 * may wait less. So may it at the times that heuristics have for the same slots. From what is better so, slots are chosen again.
 */
static swp_status try_fewer(swp_choice *c)
{
    const swp_pipeline *given = c->given->pipeline;
    const swp_schedule *before = c->best.schedule;
    for (int v = NO_VALUE; v < (int)given->loop->value_count; v++) {
        if (!swp_pipeline_may_be_less(c) || swp_pipeline_cost_of_best(c) <= SWP_PIPELINE_WORTH)
            break;
        if (v == NO_VALUE || given->slots[v] > swp_ir_loop_least_slots(given->loop, v))
            SWP_TRY(try_one_fewer(c, v));
    }
    return c->best.schedule == before ? SWP_OK : swp_pipeline_choose_slots(c);
}

/* Rounds of swaps, each of which begins with what the one before has found. */
enum { MOST_SWAPS = 4 };

/* Two ops of a role, of which the second one comes next in the list, are issued the other way round. */
static swp_status try_swap(swp_choice *c, const swp_loop_and_pipeline *of, int first, int second)
{
    const swp_pipeline *given = of->pipeline;
    const int64_t interval = given->answer.value;
    const int64_t apart = given->answer.times[second] - given->answer.times[first];
    swp_pipeline *other = NULL;
    bool found = false;
    if (apart < 0)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &other));
    SWP_TRY(
        swp_pipeline_swap(c->ctx, given, second, first, (int)(apart / interval), other, &found));
    return found ? swp_pipeline_try(c, of->loop, other, SWP_LOOP_REST) : SWP_OK;
}

/* The list of a role is that of its ops by their cycles of the interval. */
static bool is_next(const swp_pipeline *p, int first, int second)
{
    const int64_t interval = p->answer.value;
    const int64_t *times = p->answer.times;
    const int64_t apart = ((times[second] - times[first]) % interval + interval) % interval;
    if (first == second || p->loop->ops[first].role != p->loop->ops[second].role)
        return false;
    for (int op = 0; op < (int)p->loop->op_count; op++) {
        const int64_t of = ((times[op] - times[first]) % interval + interval) % interval;
        if (op != first && op != second && p->loop->ops[op].role == p->loop->ops[first].role &&
            of < apart)
            return false;
    }
    return true;
}

/* As long as neighbours in another order save cycles. */
static swp_status try_swaps(swp_choice *c)
{
    for (int round = 0; round < MOST_SWAPS; round++) {
        const swp_loop_and_pipeline *of = c->best.of;
        const swp_schedule *before = c->best.schedule;
        const int count = (int)of->pipeline->loop->op_count;
        for (int first = 0; first < count; first++)
            for (int second = 0; second < count; second++) {
                if (!swp_pipeline_may_be_less(c) ||
                    swp_pipeline_cost_of_best(c) <= SWP_PIPELINE_WORTH)
                    return SWP_OK;
                if (is_next(of->pipeline, first, second))
                    SWP_TRY(try_swap(c, of, first, second));
            }
        if (c->best.schedule == before)
            return SWP_OK;
    }
    return SWP_OK;
}

swp_status swp_pipeline_choose_roles(swp_choice *c)
{
    SWP_TRY(swp_pipeline_try_given(c, c->given->pipeline, SWP_LOOP_REST));
    SWP_TRY(try_roles(c));
    SWP_TRY(swp_pipeline_go_on_from_given(c));
    if (c->given->pipeline->loop->objectives_stated)
        return SWP_OK;
    SWP_TRY(try_fewer(c));
    return try_swaps(c);
}
