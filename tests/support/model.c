/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

#include <string.h>

static const swp_op *op_at(const model_problem *problem, int index)
{
    return &problem->body->nodes[index].op;
}

static int64_t latency_of(const model_problem *problem, int index)
{
    return problem->body->nodes[index].latency;
}

static bool uses_port(const model_problem *problem, int index)
{
    const swp_resource resource = op_at(problem, index)->resource;
    return problem->search.lds_contention_penalty > 0 &&
           (resource == SWP_LDS || resource == SWP_GLOBAL_MEM);
}

model_problem model_of(const swp_loop_body *body, const swp_search *search)
{
    return (model_problem){body, *search, (int)body->count};
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The machine while an order runs. */
typedef struct machine {
    int64_t finish[MODEL_MOST_OPS];
    bool placed[MODEL_MOST_OPS];
    int64_t mma_free, valu_free, port_free;
    int64_t makespan, live, peak;
} machine;

static void run_op(const model_problem *problem, machine *m, int index)
{
    const swp_op *op = op_at(problem, index);
    int64_t start = 0;
    for (size_t e = 0; e < problem->body->edges.count; e++) {
        const swp_edge *edge = &problem->body->edges.items[e];
        if (edge->distance == 0 && edge->consumer == index)
            start = later(start, m->finish[edge->producer]);
    }
    if (op->resource == SWP_MMA_UNIT)
        start = later(start, m->mma_free);
    if (op->resource == SWP_VALU)
        start = later(start, m->valu_free);
    if (uses_port(problem, index))
        start = later(start, m->port_free);
    const int64_t finish = start + latency_of(problem, index);
    if (op->resource == SWP_MMA_UNIT)
        m->mma_free = finish;
    if (op->resource == SWP_VALU)
        m->valu_free = finish;
    if (uses_port(problem, index))
        m->port_free = start + problem->search.lds_contention_penalty;
    m->finish[index] = finish;
    m->placed[index] = true;
    m->makespan = later(m->makespan, finish);
    m->live += op->vgpr_def;
    m->peak = later(m->peak, m->live);
    m->live -= op->vgpr_kill;
}

void model_evaluate(const model_problem *problem, model_order *order)
{
    machine m = {0};
    for (int i = 0; i < problem->count; i++)
        run_op(problem, &m, order->items[i]);
    order->makespan = m.makespan;
    order->peak = m.peak;
}

/* Longest path to each op; the graph has no cycle, so `count` rounds settle it. */
static void model_asap(const model_problem *problem, int64_t *asap)
{
    memset(asap, 0, sizeof *asap * MODEL_MOST_OPS);
    for (int round = 0; round < problem->count; round++)
        for (size_t e = 0; e < problem->body->edges.count; e++) {
            const swp_edge *edge = &problem->body->edges.items[e];
            if (edge->distance == 0)
                asap[edge->consumer] =
                    later(asap[edge->consumer],
                          asap[edge->producer] + latency_of(problem, edge->producer));
        }
}

static int64_t unit_bound(const model_problem *problem, const int64_t *asap, swp_resource unit)
{
    int64_t earliest = INT64_MAX, sum = 0;
    for (int i = 0; i < problem->count; i++)
        if (op_at(problem, i)->resource == unit) {
            earliest = asap[i] < earliest ? asap[i] : earliest;
            sum += latency_of(problem, i);
        }
    return earliest == INT64_MAX ? 0 : earliest + sum;
}

static int64_t port_bound(const model_problem *problem)
{
    int64_t least = INT64_MAX, users = 0;
    for (int i = 0; i < problem->count; i++)
        if (uses_port(problem, i)) {
            least = latency_of(problem, i) < least ? latency_of(problem, i) : least;
            users++;
        }
    return users ? (users - 1) * problem->search.lds_contention_penalty + least : 0;
}

int64_t model_lower_bound(const model_problem *problem)
{
    int64_t asap[MODEL_MOST_OPS];
    model_asap(problem, asap);
    int64_t bound = 0;
    for (int i = 0; i < problem->count; i++)
        bound = later(bound, asap[i] + latency_of(problem, i));
    bound = later(bound, unit_bound(problem, asap, SWP_MMA_UNIT));
    bound = later(bound, unit_bound(problem, asap, SWP_VALU));
    return later(bound, port_bound(problem));
}

static bool is_ready(const model_problem *problem, const bool *placed, int index)
{
    for (size_t e = 0; e < problem->body->edges.count; e++) {
        const swp_edge *edge = &problem->body->edges.items[e];
        if (edge->distance == 0 && edge->consumer == index && !placed[edge->producer])
            return false;
    }
    return true;
}

bool model_is_structured(const model_problem *problem, const int *order)
{
    bool placed[MODEL_MOST_OPS] = {0};
    const int half = problem->count / 2;
    for (int i = 0; i < problem->count; i++) {
        const int index = order[i];
        if (index < 0 || index >= problem->count || placed[index] ||
            !is_ready(problem, placed, index))
            return false;
        if (problem->search.halves && (index < half) != (i < half))
            return false;
        const bool ends_half = i + 1 == half || i + 1 == problem->count;
        if (problem->search.halves && ends_half && op_at(problem, index)->role != SWP_COMPUTE)
            return false;
        placed[index] = true;
    }
    return true;
}

static bool keeps_max_globals(const model_problem *problem, const int *order)
{
    const int most = problem->search.max_globals_per_block;
    if (!problem->search.halves || most <= 0)
        return true;
    int globals = 0;
    for (int i = 0; i < problem->count; i++) {
        const swp_role role = op_at(problem, order[i])->role;
        if (role == SWP_COMPUTE || i == problem->count / 2)
            globals = 0;
        if (role == SWP_GLOBAL_LOAD && ++globals > most)
            return false;
    }
    return true;
}

static bool within_budget(const model_problem *problem, int64_t peak)
{
    const int most = problem->search.max_vgpr;
    return most == SWP_NO_VGPR_LIMIT || peak <= most;
}

bool model_is_legal(const model_problem *problem, const model_order *order)
{
    return model_is_structured(problem, order->items) && keeps_max_globals(problem, order->items) &&
           within_budget(problem, order->peak);
}

static int lowest_ready(const model_problem *problem, const bool *placed, int from, int to)
{
    for (int i = from; i < to; i++)
        if (!placed[i] && is_ready(problem, placed, i))
            return i;
    return -1;
}

/* A block: ready ops up to a COMPUTE. The last op placed, or -1 where none is ready. */
static int greedy_block(const model_problem *problem, bool *placed, int from, int to,
                        model_order *out, int *count)
{
    int last = -1;
    for (;;) {
        const int op = lowest_ready(problem, placed, from, to);
        if (op < 0)
            return last;
        placed[op] = true;
        out->items[(*count)++] = last = op;
        if (op_at(problem, op)->role == SWP_COMPUTE)
            return last;
    }
}

static model_order greedy_with_halves(const model_problem *problem)
{
    model_order out = {0};
    bool placed[MODEL_MOST_OPS] = {0};
    const int half = problem->count / 2;
    int count = 0;
    for (int h = 0; h < 2; h++) {
        const int end = h ? problem->count : half;
        int last = -1;
        for (int block = 0; block < problem->search.blocks_per_half && count < end; block++)
            last = greedy_block(problem, placed, h * half, end, &out, &count);
        if (count != end || last < 0 || op_at(problem, last)->role != SWP_COMPUTE)
            return out;
    }
    out.found = true;
    return out;
}

static model_order simple_greedy(const model_problem *problem)
{
    model_order out = {.found = true};
    bool placed[MODEL_MOST_OPS] = {0};
    for (int i = 0; i < problem->count; i++) {
        const int op = lowest_ready(problem, placed, 0, problem->count);
        placed[op] = true;
        out.items[i] = op;
    }
    return out;
}

model_order model_seed(const model_problem *problem)
{
    model_order seed =
        problem->search.halves ? greedy_with_halves(problem) : simple_greedy(problem);
    if (seed.found)
        model_evaluate(problem, &seed);
    return seed;
}

/* Enumeration, in lexicographic order, so that the first of equals stays. */
typedef struct enumeration {
    const model_problem *problem;
    model_order current;
    model_order best;
    long *nodes;
} enumeration;

static void consider(enumeration *e, const machine *m)
{
    e->current.makespan = m->makespan;
    e->current.peak = m->peak;
    if (!model_is_legal(e->problem, &e->current))
        return;
    const bool better = !e->best.found || m->makespan < e->best.makespan ||
                        (m->makespan == e->best.makespan && m->peak < e->best.peak);
    if (better) {
        e->best = e->current;
        e->best.found = true;
    }
}

static void enumerate(enumeration *e, const machine *m, int depth)
{
    const model_problem *problem = e->problem;
    if (*e->nodes <= 0)
        return;
    --*e->nodes;
    if (depth == problem->count) {
        consider(e, m);
        return;
    }
    const int half = problem->count / 2;
    const bool halves = problem->search.halves;
    const int from = halves && depth >= half ? half : 0;
    const int to = halves && depth < half ? half : problem->count;
    for (int i = from; i < to; i++) {
        if (m->placed[i] || !is_ready(problem, m->placed, i))
            continue;
        machine next = *m;
        run_op(problem, &next, i);
        e->current.items[depth] = i;
        enumerate(e, &next, depth + 1);
    }
}

model_order model_answer(const model_problem *problem, long *nodes)
{
    const model_order seed = model_seed(problem);
    if (seed.found && seed.makespan == model_lower_bound(problem) &&
        within_budget(problem, seed.peak))
        return seed;
    enumeration e = {.problem = problem, .nodes = nodes};
    const machine empty = {0};
    enumerate(&e, &empty, 0);
    if (seed.found && e.best.found && model_is_legal(problem, &seed) &&
        seed.makespan == e.best.makespan && seed.peak == e.best.peak)
        return seed;
    return e.best;
}
