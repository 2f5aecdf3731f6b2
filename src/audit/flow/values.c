/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of abstract values: hash-consed, so that equal ones have equal numbers, and joins compare
 * numbers.
 */
#include "audit/flow/values.h"

#include <string.h>

/* More than the addresses of any kernel; beyond, a value counts as unknown. */
enum { MOST_VALUES = 1 << 14, BUCKETS = 1 << 15 };

int swp_flow_function_waves(const swp_function *function)
{
    return (function->workgroup + SWP_WAVE - 1) / SWP_WAVE;
}

swp_status swp_flow_values_init(swp_context *ctx, int waves, swp_values *out)
{
    *out = (swp_values){.ctx = ctx, .threads = waves * SWP_WAVE, .present = waves * SWP_WAVE};
    const swp_value none = {NULL, 0, -1, -1};
    SWP_TRY(SWP_TAKE(ctx, BUCKETS, &out->buckets));
    return SWP_PUSH(ctx, out, none);
}

static uint32_t mix(uint32_t hash, uint32_t word)
{
    const uint32_t prime = 16777619U;
    return (hash ^ word) * prime;
}

static uint32_t hash_of(const swp_values *values, const swp_value *value)
{
    const uint32_t start = 2166136261U;
    uint32_t hash = mix(mix(start, (uint32_t)value->event), (uint32_t)value->part);
    hash = mix(mix(hash, (uint32_t)value->lanes), (uint32_t)(value->lanes >> 32U));
    for (int i = 0; value->words && i < values->threads; i++)
        hash = mix(hash, value->words[i]);
    return hash ^ hash >> 15U;
}

static bool same(const swp_values *values, const swp_value *a, const swp_value *b)
{
    if (!a->words || !b->words)
        return a->words == b->words && a->event == b->event && a->part == b->part;
    return a->lanes == b->lanes &&
           memcmp(a->words, b->words, (size_t)values->threads * sizeof *a->words) == 0;
}

static swp_status keep(swp_values *values, const swp_value *value, int *bucket)
{
    swp_value kept = *value;
    if (value->words) {
        uint32_t *words = NULL;
        SWP_TRY(SWP_TAKE(values->ctx, (size_t)values->threads, &words));
        memcpy(words, value->words, (size_t)values->threads * sizeof *words);
        kept.words = words;
    }
    *bucket = (int)values->count;
    return SWP_PUSH(values->ctx, values, kept);
}

static int find_or_keep(swp_values *values, const swp_value *value)
{
    uint32_t at = hash_of(values, value) % BUCKETS;
    while (values->buckets[at] && !same(values, &values->items[values->buckets[at]], value))
        at = (at + 1) % BUCKETS;
    if (values->buckets[at])
        return values->buckets[at];
    if (values->count >= MOST_VALUES || values->status != SWP_OK)
        return SWP_VALUE_NONE;
    values->status = keep(values, value, &values->buckets[at]);
    return values->status == SWP_OK ? values->buckets[at] : SWP_VALUE_NONE;
}

int swp_flow_values_add(swp_values *values)
{
    return swp_flow_values_add_lanes(values, SWP_ALL_LANES);
}

int swp_flow_values_add_lanes(swp_values *values, uint64_t lanes)
{
    const swp_value value = {values->scratch, lanes, -1, -1};
    if (!lanes)
        return SWP_VALUE_NONE;
    for (int t = 0; t < values->threads; t++)
        if (!(lanes >> t % SWP_WAVE & 1U))
            values->scratch[t] = 0;
    return find_or_keep(values, &value);
}

int swp_flow_values_join(swp_values *values, int first, int second)
{
    const swp_value a = values->items[first];
    const swp_value b = values->items[second];
    uint64_t lanes = a.lanes & b.lanes;
    if (first == second)
        return first;
    for (int t = 0; lanes && t < values->threads; t++) {
        if (a.words[t] != b.words[t])
            lanes &= ~(1ULL << t % SWP_WAVE);
        values->scratch[t] = a.words[t];
    }
    return swp_flow_values_add_lanes(values, lanes);
}

int swp_flow_values_uniform(swp_values *values, uint32_t word)
{
    for (int i = 0; i < values->threads; i++)
        values->scratch[i] = word;
    return swp_flow_values_add(values);
}

int swp_flow_values_produced(swp_values *values, int event, int part)
{
    const swp_value value = {NULL, 0, event, part};
    return find_or_keep(values, &value);
}

const uint32_t *swp_flow_values_words(const swp_values *values, int number)
{
    const swp_value *value = &values->items[number];
    return value->lanes == SWP_ALL_LANES ? value->words : NULL;
}

const uint32_t *swp_flow_values_lane(const swp_values *values, int number, int lane)
{
    const swp_value *value = &values->items[number];
    return value->lanes >> lane & 1U ? value->words : NULL;
}

bool swp_flow_values_is_uniform(const swp_values *values, const uint32_t *words)
{
    for (int i = 1; i < values->threads; i++)
        if (words[i] != words[0])
            return false;
    return true;
}
