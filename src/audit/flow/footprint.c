/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intervals of LDS bytes from the address registers of all threads, and whether two sets of them
 * overlap.
 */
#include "audit/flow/footprint.h"

#include "audit/flow/eval.h"

#include <stdlib.h>

static int compare_spans(const void *a, const void *b)
{
    const swp_span *first = a;
    const swp_span *second = b;
    return (first->first > second->first) - (first->first < second->first);
}

int swp_flow_spans_merge(swp_span *spans, int count)
{
    int merged = 0;
    if (count > 0)
        qsort(spans, (size_t)count, sizeof *spans, compare_spans);
    for (int i = 1; i < count; i++) {
        if (spans[i].first <= spans[merged].end)
            spans[merged].end = spans[i].end > spans[merged].end ? spans[i].end : spans[merged].end;
        else
            spans[++merged] = spans[i];
    }
    return count ? merged + 1 : 0;
}

typedef struct lane_addresses {
    uint32_t at[SWP_MOST_THREADS];
    swp_lane_state on[SWP_MOST_THREADS];
} lane_addresses;

/* Where the lanes access that are on, or may be; false if that is not known of one. */
static bool find_addresses(const swp_values *values, const swp_registers *registers, int address,
                           swp_wave_set waves, lane_addresses *out, bool *partial)
{
    for (int t = 0; t < values->threads; t++) {
        if (!(waves >> t / SWP_WAVE & 1U))
            continue;
        const swp_bits bits = swp_flow_values_bits(values, registers->values[address], t);
        out->at[t] = bits.word;
        out->on[t] = t < values->present ? swp_flow_lane_state(values, registers, SWP_REG_EXEC, t)
                                         : SWP_LANE_OFF;
        *partial |= out->on[t] == SWP_LANE_MAYBE;
        if (out->on[t] != SWP_LANE_OFF && bits.unknown)
            return false;
    }
    return true;
}

static swp_status fill_wave(swp_context *ctx, const lane_addresses *lanes,
                            const swp_lds_access *access, int wave, swp_footprint *out)
{
    swp_span spans[SWP_WAVE * 2];
    int count = 0;
    for (int lane = 0; lane < SWP_WAVE; lane++) {
        const int thread = wave * SWP_WAVE + lane;
        if (lanes->on[thread] == SWP_LANE_OFF)
            continue;
        const uint32_t base = lanes->at[thread] + (uint32_t)(lane * access->lane_stride);
        for (int part = 0; part < access->parts; part++) {
            const uint32_t first = base + access->offsets[part];
            const uint32_t end = first + (uint32_t)access->size;
            spans[count++] = (swp_span){first, end > first ? end : UINT32_MAX};
        }
    }
    out->counts[wave] = swp_flow_spans_merge(spans, count);
    SWP_TRY(SWP_TAKE(ctx, (size_t)out->counts[wave], &out->spans[wave]));
    for (int i = 0; i < out->counts[wave]; i++) {
        out->spans[wave][i] = spans[i];
        if (spans[i].first < out->whole.first)
            out->whole.first = spans[i].first;
        if (spans[i].end > out->whole.end)
            out->whole.end = spans[i].end;
    }
    return SWP_OK;
}

swp_status swp_flow_footprint_of(swp_context *ctx, const swp_values *values,
                                 const swp_registers *registers, const swp_lds_access *access,
                                 swp_wave_set waves, swp_footprint *out)
{
    lane_addresses lanes = {0};
    *out = (swp_footprint){.waves = values->threads / SWP_WAVE, .whole = {UINT32_MAX, 0}};
    if (access->address < 0 ||
        !find_addresses(values, registers, access->address, waves, &lanes, &out->partial))
        return SWP_OK;
    for (int wave = 0; wave < out->waves; wave++)
        SWP_TRY(fill_wave(ctx, &lanes, access, wave, out));
    /* The hardware drops bits of an address, or the access. */
    out->known = out->whole.end <= access->limit;
    return SWP_OK;
}

swp_overlap swp_flow_footprint_overlap(const swp_footprint *a, int first, const swp_footprint *b,
                                       int second)
{
    if (!a->known || !b->known)
        return SWP_MAY_OVERLAP;
    const swp_span *x = a->spans[first];
    const swp_span *y = b->spans[second];
    int i = 0;
    int j = 0;
    while (i < a->counts[first] && j < b->counts[second]) {
        if (x[i].first < y[j].end && y[j].first < x[i].end)
            return a->partial || b->partial ? SWP_MAY_OVERLAP : SWP_OVERLAP;
        if (x[i].end <= y[j].end)
            i++;
        else
            j++;
    }
    return SWP_DISJOINT;
}
