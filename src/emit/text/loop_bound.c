/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the interval of a loop, its bound, and what holds it: a unit, a cycle of dependences, or a core. */
#include "emit/text/loop_bound.h"

#include "emit/text/weights.h"
#include "ir/loop_rates.h"
#include "ir/loop_registers.h"
#include "ir/roles.h"
#include "problem/load.h"

#include <inttypes.h>

/* A line names so many ops of a core on a unit, or so many dependences. The rest is counted; JSON has all. */
enum { MOST_NAMED = 8, MOST_IN_BRIEF = 4 };

/* Returns what an op takes of the unit that holds the interval: amount, or its weight, times cycles. */
static int64_t work_of(const swp_pipeline *p, const swp_problem_op *op)
{
    const swp_answer *bound = &p->bound_answer;
    int64_t work = 0;
    for (size_t u = 0; u < op->use_count; u++)
        if (op->uses[u].resource == bound->bound_resource)
            work +=
                swp_problem_weight(&bound->bound_weights, op->uses[u].amount) * op->uses[u].cycles;
    return work;
}

/* The interval is a whole number, so it may be longer than what holds it. */
static void add_whole_cycles(swp_text *text, int64_t cycles, int64_t iterations)
{
    if (iterations > 0 && cycles % iterations != 0)
        swp_text_format(text, ", so %" PRId64 " in whole cycles", cycles / iterations + 1);
}

/* Names the ops that hold the unit, as many as a line takes. */
static void add_unit_ops(swp_text *text, const swp_pipeline *p)
{
    const swp_problem *problem = &p->bound_problem.problem;
    size_t count = 0;
    for (size_t i = 0; i < problem->op_count; i++) {
        if (work_of(p, &problem->ops[i]) == 0)
            continue;
        if (count < MOST_NAMED)
            swp_text_format(text, "%s%s", count > 0 ? ", " : "             ", problem->ops[i].name);
        count++;
    }
    if (count > MOST_NAMED)
        swp_text_format(text, " and %zu more", count - MOST_NAMED);
    swp_text_add(text, "\n", 1);
}

/* Nobody holds a rate, so all who use it are named. */
static void add_rate_bound(swp_text *text, const swp_pipeline *p, int unit)
{
    const swp_loop *loop = p->loop;
    size_t count = 0;
    swp_text_format(
        text, "           held by %s, a rate: an iteration needs it for %" PRId64 " cycle%s\n",
        loop->units[unit].name, p->bound_answer.bound, swp_plural(p->bound_answer.bound));
    for (int op = 0; op < (int)loop->op_count; op++) {
        if (swp_ir_loop_work_on(loop, op, unit) == 0)
            continue;
        if (count < MOST_NAMED)
            swp_text_format(text, "%s%s", count > 0 ? ", " : "             ", loop->ops[op].name);
        count++;
    }
    if (count > MOST_NAMED)
        swp_text_format(text, " and %zu more", count - MOST_NAMED);
    swp_text_add(text, "\n", 1);
}

/* One op has a unit for so many times as long as another one: to wait for it is then worth a thought. */
enum { UNLIKE = 8 };

/* What a gap may come from where nobody says what kind of unit it is. */
static void add_lock(swp_text *text, const swp_pipeline *p)
{
    const swp_loop *loop = p->loop;
    const int unit = p->bound_answer.bound_resource;
    int64_t most = 0;
    int64_t least = INT64_MAX;
    if (p->interval_proven || p->bound_answer.bound_kind != SWP_BOUND_RESOURCE ||
        unit >= (int)loop->unit_count || !swp_ir_loop_has_roles(loop))
        return;
    for (int op = 0; op < (int)loop->op_count; op++) {
        const int64_t work = swp_ir_loop_work_on(loop, op, unit);
        most = work > most ? work : most;
        least = work > 0 && work < least ? work : least;
    }
    if (most / UNLIKE >= least)
        swp_text_format(text,
                        "           an op of %" PRId64 " cycle%s waits there for one of %" PRId64
                        "; if it is a bandwidth, write `%s: {rate: %" PRId64 "}`\n",
                        least, swp_plural(least), most, loop->units[unit].name,
                        loop->units[unit].capacity);
}

static void add_unit_bound(swp_text *text, const swp_pipeline *p)
{
    const int unit = p->bound_answer.bound_resource;
    if (unit < (int)p->loop->unit_count && swp_ir_loop_is_rate(p->loop, unit)) {
        add_rate_bound(text, p, unit);
        return;
    }
    const swp_problem *problem = &p->bound_problem.problem;
    const swp_amount_weights *weights = &p->bound_answer.bound_weights;
    const swp_problem_resource *r = &problem->resources[p->bound_answer.bound_resource];
    const int64_t capacity = weights->count > 0 ? weights->most : r->capacity;
    int ops = 0;
    int64_t work = 0;
    for (size_t i = 0; i < problem->op_count; i++) {
        const int64_t own = work_of(p, &problem->ops[i]);
        work += own;
        ops += own > 0;
    }
    swp_text_format(text, "           held by %s: %d op%s %s it for %" PRId64 " cycle%s", r->name,
                    ops, swp_plural(ops), ops == 1 ? "needs" : "need", work, swp_plural(work));
    if (capacity > 1)
        swp_text_format(text, " at a capacity of %" PRId64, capacity);
    swp_text_format(text, " an iteration");
    add_whole_cycles(text, work, capacity);
    swp_text_add(text, "\n", 1);
    add_unit_ops(text, p);
    if (weights->count == 0)
        return;
    swp_text_format(text, "             ");
    swp_emit_weights(text, weights, r->capacity);
    swp_text_add(text, "\n", 1);
}

/* Writes a dependence, with what ties its consumer to its producer. */
static void add_dependence(swp_text *text, const swp_pipeline *p, int index)
{
    const swp_problem *problem = &p->bound_problem.problem;
    const swp_problem_edge *e = &problem->edges[index];
    const swp_loop_edge *meaning = &p->bound_problem.edges[index];
    swp_text_format(text, "             %s, after %" PRId64 " cycle%s ",
                    problem->ops[e->producer].name, e->delay, swp_plural(e->delay));
    swp_text_format(text, "%s", problem->ops[e->consumer].name);
    if (meaning->value >= 0)
        swp_text_format(text, " %s %s", swp_loop_edge_name(meaning->kind),
                        p->loop->values[meaning->value].name);
    if (e->distance > 0)
        swp_text_format(text, " %" PRId64 " iteration%s later", e->distance,
                        swp_plural(e->distance));
    swp_text_add(text, "\n", 1);
}

/* Writes as many dependences as are asked for, and counts the rest. */
static void add_dependences(swp_text *text, const swp_pipeline *p, const int *edges, size_t count,
                            size_t most)
{
    for (size_t i = 0; i < count && i < most; i++)
        add_dependence(text, p, edges[i]);
    if (count > most)
        swp_text_format(text, "             and %zu dependences more\n", count - most);
}

static void add_cycle_bound(swp_text *text, const swp_pipeline *p, bool whole)
{
    const swp_answer *bound = &p->bound_answer;
    const swp_problem *problem = &p->bound_problem.problem;
    int64_t delay = 0;
    int64_t distance = 0;
    for (size_t i = 0; i < bound->bound_edge_count; i++) {
        delay += problem->edges[bound->bound_edges[i]].delay;
        distance += problem->edges[bound->bound_edges[i]].distance;
    }
    swp_text_format(text,
                    "           held by a cycle of dependences: %" PRId64 " cycle%s in %" PRId64
                    " iteration%s",
                    delay, swp_plural(delay), distance, swp_plural(distance));
    add_whole_cycles(text, delay, distance);
    swp_text_add(text, "\n", 1);
    add_dependences(text, p, bound->bound_edges, bound->bound_edge_count,
                    whole ? bound->bound_edge_count : MOST_IN_BRIEF);
}

static int unit_of(const swp_pipeline *p, const swp_loop_use *use)
{
    return p->bound_problem.problem.ops[use->op].uses[use->use].resource;
}

/* Writes the ops of the core on the unit of its use `first`; returns the first use of another unit. */
static size_t add_core_unit(swp_text *text, const swp_pipeline *p, size_t first)
{
    const swp_loop_core *core = &p->bound_core;
    const int unit = unit_of(p, &core->uses[first]);
    size_t end = first;
    for (; end < core->use_count && unit_of(p, &core->uses[end]) == unit; end++)
        if (end - first < MOST_NAMED)
            swp_text_format(text, "%s%s", end > first ? ", " : "             ",
                            p->bound_problem.problem.ops[core->uses[end].op].name);
    if (end - first > MOST_NAMED)
        swp_text_format(text, " and %zu more", end - first - MOST_NAMED);
    swp_text_format(text, " on %s\n", p->bound_problem.problem.resources[unit].name);
    return end;
}

static void add_core_slots(swp_text *text, const swp_pipeline *p)
{
    const swp_loop_core *core = &p->bound_core;
    for (size_t i = 0; i < core->value_count; i++) {
        const int slots = p->bound_slots[core->values[i]];
        swp_text_format(text, "%s%s in %d slot%s", i > 0 ? ", " : "             ",
                        p->loop->values[core->values[i]].name, slots, swp_plural(slots));
    }
    if (core->value_count > 0)
        swp_text_add(text, "\n", 1);
}

static void add_refutation(swp_text *text, const swp_pipeline *p, bool whole)
{
    const swp_loop_core *core = &p->bound_core;
    swp_text_format(text,
                    "           held by a refutation of %" PRId64 ", which has no room for these "
                    "together%s:\n",
                    p->bound_answer.bound - 1, core->minimal ? "" : " (a core, not minimal)");
    for (size_t i = 0; i < core->use_count;)
        i = add_core_unit(text, p, i);
    add_core_slots(text, p);
    add_dependences(text, p, core->edges, core->edge_count, whole ? MOST_NAMED : MOST_IN_BRIEF);
}

static void add_bound(swp_text *text, const swp_pipeline *p, bool whole)
{
    switch (p->bound_answer.bound_kind) {
    case SWP_BOUND_RESOURCE:
        add_unit_bound(text, p);
        break;
    case SWP_BOUND_CYCLE:
        add_cycle_bound(text, p, whole);
        break;
    case SWP_BOUND_REFUTATION:
        add_refutation(text, p, whole);
        break;
    case SWP_BOUND_SHIFTS:
        swp_text_format(text,
                        "           held by a refutation of %" PRId64 " for each shift of the "
                        "instances of a role\n",
                        p->bound_answer.bound - 1);
        break;
    case SWP_BOUND_PATH:
    case SWP_BOUND_NONE:
        break;
    }
}

/* Says how many cycles the limits on memory and registers cost. */
static void add_room(swp_text *text, const swp_pipeline *p)
{
    const swp_loop *loop = p->loop;
    const int64_t cycles = p->answer.value - p->any_interval;
    const char *and = "";
    swp_text_format(text, "           the budget of ");
    if (loop->shared_budget > 0) {
        swp_text_format(text, "%" PRId64 " bytes of shared memory", loop->shared_budget);
        and = " and ";
    }
    if (loop->lane_registers > 0) {
        swp_text_format(text, "%s%d registers a lane", and, loop->lane_registers);
        and = " and ";
    }
    if (swp_ir_loop_states_registers(loop))
        swp_text_format(text, "%sthe registers of the roles", and);
    swp_text_format(text, " costs %" PRId64 " cycle%s\n", cycles, swp_plural(cycles));
}

static void add_interval(swp_text *text, const swp_pipeline *p, bool whole)
{
    swp_text_format(text, "interval   %" PRId64 " cycle%s an iteration, lower bound %" PRId64 ": ",
                    p->answer.value, swp_plural(p->answer.value), p->bound_answer.bound);
    if (p->interval_proven)
        swp_text_format(text, "proven least\n");
    else
        swp_text_format(text, "gap %" PRId64 ", not proven least\n",
                        p->answer.value - p->bound_answer.bound);
    if (whole)
        swp_text_format(text, "           by dependences and units, without waits and barriers\n");
    add_bound(text, p, whole);
    add_lock(text, p);
    if (p->answer.value > p->any_interval)
        add_room(text, p);
}

void swp_emit_loop_interval(swp_text *text, const swp_pipeline *p)
{
    add_interval(text, p, true);
}

void swp_emit_loop_interval_in_brief(swp_text *text, const swp_pipeline *p)
{
    add_interval(text, p, false);
}
