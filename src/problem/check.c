/* SPDX-License-Identifier: Apache-2.0 */
/* Checks names, ranges and sums of a problem, and that no cycle of distance 0 has a positive delay. */
#include "base/budget.h"
#include "base/diag.h"
#include "base/require.h"
#include "base/text.h"
#include "problem/graph.h"

#include <limits.h>
#include <string.h>

enum { MOST_ERRORS = 20, MOST_OPS_NAMED = 12 };

/* Nobody reads more than the first few errors, so only these are kept, but all are counted. */
typedef struct checker {
    swp_context *ctx;
    const swp_problem *problem;
    size_t errors;
    swp_status status; /* SWP_OUT_OF_MEMORY and SWP_STOPPED stick */
} checker;

static void keep(checker *c, swp_status status)
{
    if (swp_ends_work(status))
        c->status = status;
}

#define COMPLAIN(c, code, hint, ...)                                                               \
    do {                                                                                           \
        if (++(c)->errors <= MOST_ERRORS)                                                          \
            keep((c), swp_error((c)->ctx, (code), (c)->problem->place, (hint), __VA_ARGS__));      \
    } while (0)

/*
 * Adds to the errors since `first` which part of the problem they are about, so that a reader of a
 * file can place them.
 */
static void tell_part(checker *c, size_t first, const char *list, size_t index)
{
    keep(c, swp_diag_tell_subject(c->ctx, first, "%s[%zu]", list, index));
}

static bool in_range(checker *c, int64_t number, int64_t least, const char *what, const char *of)
{
    if (number >= least && number <= SWP_PROBLEM_MOST)
        return true;
    COMPLAIN(c, SWP_E0823,
             number >= least ? "is the unit too small?"
             : least > 0     ? "use 1 or more"
                             : "use 0 or more",
             "the %s of `%s` is %lld, but must be %lld to %lld", what, of, (long long)number,
             (long long)least, (long long)SWP_PROBLEM_MOST);
    return false;
}

static void check_use(checker *c, const swp_problem_op *op, const swp_problem_use *use)
{
    const swp_problem *p = c->problem;
    if (use->resource < 0 || (size_t)use->resource >= p->resource_count) {
        COMPLAIN(c, SWP_E0822, NULL, "op `%s` uses resource %d, but there are %zu", op->name,
                 use->resource, p->resource_count);
        return;
    }
    const swp_problem_resource *resource = &p->resources[use->resource];
    (void)in_range(c, use->cycles, 0, "cycles of a use", op->name);
    if (in_range(c, use->amount, 1, "amount of a use", op->name) &&
        use->amount > resource->capacity)
        COMPLAIN(c, SWP_E0823, "no schedule can give it so much",
                 "op `%s` uses %lld of `%s`, whose capacity is %lld", op->name,
                 (long long)use->amount, resource->name, (long long)resource->capacity);
}

/* All uses of an op begin together. `together` has a number for each resource, 0 before and after. */
static void check_uses_together(checker *c, const swp_problem_op *op, int64_t *together)
{
    for (size_t i = 0; i < op->use_count; i++) {
        const swp_problem_use *use = &op->uses[i];
        const swp_problem_resource *resource = &c->problem->resources[use->resource];
        if (use->cycles == 0 || together[use->resource] > resource->capacity)
            continue;
        together[use->resource] += use->amount;
        if (together[use->resource] > resource->capacity)
            COMPLAIN(c, SWP_E0823, "all uses of an op begin when it is issued",
                     "op `%s` uses more than %lld of `%s` at once", op->name,
                     (long long)resource->capacity, resource->name);
    }
    for (size_t i = 0; i < op->use_count; i++)
        together[op->uses[i].resource] = 0;
}

/* Every message about a problem, in text or JSON, contains its names, so they must be UTF-8. */
static void check_names(checker *c)
{
    const swp_problem *p = c->problem;
    if (!swp_is_utf8(p->name))
        COMPLAIN(c, SWP_E0829, NULL, "the problem has no name, or one that is not UTF-8");
    for (size_t i = 0; i < p->resource_count; i++)
        if (!swp_is_utf8(p->resources[i].name))
            COMPLAIN(c, SWP_E0829, NULL, "resource %zu has no name, or one that is not UTF-8", i);
    for (size_t i = 0; i < p->op_count; i++)
        if (!swp_is_utf8(p->ops[i].name))
            COMPLAIN(c, SWP_E0829, NULL, "op %zu has no name, or one that is not UTF-8", i);
}

static void check_parts(checker *c)
{
    const swp_problem *p = c->problem;
    int64_t *together = NULL;
    keep(c, SWP_TAKE(c->ctx, p->resource_count, &together));
    if (!together)
        return;
    for (size_t i = 0; i < p->resource_count; i++) {
        const size_t first = c->ctx->diags->count;
        (void)in_range(c, p->resources[i].capacity, 1, "capacity", p->resources[i].name);
        tell_part(c, first, "resources", i);
    }
    for (size_t i = 0; i < p->op_count; i++) {
        const swp_problem_op *op = &p->ops[i];
        const size_t before = c->errors;
        const size_t first = c->ctx->diags->count;
        (void)in_range(c, op->latency, 0, "latency", op->name);
        for (size_t u = 0; u < op->use_count; u++)
            check_use(c, op, &op->uses[u]);
        if (c->errors == before && op->use_count > 1)
            check_uses_together(c, op, together);
        tell_part(c, first, "ops", i);
    }
}

static void check_end(checker *c, size_t index, int op, const char *end)
{
    if (op < 0 || (size_t)op >= c->problem->op_count)
        COMPLAIN(c, SWP_E0822, "ops count from 0", "the %s of edge %zu is op %d, but there are %zu",
                 end, index, op, c->problem->op_count);
}

static void check_edge(checker *c, size_t index)
{
    const swp_problem_edge *edge = &c->problem->edges[index];
    const size_t first = c->ctx->diags->count;
    check_end(c, index, edge->producer, "producer");
    check_end(c, index, edge->consumer, "consumer");
    if (edge->distance < 0 || edge->distance > SWP_PROBLEM_MOST)
        COMPLAIN(c, SWP_E0823, NULL, "the distance of edge %zu is %lld, but must be 0 to %lld",
                 index, (long long)edge->distance, (long long)SWP_PROBLEM_MOST);
    else if (edge->distance > 0 && c->problem->kind == SWP_PROBLEM_MAKESPAN)
        COMPLAIN(c, SWP_E0823, "only a modulo problem has iterations",
                 "the distance of edge %zu is %lld in a makespan problem", index,
                 (long long)edge->distance);
    if (edge->delay < -SWP_PROBLEM_MOST || edge->delay > SWP_PROBLEM_MOST)
        COMPLAIN(c, SWP_E0823, NULL, "the delay of edge %zu is %lld, but must be %lld to %lld",
                 index, (long long)edge->delay, (long long)-SWP_PROBLEM_MOST,
                 (long long)SWP_PROBLEM_MOST);
    tell_part(c, first, "edges", index);
}

int64_t swp_problem_reach(const swp_problem *problem)
{
    SWP_REQUIRE_OR(0, problem);
    int64_t reach = 0;
    for (size_t i = 0; i < problem->op_count && reach <= SWP_PROBLEM_MOST; i++) {
        const swp_problem_op *op = &problem->ops[i];
        int64_t cycles = op->latency;
        for (size_t u = 0; u < op->use_count; u++)
            cycles = op->uses[u].cycles > cycles ? op->uses[u].cycles : cycles;
        reach += cycles;
    }
    for (size_t i = 0; i < problem->edge_count && reach <= SWP_PROBLEM_MOST; i++)
        reach += problem->edges[i].delay < 0 ? -problem->edges[i].delay : problem->edges[i].delay;
    return reach <= SWP_PROBLEM_MOST ? reach : SWP_PROBLEM_MOST + 1;
}

/*
 * The sums behind the bounds have to fit 64 bits: the load of a resource, and the distances times
 * the interval.
 */
static void check_sums(checker *c)
{
    const swp_problem *p = c->problem;
    const int64_t reach = swp_problem_reach(p);
    if (reach > SWP_PROBLEM_MOST) {
        COMPLAIN(c, SWP_E0824, "is the unit too small? times are whole cycles",
                 "the cycles of all ops and delays come to more than %lld",
                 (long long)SWP_PROBLEM_MOST);
        return;
    }
    int64_t load = 0;
    for (size_t i = 0; i < p->op_count; i++)
        for (size_t u = 0; u < p->ops[i].use_count; u++) {
            const swp_problem_use *use = &p->ops[i].uses[u];
            const int64_t left = (INT64_MAX >> 2) - load;
            if (use->cycles > 0 && use->amount > left / use->cycles) {
                COMPLAIN(c, SWP_E0824, NULL, "the amounts times cycles of all uses exceed 2^61");
                return;
            }
            load += use->amount * use->cycles;
        }
    int64_t distances = 0;
    for (size_t i = 0; i < p->edge_count; i++) {
        distances += p->edges[i].distance;
        if (distances > (INT64_MAX >> 2) / (reach + 1)) {
            COMPLAIN(c, SWP_E0824, NULL, "the distances of all edges times %lld cycles exceed 2^61",
                     (long long)reach + 1);
            return;
        }
    }
}

static swp_status name_cycle(checker *c, const int *edges, size_t count)
{
    const swp_problem *p = c->problem;
    swp_text text = {.ctx = c->ctx};
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += p->edges[edges[i]].delay;
        if (i < MOST_OPS_NAMED)
            swp_text_format(&text, "`%s` -> ", p->ops[p->edges[edges[i]].producer].name);
    }
    if (count > MOST_OPS_NAMED)
        swp_text_format(&text, "... -> ");
    swp_text_format(&text, "`%s`", p->ops[p->edges[edges[0]].producer].name);
    char *ops = NULL;
    const size_t first = c->ctx->diags->count;
    SWP_TRY(swp_text_end(&text, &ops, NULL));
    const swp_status status =
        swp_error(c->ctx, SWP_E0825, p->place,
                  p->kind == SWP_PROBLEM_MODULO ? "should one of its edges have a distance?"
                                                : "one of its edges has to go",
                  "no schedule exists: %zu edge%s of distance 0 form%s a cycle with a delay of "
                  "%lld cycle%s: %s",
                  count, count == 1 ? "" : "s", count == 1 ? "s" : "", (long long)sum,
                  sum == 1 ? "" : "s", ops);
    tell_part(c, first, "edges", (size_t)edges[0]);
    return status;
}

/* A component without a positive delay among its edges has no positive cycle. */
static bool may_have_cycle(const swp_problem_graph *graph, int component, uint64_t *edges)
{
    bool positive = false;
    *edges = 0;
    for (int m = graph->member_first[component]; m < graph->member_first[component + 1]; m++)
        for (int e = graph->first[graph->members[m]]; e < graph->first[graph->members[m] + 1];
             e++) {
            const swp_problem_edge *edge = &graph->problem->edges[graph->edges[e]];
            positive |= edge->delay > 0 && graph->component[edge->consumer] == component;
            ++*edges;
        }
    return positive;
}

/*
 * Sets `*on` to an op on a positive cycle of the component, or to -1. Returns false if the limits
 * end the search.
 */
static bool search_component(swp_cycle_search *search, int component, swp_budget *budget, int *on)
{
    uint64_t edges = 0;
    *on = -1;
    if (!may_have_cycle(search->graph, component, &edges))
        return true;
    swp_problem_cycle_begin(search, component, 0);
    for (bool more = true; more && *on < 0;) {
        if (!swp_budget_keep(budget, edges))
            return false;
        more = swp_problem_cycle_round(search, component, on);
    }
    return true;
}

static swp_status report_stopped(const checker *c)
{
    const swp_status status = swp_error(c->ctx, SWP_E0828, c->problem->place, "allow more time",
                                        "the search for cycles of distance 0 was stopped before "
                                        "it had seen all %zu ops",
                                        c->problem->op_count);
    return status == SWP_INVALID ? SWP_STOPPED : status;
}

static swp_status find_cycle(checker *c)
{
    swp_problem_graph graph;
    swp_cycle_search search;
    swp_budget budget = swp_budget_start(c->ctx, 0);
    SWP_TRY(swp_problem_graph_new(c->ctx, c->problem, 0, &graph));
    SWP_TRY(swp_problem_cycle_new(c->ctx, &graph, &search));
    for (int i = 0; i < graph.component_count; i++) {
        int on = -1;
        if (!search_component(&search, i, &budget, &on))
            return report_stopped(c);
        if (on < 0)
            continue;
        int *edges = NULL;
        size_t count = 0;
        c->errors++;
        SWP_TRY(swp_problem_cycle_take(c->ctx, &search, on, &edges, &count));
        return name_cycle(c, edges, count);
    }
    return SWP_OK;
}

swp_status swp_problem_check(swp_context *ctx, const swp_problem *problem)
{
    SWP_REQUIRE(ctx, ctx && problem);
    checker c = {.ctx = ctx, .problem = problem};
    if (problem->op_count > INT_MAX / 4 || problem->edge_count > INT_MAX / 4 ||
        problem->resource_count > INT_MAX / 4) {
        return swp_error(ctx, SWP_E0823, problem->place, NULL,
                         "%zu ops, %zu edges and %zu resources are more than %d", problem->op_count,
                         problem->edge_count, problem->resource_count, INT_MAX / 4);
    }
    check_names(&c);
    if (c.errors == 0)
        check_parts(&c);
    for (size_t i = 0; i < problem->edge_count; i++)
        check_edge(&c, i);
    if (c.errors == 0)
        check_sums(&c);
    if (c.errors == 0)
        keep(&c, find_cycle(&c));
    if (c.errors > MOST_ERRORS)
        keep(&c, swp_error(ctx, SWP_E0823, problem->place, NULL, "%zu more errors are not shown",
                           c.errors - MOST_ERRORS));
    if (c.status != SWP_OK)
        return c.status;
    return c.errors ? SWP_INVALID : SWP_OK;
}
