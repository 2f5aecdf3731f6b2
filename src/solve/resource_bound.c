/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up what each resource has to carry (Rau 1994: ResMII), by its amounts and by weights of them. */
#include "solve/resource_bound.h"

#include "problem/load.h"
#include "solve/dual_feasible.h"

#include <stdlib.h>

typedef struct load {
    int resource;
    swp_held_amount held;
} load;

static int compare_loads(const void *a, const void *b)
{
    const load *x = a;
    const load *y = b;
    if (x->resource != y->resource)
        return x->resource < y->resource ? -1 : 1;
    return (x->held.amount > y->held.amount) - (x->held.amount < y->held.amount);
}

static size_t use_count(const swp_problem *problem)
{
    size_t count = 0;
    for (size_t i = 0; i < problem->op_count; i++)
        count += problem->ops[i].use_count;
    return count;
}

/* By resource and amount. */
static size_t list_loads(const swp_problem *problem, load *loads)
{
    size_t count = 0;
    for (size_t i = 0; i < problem->op_count; i++)
        for (size_t u = 0; u < problem->ops[i].use_count; u++) {
            const swp_problem_use *use = &problem->ops[i].uses[u];
            const int64_t cycles = swp_problem_use_cycles(problem, &problem->ops[i], use);
            if (cycles > 0)
                loads[count++] = (load){use->resource, {use->amount, cycles}};
        }
    if (count > 0)
        qsort(loads, count, sizeof *loads, compare_loads);
    return count;
}

/* Takes the loads of one resource off the front, those of one amount together. */
static size_t take_resource(const load *loads, size_t count, swp_held_amount *held, size_t *taken)
{
    size_t amounts = 0;
    for (*taken = 0; *taken < count && loads[*taken].resource == loads[0].resource; ++*taken) {
        const swp_held_amount *next = &loads[*taken].held;
        if (amounts > 0 && held[amounts - 1].amount == next->amount)
            held[amounts - 1].cycles += next->cycles;
        else
            held[amounts++] = *next;
    }
    return amounts;
}

static int64_t plain_bound(int64_t capacity, const swp_held_amount *held, size_t count)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += held[i].amount * held[i].cycles;
    return sum / capacity + (sum % capacity != 0);
}

static swp_status raise_by(swp_context *ctx, const swp_problem *problem, int resource, bool weighed,
                           const swp_held_amount *held, size_t count, swp_answer *answer)
{
    const int64_t capacity = problem->resources[resource].capacity;
    swp_amount_weights weights = {0};
    int64_t bound = answer->bound;
    if (weighed)
        SWP_TRY(swp_solve_weigh(ctx, capacity, held, count, &bound, &weights));
    else
        bound = plain_bound(capacity, held, count);
    if (bound <= answer->bound)
        return SWP_OK;
    answer->bound = bound;
    answer->bound_kind = SWP_BOUND_RESOURCE;
    answer->bound_resource = resource;
    answer->bound_weights = weights;
    return SWP_OK;
}

swp_status swp_solve_resource_bound(swp_context *ctx, const swp_problem *problem,
                                    swp_answer *answer)
{
    load *loads = NULL;
    swp_held_amount *held = NULL;
    size_t taken = 0;
    SWP_TRY(SWP_TAKE(ctx, use_count(problem), &loads));
    SWP_TRY(SWP_TAKE(ctx, use_count(problem), &held));
    const size_t count = list_loads(problem, loads);
    /* Of equal bounds one by plain amounts says more. */
    for (int weighed = 0; weighed <= 1; weighed++)
        for (size_t i = 0; i < count; i += taken) {
            const size_t amounts = take_resource(&loads[i], count - i, held, &taken);
            SWP_TRY(raise_by(ctx, problem, loads[i].resource, weighed, held, amounts, answer));
        }
    return SWP_OK;
}
