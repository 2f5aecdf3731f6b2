/* SPDX-License-Identifier: Apache-2.0 */
/* Places of a schedule as sets of LDS bytes, learned from loads and asked for accesses. */
#include "audit/match/region.h"

swp_status swp_match_regions_begin(swp_context *ctx, const swp_effects *effects,
                                   swp_lds_regions *out)
{
    *out = (swp_lds_regions){.count = effects->place_count};
    SWP_TRY(SWP_TAKE(ctx, effects->places.count, &out->items));
    for (int i = 0; i < out->count; i++)
        out->items[i].place = &effects->places.items[i];
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
