/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of abstract values: hash-consed, so that equal ones have equal numbers, and joins compare
 * numbers.
 */
#include "audit/flow/computed_table.h"

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
    const swp_value none = {NULL, NULL, -1, -1, 0};
    SWP_TRY(SWP_TAKE(ctx, BUCKETS, &out->buckets));
    SWP_TRY(swp_flow_computed_init(ctx, &out->computed));
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
    for (int i = 0; value->words && i < values->threads; i++)
        hash = mix(hash, value->words[i]);
    for (int i = 0; value->unknown && i < values->threads; i++)
        hash = mix(hash, value->unknown[i]);
    return hash ^ hash >> 15U;
}

static bool same_words(const swp_values *values, const uint32_t *a, const uint32_t *b)
{
    return a && b ? memcmp(a, b, (size_t)values->threads * sizeof *a) == 0 : a == b;
}

static bool same(const swp_values *values, const swp_value *a, const swp_value *b)
{
    return a->event == b->event && a->part == b->part && same_words(values, a->words, b->words) &&
           same_words(values, a->unknown, b->unknown);
}

static swp_status keep_words(swp_values *values, const uint32_t **words)
{
    uint32_t *kept = NULL;
    if (!*words)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(values->ctx, (size_t)values->threads, &kept));
    memcpy(kept, *words, (size_t)values->threads * sizeof *kept);
    *words = kept;
    return SWP_OK;
}

/* Words depend on a bit if two threads that differ in it alone have different ones. */
static unsigned differing_bits(const swp_values *values, const uint32_t *words)
{
    unsigned differing = 0;
    for (int bit = 1; words && bit < values->threads; bit <<= 1)
        for (int t = 0; t < values->threads && !(differing & (unsigned)bit); t++)
            if (!(t & bit) && (t | bit) < values->threads && words[t] != words[t | bit])
                differing |= (unsigned)bit;
    return differing;
}

static swp_status keep(swp_values *values, const swp_value *value, int *bucket)
{
    swp_value kept = *value;
    SWP_TRY(keep_words(values, &kept.words));
    SWP_TRY(keep_words(values, &kept.unknown));
    kept.differing = differing_bits(values, kept.words);
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
    const swp_value value = {values->scratch, NULL, -1, -1, 0};
    return find_or_keep(values, &value);
}

int swp_flow_values_add_bits(swp_values *values)
{
    const swp_value value = {values->scratch, values->scratch_unknown, -1, -1, 0};
    uint32_t some = 0;
    uint32_t all = UINT32_MAX;
    for (int t = 0; t < values->threads; t++) {
        some |= values->scratch_unknown[t];
        all &= values->scratch_unknown[t];
    }
    if (all == UINT32_MAX)
        return SWP_VALUE_NONE;
    return some ? find_or_keep(values, &value) : swp_flow_values_add(values);
}

void swp_flow_values_set_bits(swp_values *values, int thread, swp_bits bits)
{
    values->scratch[thread] = bits.word & ~bits.unknown;
    values->scratch_unknown[thread] = bits.unknown;
}

swp_bits swp_flow_bits_join(swp_bits a, swp_bits b)
{
    const uint32_t unknown = a.unknown | b.unknown | (a.word ^ b.word);
    return (swp_bits){a.word & ~unknown, unknown};
}

int swp_flow_values_join(swp_values *values, int first, int second)
{
    if (first == second)
        return first;
    if (!values->items[first].words || !values->items[second].words)
        return SWP_VALUE_NONE;
    const swp_operation join = {SWP_COMPUTED_JOIN, {first, second}, 0};
    int joined = SWP_VALUE_NONE;
    if (swp_flow_computed_find(values, &join, &joined))
        return joined;
    for (int t = 0; t < values->threads; t++)
        swp_flow_values_set_bits(values, t,
                                 swp_flow_bits_join(swp_flow_values_bits(values, first, t),
                                                    swp_flow_values_bits(values, second, t)));
    return swp_flow_computed_keep(values, &join, swp_flow_values_add_bits(values));
}

int swp_flow_values_uniform(swp_values *values, uint32_t word)
{
    const swp_operation uniform = {SWP_COMPUTED_UNIFORM, {0}, word};
    int number = SWP_VALUE_NONE;
    if (swp_flow_computed_find(values, &uniform, &number))
        return number;
    for (int i = 0; i < values->threads; i++)
        values->scratch[i] = word;
    return swp_flow_computed_keep(values, &uniform, swp_flow_values_add(values));
}

int swp_flow_values_produced(swp_values *values, int event, int part)
{
    const swp_value value = {NULL, NULL, event, part, 0};
    return find_or_keep(values, &value);
}

const uint32_t *swp_flow_values_words(const swp_values *values, int number)
{
    const swp_value *value = &values->items[number];
    return value->unknown ? NULL : value->words;
}

bool swp_flow_values_is_uniform(const swp_values *values, const uint32_t *words)
{
    for (int i = 1; i < values->threads; i++)
        if (words[i] != words[0])
            return false;
    return true;
}
