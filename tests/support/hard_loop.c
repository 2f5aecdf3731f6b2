/* SPDX-License-Identifier: Apache-2.0 */
#include "hard_loop.h"

#include <string.h>

enum { MOST_OPS = 64, MOST_INTERVAL = 64, MOST_NODES = 4000 };

/* Units, one of each: about one for so many ops, so that recurrences and resources are in balance. */
enum { OPS_PER_UNIT = 5, MOST_UNITS = MOST_OPS / OPS_PER_UNIT + 1, LEAST_UNITS = 3 };

#define NO_PATH (-(1 << 24))

typedef int64_t matrix[MOST_OPS][MOST_OPS];

typedef struct enumeration {
    const swp_problem *problem;
    int64_t interval;
    matrix apart; /* least t(column) - t(row) */
    int order[MOST_OPS];
    int count; /* ops that hold something */
    int64_t slots[MOST_OPS];
    int64_t taken[MOST_UNITS][MOST_INTERVAL];
    long nodes_left;
} enumeration;

static int64_t up(int64_t number, int64_t divisor)
{
    return number >= 0 ? (number + divisor - 1) / divisor : -(-number / divisor);
}

/* Floyd and Warshall; false if a cycle is positive. */
static bool close_paths(matrix path, size_t count)
{
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count; j++)
                if (path[i][k] > NO_PATH && path[k][j] > NO_PATH &&
                    path[i][k] + path[k][j] > path[i][j])
                    path[i][j] = path[i][k] + path[k][j];
    for (size_t i = 0; i < count; i++)
        if (path[i][i] > 0)
            return false;
    return true;
}

static bool set_paths(const swp_problem *problem, int64_t interval, matrix path)
{
    for (size_t i = 0; i < problem->op_count; i++)
        for (size_t j = 0; j < problem->op_count; j++)
            path[i][j] = i == j ? 0 : NO_PATH;
    for (size_t e = 0; e < problem->edge_count; e++) {
        const swp_problem_edge *edge = &problem->edges[e];
        const int64_t delay = edge->delay - interval * edge->distance;
        if (delay > path[edge->producer][edge->consumer])
            path[edge->producer][edge->consumer] = delay;
    }
    return close_paths(path, problem->op_count);
}

int64_t plain_loop_bound(const swp_problem *problem)
{
    static matrix path;
    int64_t bound = 1;
    for (size_t r = 0; r < problem->resource_count; r++) {
        int64_t load = 0;
        for (size_t i = 0; i < problem->op_count; i++)
            for (size_t u = 0; u < problem->ops[i].use_count; u++)
                if (problem->ops[i].uses[u].resource == (int)r)
                    load += problem->ops[i].uses[u].amount * problem->ops[i].uses[u].cycles;
        const int64_t least = up(load, problem->resources[r].capacity);
        bound = least > bound ? least : bound;
    }
    while (!set_paths(problem, bound, path))
        bound++;
    return bound;
}

static bool take(enumeration *e, int op, int64_t sign)
{
    bool fits = true;
    for (size_t u = 0; u < e->problem->ops[op].use_count; u++) {
        const swp_problem_use *use = &e->problem->ops[op].uses[u];
        for (int64_t c = 0; c < use->cycles; c++) {
            int64_t *taken = &e->taken[use->resource][(e->slots[op] + c) % e->interval];
            *taken += sign * use->amount;
            fits = fits && *taken <= e->problem->resources[use->resource].capacity;
        }
    }
    return fits;
}

/*
 * Whether the first ops of the order, `last` now among them, have iterations that keep them apart: the
 * longest paths over the iterations of those before, extended by one op.
 */
static bool extend_iterations(const enumeration *e, int last)
{
    static matrix paths[MOST_OPS];
    int64_t to[MOST_OPS];
    int64_t from[MOST_OPS];
    const int op = e->order[last];
    for (int i = 0; i < last; i++)
        to[i] = from[i] = NO_PATH;
    for (int j = 0; j < last; j++) {
        const int other = e->order[j];
        const int64_t there = e->apart[other][op];
        const int64_t back = e->apart[op][other];
        for (int i = 0; i < last; i++) {
            const int64_t before = last > 1 ? paths[last - 1][i][j] : 0;
            const int64_t after = last > 1 ? paths[last - 1][j][i] : 0;
            if (there > NO_PATH && before > NO_PATH) {
                const int64_t length =
                    before + up(there + e->slots[other] - e->slots[op], e->interval);
                to[i] = length > to[i] ? length : to[i];
            }
            if (back > NO_PATH && after > NO_PATH) {
                const int64_t length =
                    after + up(back + e->slots[op] - e->slots[other], e->interval);
                from[i] = length > from[i] ? length : from[i];
            }
        }
    }
    for (int i = 0; i < last; i++) {
        if (to[i] > NO_PATH && from[i] > NO_PATH && to[i] + from[i] > 0)
            return false;
        paths[last][i][last] = to[i];
        paths[last][last][i] = from[i];
        for (int j = 0; j < last; j++) {
            const int64_t known = last > 1 ? paths[last - 1][i][j] : 0;
            const int64_t round = to[i] > NO_PATH && from[j] > NO_PATH ? to[i] + from[j] : NO_PATH;
            paths[last][i][j] = round > known ? round : known;
        }
    }
    paths[last][last][last] = 0;
    return true;
}

static plain_verdict enumerate(enumeration *e, int index)
{
    if (index == e->count)
        return PLAIN_YES;
    const int op = e->order[index];
    /* All slots together may be turned round. */
    const int64_t slots = index == 0 ? 1 : e->interval;
    for (int64_t slot = 0; slot < slots; slot++) {
        if (e->nodes_left-- == 0)
            return PLAIN_GAVE_UP;
        e->slots[op] = slot;
        plain_verdict verdict = PLAIN_NO;
        if (take(e, op, 1) && extend_iterations(e, index))
            verdict = enumerate(e, index + 1);
        (void)take(e, op, -1);
        if (verdict != PLAIN_NO)
            return verdict;
    }
    return PLAIN_NO;
}

plain_verdict plain_loop_has_schedule(const swp_problem *problem, int64_t interval, long most_nodes)
{
    static enumeration e;
    memset(&e, 0, sizeof e);
    e.problem = problem;
    e.interval = interval;
    e.nodes_left = most_nodes;
    if (!set_paths(problem, interval, e.apart))
        return PLAIN_NO;
    for (size_t i = 0; i < problem->op_count; i++)
        if (problem->ops[i].use_count > 0)
            e.order[e.count++] = (int)i;
    return enumerate(&e, 0);
}

static swp_problem_edge edge_between(const swp_problem_op *ops, int producer, int consumer,
                                     int64_t distance)
{
    return (swp_problem_edge){producer, consumer, distance, ops[producer].latency};
}

/* Chains with an edge back: recurrences about as long as the resources are busy. */
static swp_problem draw(swp_context *ctx, test_random *random, int least, int most)
{
    static const char *const names[MOST_UNITS] = {"a", "b", "c", "d", "e", "f", "g",
                                                  "h", "i", "j", "k", "l", "m"};
    swp_problem problem = {.name = "hard", .kind = SWP_PROBLEM_MODULO};
    swp_problem_resource *resources = swp_context_take(ctx, MOST_UNITS * sizeof *resources);
    swp_problem_op *ops = swp_context_take(ctx, MOST_OPS * sizeof *ops);
    swp_problem_edge *edges = swp_context_take(ctx, 4 * MOST_OPS * sizeof *edges);
    swp_problem_use *uses = swp_context_take(ctx, MOST_OPS * sizeof *uses);
    problem.op_count = (size_t)random_int(random, least, most);
    problem.resource_count = problem.op_count / OPS_PER_UNIT;
    if (problem.resource_count < LEAST_UNITS)
        problem.resource_count = LEAST_UNITS;
    for (size_t r = 0; r < problem.resource_count; r++)
        resources[r] = (swp_problem_resource){names[r], 1};
    for (int i = 0; i < (int)problem.op_count; i++) {
        uses[i] = (swp_problem_use){random_int(random, 0, (int)problem.resource_count - 1), 1,
                                    random_chance(random, 70) ? 1 : 2};
        ops[i] = (swp_problem_op){"op", random_int(random, 1, 3), &uses[i],
                                  random_chance(random, 85) ? 1 : 0};
    }
    for (int begin = 0; begin < (int)problem.op_count;) {
        const int length = random_int(random, 3, 7);
        const int end =
            begin + length < (int)problem.op_count ? begin + length : (int)problem.op_count;
        for (int i = begin; i + 1 < end; i++)
            edges[problem.edge_count++] = edge_between(ops, i, i + 1, 0);
        edges[problem.edge_count++] = edge_between(ops, end - 1, begin, random_int(random, 1, 3));
        if (begin > 0)
            edges[problem.edge_count++] =
                edge_between(ops, random_int(random, 0, begin - 1), begin, 0);
        begin = end;
    }
    problem.resources = resources;
    problem.ops = ops;
    problem.edges = edges;
    return problem;
}

swp_problem hard_loop(swp_context *ctx, test_random *random, int least, int most)
{
    for (;;) {
        const swp_problem problem = draw(ctx, random, least, most);
        const int64_t bound = plain_loop_bound(&problem);
        if (bound < MOST_INTERVAL &&
            plain_loop_has_schedule(&problem, bound, MOST_NODES) == PLAIN_NO)
            return problem;
    }
}
