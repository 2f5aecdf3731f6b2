/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds what a refutation rests on: a minimal set of uses and dependences without a schedule at the
 * refuted interval. Deletion first drops all of a unit or of a value, then halves of what is left,
 * then single parts. What cannot be dropped once cannot be dropped later (Marques-Silva 2010,
 * Minimal unsatisfiability).
 */
#include "pipeline/refutation_core.h"

#include "base/decision.h"
#include "problem/graph.h"
#include "solve/one_interval.h"

#include <stdlib.h>
#include <string.h>

/*
 * Limits the work of one question and of all questions; these get at most one part in SHARE of what
 * the limits leave.
 */
enum { MOST_OF_ONE = 5000, MOST_OF_ALL = 100000, SHARE = 10 };

/* A use or an edge, in the order in which deletion tries to drop them. */
typedef struct part {
    int number; /* its number: first all uses, op by op, then the edges */
    int group;  /* its unit or, after all units, its value */
    swp_loop_use use;
    bool needed; /* there is a schedule without it */
} part;

typedef struct core_finder {
    swp_loop_search *search;
    const swp_problem *problem;
    int use_count;
    part *parts;
    size_t count;
    bool *kept; /* by number */
    bool *before;
    uint64_t most; /* work of all questions */
    uint64_t work;
    swp_problem trial; /* the problem of the parts that are kept */
    swp_problem_op *ops;
    swp_problem_use *uses;
    swp_problem_edge *edges;
} core_finder;

static int compare_parts(const void *a, const void *b)
{
    const part *x = a;
    const part *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void list_parts(core_finder *f)
{
    const swp_problem *problem = f->problem;
    const swp_loop_edge *meanings = f->search->bound_problem.edges;
    int number = 0;
    for (size_t i = 0; i < problem->op_count; i++)
        for (size_t u = 0; u < problem->ops[i].use_count; u++, number++)
            if (problem->ops[i].uses[u].cycles > 0)
                f->parts[f->count++] =
                    (part){number, problem->ops[i].uses[u].resource, {(int)i, (int)u}, false};
    for (size_t e = 0; e < problem->edge_count; e++, number++)
        f->parts[f->count++] =
            (part){number, (int)problem->resource_count + meanings[e].value, {0, 0}, false};
    for (size_t i = 0; i < f->count; i++)
        f->kept[f->parts[i].number] = true;
    qsort(f->parts, f->count, sizeof *f->parts, compare_parts);
}

static void take_share(core_finder *f)
{
    const swp_loop_search *s = f->search;
    const swp_limits *limits = &s->ctx->limits;
    const uint64_t left = s->work < limits->work ? limits->work - s->work : 0;
    if (limits->work > 0 && left / SHARE < f->most)
        f->most = left / SHARE;
}

static swp_status begin(swp_loop_search *s, core_finder *f)
{
    const swp_problem *problem = &s->bound_problem.problem;
    *f = (core_finder){.search = s, .problem = problem, .most = MOST_OF_ALL};
    take_share(f);
    for (size_t i = 0; i < problem->op_count; i++)
        f->use_count += (int)problem->ops[i].use_count;
    const size_t most_parts = (size_t)f->use_count + problem->edge_count;
    SWP_TRY(SWP_TAKE(s->ctx, most_parts, &f->parts));
    SWP_TRY(SWP_TAKE(s->ctx, most_parts, &f->kept));
    SWP_TRY(SWP_TAKE(s->ctx, most_parts, &f->before));
    SWP_TRY(SWP_TAKE(s->ctx, problem->op_count, &f->ops));
    SWP_TRY(SWP_TAKE(s->ctx, (size_t)f->use_count, &f->uses));
    SWP_TRY(SWP_TAKE(s->ctx, problem->edge_count, &f->edges));
    list_parts(f);
    return SWP_OK;
}

static void write_trial(core_finder *f)
{
    const bool *kept = f->kept;
    swp_problem_use *next = f->uses;
    for (size_t i = 0; i < f->problem->op_count; i++) {
        const swp_problem_op *op = &f->problem->ops[i];
        f->ops[i] = *op;
        f->ops[i].uses = next;
        for (size_t u = 0; u < op->use_count; u++)
            if (*kept++)
                *next++ = op->uses[u];
        f->ops[i].use_count = (size_t)(next - f->ops[i].uses);
    }
    f->trial = *f->problem;
    f->trial.ops = f->ops;
    f->trial.edges = f->edges;
    f->trial.edge_count = 0;
    for (size_t e = 0; e < f->problem->edge_count; e++)
        if (*kept++)
            f->edges[f->trial.edge_count++] = f->problem->edges[e];
}

/* Edges between components bind nothing (docs/solving.md, "Modulo problems"). */
static swp_status drop_loose_edges(core_finder *f, swp_context *scratch)
{
    swp_problem_graph graph;
    write_trial(f);
    SWP_TRY(swp_problem_graph_new(scratch, &f->trial, INT64_MAX, &graph));
    for (size_t i = 0; i < f->problem->edge_count; i++) {
        const swp_problem_edge *e = &f->problem->edges[i];
        if (graph.component[e->producer] != graph.component[e->consumer])
            f->kept[(size_t)f->use_count + i] = false;
    }
    return SWP_OK;
}

static bool may_ask(const core_finder *f)
{
    return f->work < f->most && swp_pipeline_may_ask(f->search);
}

static swp_status decide(core_finder *f, swp_context *scratch, swp_decision *out)
{
    scratch->limits.work = f->most - f->work < MOST_OF_ONE ? f->most - f->work : MOST_OF_ONE;
    scratch->limits.progress = NULL;
    swp_budget budget = swp_budget_start(scratch, 0);
    write_trial(f);
    const swp_status status =
        swp_solve_one_interval(scratch, &f->trial, f->search->bound_answer.bound - 1, &budget, out);
    f->work += budget.work;
    return status == SWP_OK && *out == SWP_REFUTED ? drop_loose_edges(f, scratch) : status;
}

/* Formulas are large, so each has memory of its own. */
static swp_status decide_in_scratch(core_finder *f, swp_decision *out)
{
    swp_context scratch;
    if (!may_ask(f))
        return SWP_OK;
    SWP_TRY(swp_scope_open(f->search->ctx, &scratch));
    const swp_status status = decide(f, &scratch, out);
    swp_scope_close(&scratch);
    return status;
}

/* Counts the parts of a range that are kept; `*last` is the last one. */
static size_t count_kept(const core_finder *f, size_t first, size_t end, size_t *last)
{
    size_t count = 0;
    for (size_t i = first; i < end; i++)
        if (f->kept[f->parts[i].number]) {
            count++;
            *last = i;
        }
    return count;
}

static bool any_needed(const core_finder *f, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        if (f->parts[i].needed)
            return true;
    return false;
}

/* Drops the parts from `first` to before `end`, if the others alone have no schedule either. */
static swp_status try_without(core_finder *f, size_t first, size_t end)
{
    const size_t numbers = (size_t)f->use_count + f->problem->edge_count;
    swp_decision decision = SWP_UNDECIDED;
    size_t last = first;
    const size_t given_up = count_kept(f, first, end, &last);
    if (given_up == 0 || any_needed(f, first, end))
        return SWP_OK;
    memcpy(f->before, f->kept, numbers * sizeof *f->kept);
    for (size_t i = first; i < end; i++)
        f->kept[f->parts[i].number] = false;
    SWP_TRY(decide_in_scratch(f, &decision));
    if (decision == SWP_REFUTED)
        return SWP_OK;
    memcpy(f->kept, f->before, numbers * sizeof *f->kept);
    f->parts[last].needed = decision == SWP_FOUND && given_up == 1;
    return SWP_OK;
}

static swp_status try_without_groups(core_finder *f)
{
    for (size_t first = 0; first < f->count;) {
        size_t end = first;
        while (end < f->count && f->parts[end].group == f->parts[first].group)
            end++;
        SWP_TRY(try_without(f, first, end));
        first = end;
    }
    return SWP_OK;
}

static swp_status try_without_stretches(core_finder *f)
{
    size_t length = 1;
    while (length < f->count)
        length *= 2;
    for (; length > 0; length /= 2)
        for (size_t first = 0; first < f->count; first += length)
            SWP_TRY(try_without(f, first, first + length < f->count ? first + length : f->count));
    return SWP_OK;
}

/* Returns whether another number of slots would change an edge of the core. */
static bool is_bound_by_slots(const core_finder *f, const swp_loop_core *core, int value)
{
    const swp_loop_problem *bound = &f->search->bound_problem;
    for (size_t i = 0; i < core->edge_count && f->search->bound_slots[value] > 0; i++) {
        const swp_loop_edge *meaning = &bound->edges[core->edges[i]];
        if (meaning->value == value && meaning->kind != SWP_LOOP_READS &&
            bound->problem.edges[core->edges[i]].distance > 0)
            return true;
    }
    return false;
}

static swp_status list_values(const core_finder *f, swp_loop_core *out)
{
    const int count = (int)f->search->loop->value_count;
    int *values = NULL;
    SWP_TRY(SWP_TAKE(f->search->ctx, (size_t)count, &values));
    for (int v = 0; v < count; v++)
        if (is_bound_by_slots(f, out, v))
            values[out->value_count++] = v;
    out->values = values;
    return SWP_OK;
}

static swp_status hand_out(const core_finder *f, swp_loop_core *out)
{
    swp_loop_use *uses = NULL;
    int *edges = NULL;
    SWP_TRY(SWP_TAKE(f->search->ctx, f->count, &uses));
    SWP_TRY(SWP_TAKE(f->search->ctx, f->count, &edges));
    *out = (swp_loop_core){.uses = uses, .edges = edges, .minimal = true};
    for (size_t i = 0; i < f->count; i++) {
        const part *p = &f->parts[i];
        if (!f->kept[p->number])
            continue;
        out->minimal = out->minimal && p->needed;
        if (p->number < f->use_count)
            uses[out->use_count++] = p->use;
        else
            edges[out->edge_count++] = p->number - f->use_count;
    }
    return list_values(f, out);
}

swp_status swp_pipeline_find_core(swp_loop_search *s, swp_loop_core *out)
{
    core_finder f;
    *out = (swp_loop_core){0};
    if (s->bound_answer.bound_kind != SWP_BOUND_REFUTATION)
        return SWP_OK;
    SWP_TRY(begin(s, &f));
    SWP_TRY(drop_loose_edges(&f, s->ctx));
    SWP_TRY(try_without_groups(&f));
    SWP_TRY(try_without_stretches(&f));
    s->work += f.work;
    return hand_out(&f, out);
}
