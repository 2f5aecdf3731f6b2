/* SPDX-License-Identifier: Apache-2.0 */
/* A table with one place for each hash. A price depends on stages by their differences alone. */
#include "pipeline/price_memo.h"

#include <string.h>

/* Loops of many ops get fewer places, as fewer of their orders are tried, and each slot count has a table of its own. */
enum { MOST_PLACES = 2048, MOST_POSITIONS = 1 << 18, POSITION_BITS = 16 };

static swp_status make(swp_context *ctx, swp_price_memo *memo, size_t ops)
{
    const size_t places = MOST_POSITIONS / ops;
    memo->places = places > MOST_PLACES ? MOST_PLACES : places;
    SWP_TRY(SWP_TAKE(ctx, memo->places, &memo->prices));
    SWP_TRY(SWP_TAKE(ctx, memo->places * ops, &memo->orders));
    SWP_TRY(SWP_TAKE(ctx, memo->places * ops, &memo->critical));
    SWP_TRY(SWP_TAKE(ctx, ops, &memo->asked));
    for (size_t i = 0; i < memo->places; i++)
        memo->prices[i].critical = memo->critical + i * ops;
    return SWP_OK;
}

/* Each op's stage and position. */
static uint64_t describe(const swp_issue_order *order, size_t ops, uint32_t *out)
{
    static const uint64_t factor = 0x9E3779B97F4A7C15u;
    uint64_t hash = 0;
    for (size_t i = 0; i < ops; i++) {
        const uint32_t stage = (uint32_t)order->stage[i] - (uint32_t)order->stage[0];
        out[i] = (stage << POSITION_BITS) ^ (uint32_t)order->at[i];
        hash = (hash ^ out[i]) * factor;
        hash ^= hash >> (2 * POSITION_BITS);
    }
    return hash;
}

swp_status swp_pipeline_find_price(swp_context *ctx, swp_price_memo *memo,
                                   const swp_issue_order *order, size_t ops, swp_known_price **out)
{
    if (!memo->prices)
        SWP_TRY(make(ctx, memo, ops));
    const size_t place = describe(order, ops, memo->asked) % memo->places;
    uint32_t *there = memo->orders + place * ops;
    *out = &memo->prices[place];
    if (!(*out)->any || memcmp(there, memo->asked, ops * sizeof *there) != 0) {
        memcpy(there, memo->asked, ops * sizeof *there);
        (*out)->any = false;
    }
    return SWP_OK;
}
