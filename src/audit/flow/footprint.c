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

static swp_status fill_wave(swp_context *ctx, const uint32_t *addresses, const uint32_t *exec[2],
                            int present, const swp_lds_access *access, int wave, swp_footprint *out)
{
    swp_span spans[SWP_WAVE * 2];
    int count = 0;
    for (int lane = 0; lane < SWP_WAVE; lane++) {
        const int thread = wave * SWP_WAVE + lane;
        const uint32_t base = addresses[thread] + (uint32_t)(lane * access->lane_stride);
        if (thread >= present || (!out->partial && !swp_flow_lane_is_on(exec[0], exec[1], thread)))
            continue;
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
                                 swp_footprint *out)
{
    *out = (swp_footprint){.waves = values->threads / SWP_WAVE, .whole = {UINT32_MAX, 0}};
    const uint32_t *addresses =
        access->address < 0 ? NULL : swp_flow_registers_words(values, registers, access->address);
    const uint32_t *exec[2] = {swp_flow_registers_words(values, registers, SWP_REG_EXEC),
                               swp_flow_registers_words(values, registers, SWP_REG_EXEC + 1)};
    if (!addresses)
        return SWP_OK;
    out->known = true;
    out->partial = !exec[0] || !exec[1];
    for (int wave = 0; wave < out->waves; wave++)
        SWP_TRY(fill_wave(ctx, addresses, exec, values->present, access, wave, out));
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
