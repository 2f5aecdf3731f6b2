/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out whether weights are a dual feasible function of the amounts, by the least amount that
 * has each weight. That is an unbounded knapsack, solved by dynamic programming over the weights.
 * It does not matter from which family of functions they come.
 */
#include "certify/weights.h"

/* The table of the least amounts has an entry for each weight, so there must not be more. */
enum { MOST_WEIGHT = 1 << 16 };

static swp_status judge_form(swp_judgement *judgement, const swp_certificate_step *step,
                             int64_t capacity)
{
    const swp_amount_weights *weights = &step->weights;
    if (weights->most < 1 || weights->most > MOST_WEIGHT)
        return swp_certify_refuse(judgement, step->place, "`most` is %lld, but has to be 1 to %d",
                                  (long long)weights->most, MOST_WEIGHT);
    for (size_t i = 0; i < weights->count; i++) {
        const swp_amount_weight *w = &weights->items[i];
        if (w->amount < (i > 0 ? w[-1].amount + 1 : 1) || w->amount > capacity)
            return swp_certify_refuse(judgement, step->place,
                                      "amounts have to ascend from 1 to the capacity of %lld, but "
                                      "number %zu is %lld",
                                      (long long)capacity, i + 1, (long long)w->amount);
        if (w->weight < 1 || w->weight > weights->most)
            return swp_certify_refuse(
                judgement, step->place, "the amount %lld weighs %lld, which is not 1 to %lld",
                (long long)w->amount, (long long)w->weight, (long long)weights->most);
    }
    return SWP_OK;
}

/* Numbers fit 64 bits, since at most MOST_WEIGHT + 1 amounts of at most SWP_PROBLEM_MOST are summed. */
static int64_t least_amount(const swp_amount_weights *weights, const int64_t *least, int64_t weight)
{
    int64_t amount = INT64_MAX;
    for (size_t i = 0; i < weights->count; i++) {
        const swp_amount_weight *w = &weights->items[i];
        const int64_t with = w->amount + (weight > w->weight ? least[weight - w->weight] : 0);
        amount = with < amount ? with : amount;
    }
    return amount;
}

swp_status swp_certify_judge_weights(swp_context *ctx, swp_judgement *judgement,
                                     const swp_certificate_step *step, int64_t capacity)
{
    const swp_amount_weights *weights = &step->weights;
    int64_t *least = NULL; /* by weight: the least amount that weighs at least so much */
    if (weights->count == 0)
        return SWP_OK;
    SWP_TRY(judge_form(judgement, step, capacity));
    SWP_TRY(SWP_TAKE(ctx, (size_t)weights->most + 2, &least));
    for (int64_t weight = 1; weight <= weights->most + 1; weight++) {
        SWP_TRY(swp_certify_spend(judgement, weights->count));
        least[weight] = least_amount(weights, least, weight);
    }
    const int64_t too_much = least[weights->most + 1];
    return too_much > capacity
               ? SWP_OK
               : swp_certify_refuse(judgement, step->place,
                                    "amounts that come to %lld, and fit the capacity of %lld, "
                                    "weigh more than %lld",
                                    (long long)too_much, (long long)capacity,
                                    (long long)weights->most);
}
