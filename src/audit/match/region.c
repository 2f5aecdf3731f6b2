/* SPDX-License-Identifier: Apache-2.0 */
/* Places of a schedule as sets of LDS bytes, learned from loads and asked for accesses. */
#include "audit/match/region.h"

bool swp_match_region_is_place_of(const swp_lds_region *region, const swp_op *op)
{
    return region->channel == op->channel && region->stage == op->stage &&
           region->subtile == op->subtile;
}

swp_lds_region *swp_match_region_of(const swp_lds_regions *regions, const swp_op *op)
{
    for (int i = 0; i < regions->count; i++)
        if (swp_match_region_is_place_of(&regions->items[i], op))
            return &regions->items[i];
    return NULL;
}

swp_status swp_match_regions_number(swp_context *ctx, const swp_schedule *schedule,
                                    swp_lds_regions *out)
{
    size_t most = 0;
    *out = (swp_lds_regions){0};
    for (int phase = 0; phase < 3; phase++)
        most += swp_schedule_phase(schedule, (swp_phase)phase)->count;
    SWP_TRY(SWP_TAKE(ctx, most, &out->items));
    for (int phase = 0; phase < 3; phase++) {
        const swp_entry_list *entries = swp_schedule_phase(schedule, (swp_phase)phase);
        for (size_t i = 0; i < entries->count; i++) {
            const swp_op *op = &entries->items[i].op;
            if ((op->role == SWP_GLOBAL_LOAD || op->role == SWP_FRAGMENT_LOAD) &&
                !swp_match_region_of(out, op))
                out->items[out->count++] = (swp_lds_region){
                    .channel = op->channel, .stage = op->stage, .subtile = op->subtile};
        }
    }
    return SWP_OK;
}

swp_status swp_match_region_widen(swp_context *ctx, swp_lds_region *region, const swp_item *item)
{
    swp_span *spans = NULL;
    int count = 0;
    SWP_TRY(SWP_TAKE(ctx, (size_t)(region->span_count + item->span_count), &spans));
    for (int i = 0; i < region->span_count; i++)
        spans[count++] = region->spans[i];
    for (int i = 0; i < item->span_count; i++)
        spans[count++] = item->spans[i];
    region->spans = spans;
    region->span_count = swp_flow_spans_merge(spans, count);
    return SWP_OK;
}

const swp_lds_region *swp_match_region_around(const swp_lds_regions *regions, const swp_item *item)
{
    for (int i = 0; i < regions->count; i++)
        if (swp_match_item_within(item, regions->items[i].spans, regions->items[i].span_count))
            return &regions->items[i];
    return NULL;
}

bool swp_match_regions_are_disjoint(const swp_lds_regions *regions)
{
    for (int i = 0; i < regions->count; i++)
        for (int j = 0; j < i; j++) {
            const swp_item other = {.known = true,
                                    .spans = regions->items[j].spans,
                                    .span_count = regions->items[j].span_count};
            if (swp_match_item_overlaps(&other, regions->items[i].spans,
                                        regions->items[i].span_count))
                return false;
        }
    return true;
}
