/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tries dual feasible functions: amounts below a threshold are left out, which makes those that fit beside no
 * other as large as the capacity (Fekete and Schepers 2001), and the rest is rounded to parts of the capacity (Vanderbeck
 * 2000; f_VB,2 of Clautiaux, Alves and Valério de Carvalho 2010).
 */
#include "solve/dual_feasible.h"

/* Each amount is a threshold, tried with 2 parts and more. */
enum { MOST_PARTS = 64, MOST_AMOUNTS = 100 };

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

/* Whole parts of the capacity below the amount. */
static int64_t parts_below(const function *f, int64_t amount)
{
    return amount > 0 ? (f->parts * amount - 1) / f->capacity : 0;
}

static int64_t most_of(const function *f)
{
    return 2 * (f->parts - 1);
}

/* What is more than half weighs all that is left beside the rest. */
static int64_t weight_of(const function *f, int64_t amount)
{
    const int64_t held = without_small(f, amount);
    const int64_t rest = f->capacity - held;
    if (held == rest)
        return most_of(f) / 2;
    return held < rest ? 2 * parts_below(f, held) : most_of(f) - 2 * parts_below(f, rest);
}

static int64_t cycles_needed(const function *f, const swp_held_amount *held, size_t count)
{
    int64_t load = 0;
    for (size_t i = 0; i < count; i++)
        load += weight_of(f, held[i].amount) * held[i].cycles;
    return load / most_of(f) + (load % most_of(f) != 0);
}

/* The function that needs the most cycles; false if none needs more than `*bound`. */
static bool find_best(int64_t capacity, const swp_held_amount *held, size_t count, int64_t *bound,
                      function *best)
{
    bool found = false;
    for (size_t i = 0; i < count && (i == 0 || 2 * held[i - 1].amount < capacity); i++) {
        const int64_t half = capacity / 2;
        function f = {capacity, held[i].amount < half ? held[i].amount : half, 2};
        for (; f.parts <= MOST_PARTS; f.parts++) {
            const int64_t needed = cycles_needed(&f, held, count);
            if (needed <= *bound)
                continue;
            *bound = needed;
            *best = f;
            found = true;
        }
    }
    return found;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* In lowest terms; amounts that weigh nothing are left out. */
static swp_status list_weights(swp_context *ctx, const function *f, const swp_held_amount *held,
                               size_t count, swp_amount_weights *out)
{
    swp_amount_weight *items = NULL;
    int64_t divisor = most_of(f);
    SWP_TRY(SWP_TAKE(ctx, count, &items));
    for (size_t i = 0; i < count; i++)
        divisor = common_divisor(divisor, weight_of(f, held[i].amount));
    *out = (swp_amount_weights){.items = items, .most = most_of(f) / divisor};
    for (size_t i = 0; i < count; i++) {
        const int64_t weight = weight_of(f, held[i].amount) / divisor;
        if (weight > 0)
            items[out->count++] = (swp_amount_weight){held[i].amount, weight};
    }
    return SWP_OK;
}

swp_status swp_solve_weigh(swp_context *ctx, int64_t capacity, const swp_held_amount *held,
                           size_t count, int64_t *bound, swp_amount_weights *out)
{
    function best = {0};
    int64_t cycles = 0;
    for (size_t i = 0; i < count; i++)
        if (held[i].cycles > INT64_MAX / (2 * MOST_PARTS) - cycles)
            return SWP_OK;
        else
            cycles += held[i].cycles;
    if (count > MOST_AMOUNTS || !find_best(capacity, held, count, bound, &best))
        return SWP_OK;
    return list_weights(ctx, &best, held, count, out);
}
