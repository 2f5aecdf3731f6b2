/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds list schedules by several priorities, justifies each, and runs a genetic algorithm over
 * their orders (after Valls, Ballestin and Quintanilla 2008). Its random numbers are the same in
 * every run.
 */
#include "base/random.h"
#include "solve/heuristic.h"
#include "solve/list_schedule.h"

enum { POPULATION = 24, MOST_SCHEDULES = 4000, MOST_PLACEMENTS = 400000, TRIES_TO_DIFFER = 8 };

typedef struct member {
    int64_t makespan;
    int64_t *times;
} member;

typedef struct breeding {
    swp_list list;
    const swp_problem *problem;
    swp_budget *budget;
    int64_t bound;
    member population[POPULATION];
    int count;
    int64_t *child;
    int64_t *rank_a; /* of each op in the order of a parent */
    int64_t *rank_b;
    uint64_t random;
} breeding;

static uint64_t draw(breeding *b, uint64_t below)
{
    return swp_random_below(&b->random, below);
}

static int64_t successors_of(const swp_list *list, int op)
{
    return list->out_first[op + 1] - list->out_first[op];
}

/* Returns what the op holds, in thousandths of the capacities, so that scarce units weigh more. */
static int64_t demand_of(const swp_list *list, int op)
{
    const swp_problem_op *o = &list->problem->ops[op];
    double demand = 0;
    for (size_t u = 0; u < o->use_count; u++)
        demand += (double)o->uses[u].cycles * (double)o->uses[u].amount /
                  (double)list->problem->resources[o->uses[u].resource].capacity;
    return (int64_t)(demand * 1000);
}

enum { LATEST_START, LATEST_FINISH, SLACK, SUCCESSORS, DEMAND, ORDER, RULES };

static int64_t key_of(const swp_list *list, int op, int rule)
{
    switch (rule) {
    case LATEST_START:
        return -list->tail[op];
    case LATEST_FINISH:
        return list->problem->ops[op].latency - list->tail[op];
    case SLACK:
        return -list->tail[op] - list->head[op];
    case SUCCESSORS:
        return -successors_of(list, op);
    case DEMAND:
        return -list->tail[op] * 1000 - demand_of(list, op);
    default:
        return op;
    }
}

/* Inserts a schedule into the population if it is among the best and not there yet. */
static void keep(breeding *b, const int64_t *times, int64_t makespan)
{
    int at = b->count;
    for (int i = 0; i < b->count; i++)
        if (b->population[i].makespan == makespan) {
            bool same = true;
            for (int op = 0; op < b->list.count && same; op++)
                same = b->population[i].times[op] == times[op];
            if (same)
                return;
        }
    if (b->count == POPULATION) {
        at = POPULATION - 1;
        if (makespan >= b->population[at].makespan)
            return;
    } else
        b->count++;
    int64_t *room = b->population[at].times;
    for (; at > 0 && b->population[at - 1].makespan > makespan; at--)
        b->population[at] = b->population[at - 1];
    for (int op = 0; op < b->list.count; op++)
        room[op] = times[op];
    b->population[at] = (member){makespan, room};
}

/* Builds the schedule of the present keys, and justifies it until that no longer shortens it. */
static swp_status breed(swp_context *ctx, breeding *b)
{
    SWP_TRY(swp_solve_list_generate(ctx, &b->list, b->child));
    int64_t makespan = swp_solve_list_makespan(&b->list, b->child);
    for (int64_t before = INT64_MAX; makespan < before && makespan > b->bound;) {
        before = makespan;
        SWP_TRY(swp_solve_list_justify(ctx, &b->list, b->child));
        makespan = swp_solve_list_makespan(&b->list, b->child);
    }
    keep(b, b->child, makespan);
    return SWP_OK;
}

static bool is_done(const breeding *b)
{
    return b->count > 0 && b->population[0].makespan <= b->bound;
}

/* Ranks the ops by their times in a parent's schedule; chance decides between equal times. */
static void rank(breeding *b, const member *parent, int64_t *ranks)
{
    for (int op = 0; op < b->list.count; op++)
        ranks[op] = parent->times[op] * 2 + (int64_t)draw(b, 2);
}

/*
 * Takes one parent's ranks for the ops that it issues within a window, and the other's for the
 * rest, with some mutations.
 */
static void cross(breeding *b)
{
    const member *mother = &b->population[draw(b, (uint64_t)b->count)];
    const member *father = &b->population[draw(b, (uint64_t)b->count)];
    const int64_t span = mother->makespan > 0 ? mother->makespan : 1;
    rank(b, mother, b->rank_a);
    rank(b, father, b->rank_b);
    int64_t from = (int64_t)draw(b, (uint64_t)span) * 2;
    int64_t to = from + (span / 4 + (int64_t)draw(b, (uint64_t)(span / 2 + 1))) * 2;
    for (int op = 0; op < b->list.count; op++) {
        const bool within = b->rank_a[op] >= from && b->rank_a[op] <= to;
        b->list.key[op] = within ? b->rank_a[op] : b->rank_b[op];
        if (draw(b, 100) < 4)
            b->list.key[op] += (int64_t)draw(b, (uint64_t)span) - span / 2;
    }
}

static swp_status breeding_new(swp_context *ctx, breeding *b, const swp_problem *problem)
{
    const size_t count = problem->op_count + 1;
    b->problem = problem;
    b->random = SWP_RANDOM_SEED;
    for (int i = 0; i < POPULATION; i++)
        SWP_TRY(SWP_TAKE(ctx, count, &b->population[i].times));
    SWP_TRY(SWP_TAKE(ctx, count, &b->child));
    SWP_TRY(SWP_TAKE(ctx, count, &b->rank_a));
    return SWP_TAKE(ctx, count, &b->rank_b);
}

static swp_status improve(swp_context *ctx, breeding *b)
{
    int64_t left = MOST_PLACEMENTS / (b->list.count + 1);
    left = left < MOST_SCHEDULES ? left : MOST_SCHEDULES;
    for (; left > 0 && !is_done(b) && swp_budget_poll(b->budget); left--) {
        cross(b);
        SWP_TRY(breed(ctx, b));
        b->budget->best = b->population[0].makespan;
    }
    return SWP_OK;
}

swp_status swp_solve_makespan_heuristic(swp_context *ctx, const swp_problem_graph *graph,
                                        swp_budget *budget, swp_answer *answer)
{
    breeding b = {.budget = budget, .bound = answer->bound};
    bool acyclic = false;
    SWP_TRY(swp_solve_list_new(ctx, graph->problem, &b.list, &acyclic));
    if (!acyclic)
        return SWP_OK;
    SWP_TRY(breeding_new(ctx, &b, graph->problem));
    for (int rule = 0; rule < RULES && !is_done(&b); rule++) {
        if (rule > 0 && !swp_budget_poll(budget))
            break;
        for (int op = 0; op < b.list.count; op++)
            b.list.key[op] = key_of(&b.list, op, rule);
        SWP_TRY(breed(ctx, &b));
    }
    SWP_TRY(improve(ctx, &b));
    answer->value = b.population[0].makespan;
    answer->times = b.population[0].times;
    answer->time_count = graph->problem->op_count;
    return SWP_OK;
}
