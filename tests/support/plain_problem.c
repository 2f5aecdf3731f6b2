/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A makespan problem: all times. A modulo problem: all slots; for each the multiples of the interval
 * are a system of differences, which has a solution unless a cycle of it is positive.
 */
#include "plain_problem.h"

enum { MOST_OPS = 64 };

#define NO_PATH (-(1 << 28))

typedef struct trial {
    const swp_problem *problem;
    int64_t value;
    int64_t times[MOST_OPS];
} trial;

static bool is_makespan(const trial *t)
{
    return t->problem->kind == SWP_PROBLEM_MAKESPAN;
}

/* Whether the use holds its resource at a cycle, or how often in a slot. */
static int64_t held(const trial *t, int64_t start, const swp_problem_use *use, int64_t at)
{
    if (is_makespan(t))
        return at >= start && at < start + use->cycles ? use->amount : 0;
    int64_t amount = 0;
    for (int64_t cycle = start; cycle < start + use->cycles; cycle++)
        if (cycle % t->value == at)
            amount += use->amount;
    return amount;
}

/* Of the first `count` ops; `last` is the last cycle that a use reaches. */
static bool resources_hold(const trial *t, size_t count, int64_t last)
{
    for (size_t r = 0; r < t->problem->resource_count; r++)
        for (int64_t at = 0; at <= last; at++) {
            int64_t amount = 0;
            for (size_t i = 0; i < count; i++)
                for (size_t u = 0; u < t->problem->ops[i].use_count; u++)
                    if (t->problem->ops[i].uses[u].resource == (int)r)
                        amount += held(t, t->times[i], &t->problem->ops[i].uses[u], at);
            if (amount > t->problem->resources[r].capacity)
                return false;
        }
    return true;
}

static bool edges_hold(const trial *t, size_t count)
{
    for (size_t e = 0; e < t->problem->edge_count; e++) {
        const swp_problem_edge *edge = &t->problem->edges[e];
        if ((size_t)edge->producer < count && (size_t)edge->consumer < count &&
            t->times[edge->consumer] < t->times[edge->producer] + edge->delay)
            return false;
    }
    return true;
}

static int64_t up(int64_t number, int64_t divisor)
{
    return number >= 0 ? (number + divisor - 1) / divisor : -(-number / divisor);
}

/* Iterations k with k(consumer) - k(producer) >= weight for all edges. */
static bool iterations_exist(const trial *t)
{
    static int64_t path[MOST_OPS][MOST_OPS];
    const size_t count = t->problem->op_count;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            path[i][j] = i == j ? 0 : NO_PATH;
    for (size_t e = 0; e < t->problem->edge_count; e++) {
        const swp_problem_edge *edge = &t->problem->edges[e];
        const int64_t weight = up(t->times[edge->producer] + edge->delay -
                                      t->value * edge->distance - t->times[edge->consumer],
                                  t->value);
        if (weight > path[edge->producer][edge->consumer])
            path[edge->producer][edge->consumer] = weight;
    }
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

static bool complete(trial *t, size_t op)
{
    const bool makespan = is_makespan(t);
    if (op == t->problem->op_count)
        return makespan || iterations_exist(t);
    const int64_t most = makespan ? t->value - t->problem->ops[op].latency : t->value - 1;
    for (t->times[op] = 0; t->times[op] <= most; t->times[op]++)
        if ((!makespan || edges_hold(t, op + 1)) &&
            resources_hold(t, op + 1, makespan ? t->value : t->value - 1) && complete(t, op + 1))
            return true;
    return false;
}

bool plain_has_schedule(const swp_problem *problem, int64_t value)
{
    trial t = {.problem = problem, .value = value};
    return complete(&t, 0);
}

int64_t plain_optimum(const swp_problem *problem, int64_t most)
{
    for (int64_t value = problem->kind == SWP_PROBLEM_MODULO; value <= most; value++)
        if (plain_has_schedule(problem, value))
            return value;
    return -1;
}
