/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tries dual feasible functions. A threshold drops smaller amounts, and raises those that fit
 * beside nothing else to the whole capacity (Fekete and Schepers 2001). What remains is rounded to
 * parts of the capacity (Vanderbeck 2000; f_VB,2 of Clautiaux, Alves and Valério de Carvalho 2010).
 */
#include "solve/dual_feasible.h"

#include "base/divisor.h"

#include <string.h>

/* Each amount serves as a threshold, and is tried with 2 parts, 3 and so on up to MOST_PARTS. */
enum { MOST_PARTS = 64, COARSE_PARTS = 3, MOST_AMOUNTS = 100 };

typedef struct function {
    int64_t capacity;
    int64_t threshold; /* half the capacity at most */
    int64_t parts;     /* 2 and more */
} function;

static int64_t without_small(const function *f, int64_t amount)
{
    if (amount > f->capacity - f->threshold)
        return f->capacity;
    return amount < f->threshold ? 0 : amount;
}

/* Returns how many whole parts of the capacity lie below the amount. */
static int64_t parts_below(const function *f, int64_t amount)
{
    return amount > 0 ? (f->parts * amount - 1) / f->capacity : 0;
}

static int64_t most_of(const function *f)
{
    return 2 * (f->parts - 1);
}

/* An amount of more than half the capacity gets all the weight that its complement leaves. */
static int64_t weight_of(const function *f, int64_t amount)
{
    const int64_t held = without_small(f, amount);
    const int64_t rest = f->capacity - held;
    if (held == rest)
        return most_of(f) / 2;
    return held < rest ? 2 * parts_below(f, held) : most_of(f) - 2 * parts_below(f, rest);
}

static int64_t cycles_needed(const function *f, const swp_held_amounts *held)
{
    int64_t load = 0;
    for (size_t i = 0; i < held->count; i++)
        load += weight_of(f, held->items[i].amount) * held->items[i].cycles;
    return load / most_of(f) + (load % most_of(f) != 0);
}

/*
 * Returns how many amounts serve as thresholds: those below half the capacity, and the next one,
 * which stands for the half itself. Too many amounts serve for none.
 */
static size_t count_thresholds(int64_t capacity, const swp_held_amounts *held)
{
    size_t count = 0;
    while (count < held->count && (count == 0 || 2 * held->items[count - 1].amount < capacity))
        count++;
    return held->count <= MOST_AMOUNTS ? count : 0;
}

static function function_of(int64_t capacity, int64_t amount, int64_t parts)
{
    return (function){capacity, amount < capacity / 2 ? amount : capacity / 2, parts};
}

/* Finds the function that needs the most cycles; returns false if none needs more than `*bound`. */
static bool find_best(int64_t capacity, const swp_held_amounts *held, int64_t *bound,
                      function *best)
{
    const size_t thresholds = count_thresholds(capacity, held);
    bool found = false;
    for (size_t i = 0; i < thresholds; i++)
        for (int parts = 2; parts <= MOST_PARTS; parts++) {
            const function f = function_of(capacity, held->items[i].amount, parts);
            const int64_t needed = cycles_needed(&f, held);
            if (needed <= *bound)
                continue;
            *bound = needed;
            *best = f;
            found = true;
        }
    return found;
}

/* Lists the weights in lowest terms, without the amounts that weigh nothing. */
static swp_status list_weights(swp_context *ctx, const function *f, const swp_held_amounts *held,
                               swp_amount_weights *out)
{
    swp_amount_weight *items = NULL;
    int64_t divisor = most_of(f);
    SWP_TRY(SWP_TAKE(ctx, held->count, &items));
    for (size_t i = 0; i < held->count; i++)
        divisor = swp_common_divisor(divisor, weight_of(f, held->items[i].amount));
    *out = (swp_amount_weights){.items = items, .most = most_of(f) / divisor};
    for (size_t i = 0; i < held->count; i++) {
        const int64_t amount = held->items[i].amount;
        const int64_t weight = weight_of(f, amount) / divisor;
        if (weight > 0)
            items[out->count++] = (swp_amount_weight){amount, weight};
    }
    return SWP_OK;
}

/* Returns whether the weights of all uses can be summed without overflow. */
static bool can_be_added(const swp_held_amounts *held)
{
    int64_t left = INT64_MAX / MOST_PARTS / 2;
    for (size_t i = 0; i < held->count && left >= 0; i++)
        left = held->items[i].cycles <= left ? left - held->items[i].cycles : -1;
    return left >= 0;
}

swp_status swp_solve_weigh(swp_context *ctx, int64_t capacity, const swp_held_amounts *held,
                           int64_t *bound, swp_amount_weights *out)
{
    function best = {0};
    if (!can_be_added(held) || !find_best(capacity, held, bound, &best))
        return SWP_OK;
    return list_weights(ctx, &best, held, out);
}

static bool is_listed(const swp_weights_list *list, const swp_amount_weights *weights)
{
    const size_t size = weights->count * sizeof *weights->items;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].most == weights->most && list->items[i].count == weights->count &&
            memcmp(list->items[i].items, weights->items, size) == 0)
            return true;
    return false;
}

swp_status swp_solve_coarse_weights(swp_context *ctx, int64_t capacity,
                                    const swp_held_amounts *held, swp_weights_list *out)
{
    const size_t thresholds = count_thresholds(capacity, held);
    for (int parts = 2; parts <= COARSE_PARTS; parts++)
        for (size_t i = 0; i < thresholds; i++) {
            const function f = function_of(capacity, held->items[i].amount, parts);
            swp_amount_weights weights;
            SWP_TRY(list_weights(ctx, &f, held, &weights));
            if (weights.count > 0 && !is_listed(out, &weights))
                SWP_TRY(SWP_PUSH(ctx, out, weights));
        }
    return SWP_OK;
}
