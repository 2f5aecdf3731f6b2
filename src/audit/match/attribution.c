/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which entry each access is: by the bytes of its place, read off the loads of the prologue or of the
 * loop, whichever explains more; by order where addresses are not known.
 */
#include "audit/match/attribution.h"

#include "audit/match/entry_insn.h"

/* --- items and entries of one kind --- */

/* Instructions of a kind, and what the entries are called that they carry out. */
typedef struct access_kind {
    swp_insn_kind insn;
    const char *entries;
    const char *verb;
} access_kind;

static const access_kind load = {SWP_INSN_LOAD_TO_LDS, "global_load", "load"};
static const access_kind read = {SWP_INSN_LDS_READ, "fragment_load", "read"};

static bool is_of(const access_kind *kind, const swp_attribution *a, int item)
{
    return swp_match_item_insn(a->walk, &a->walk->list.items[item])->kind == kind->insn;
}

static bool does(const access_kind *kind, const swp_effect *entry)
{
    return swp_match_entry_insn(entry) == kind->insn;
}

static int count_items(const swp_attribution *a, const access_kind *kind, swp_phase phase, int pass)
{
    int count = 0;
    for (int i = a->walk->first[phase][pass]; i < a->walk->end[phase][pass]; i++)
        count += is_of(kind, a, i);
    return count;
}

/* --- by order --- */

/* Hands the accesses of a kind to its entries in their order: as stated, or else evenly. */
static bool hand_out(swp_attribution *a, const access_kind *kind, swp_phase phase, int pass,
                     int *entry_of)
{
    const swp_effect *entries = a->effects->entries[phase];
    int stated = 0;
    int count = 0;
    for (int e = 0; e < a->effects->lengths[phase]; e++)
        if (does(kind, &entries[e])) {
            stated += entries[e].accesses;
            count++;
        }
    const int items = count_items(a, kind, phase, pass);
    if (items != stated && (count == 0 || items % count != 0))
        return items == 0 && count == 0;
    int at = a->walk->first[phase][pass];
    for (int e = 0; e < a->effects->lengths[phase]; e++) {
        if (!does(kind, &entries[e]))
            continue;
        int left = items == stated ? entries[e].accesses : items / count;
        for (; left > 0; at++)
            if (is_of(kind, a, at)) {
                entry_of[at] = e;
                left--;
            }
    }
    return true;
}

/* --- regions --- */

/* The bytes of every place, if the loads of this phase stand in the order of its entries. */
static swp_status learn_regions(swp_attribution *a, swp_phase phase, int pass, bool *learned)
{
    int *entry_of = NULL;
    SWP_TRY(SWP_TAKE(a->ctx, a->walk->list.count, &entry_of));
    *learned = hand_out(a, &load, phase, pass, entry_of);
    for (int i = a->walk->first[phase][pass]; *learned && i < a->walk->end[phase][pass]; i++) {
        if (!is_of(&load, a, i))
            continue;
        const int place = swp_match_entry_place(&a->effects->entries[phase][entry_of[i]]);
        SWP_TRY(swp_match_region_widen(a->ctx, &a->regions.items[place], &a->walk->list.items[i]));
    }
    return SWP_OK;
}

/* --- by place --- */

/* The `nth` entry of a kind about this place, of `*count`; -1 if there is none. */
static int entry_about(const swp_attribution *a, const access_kind *kind, swp_phase phase,
                       const swp_lds_region *region, int nth, int *count)
{
    const swp_effect *entries = a->effects->entries[phase];
    const int place = (int)(region - a->regions.items);
    int found = -1;
    *count = 0;
    for (int i = 0; i < a->effects->lengths[phase]; i++)
        if (does(kind, &entries[i]) && swp_match_entry_place(&entries[i]) == place) {
            if (*count == nth)
                found = i;
            ++*count;
        }
    return found;
}

static int items_in(const swp_attribution *a, const access_kind *kind, const swp_lds_region *region,
                    int first, int end)
{
    int count = 0;
    for (int i = first; i < end; i++)
        count += is_of(kind, a, i) &&
                 swp_match_item_within(&a->walk->list.items[i], region->spans, region->span_count);
    return count;
}

static swp_status attribute_item(swp_attribution *a, const access_kind *kind, swp_phase phase,
                                 int pass, int index)
{
    const int first = a->walk->first[phase][pass];
    const int end = a->walk->end[phase][pass];
    const swp_item *item = &a->walk->list.items[index];
    const swp_lds_region *region = swp_match_region_around(&a->regions, item);
    int entries = 0;
    if (!region)
        return swp_match_obstacle_add(a, item->insn,
                                      "%ss LDS outside every place that the schedule's loads fill",
                                      kind->verb);
    (void)entry_about(a, kind, phase, region, 0, &entries);
    const int items = items_in(a, kind, region, first, end);
    const int each = entries ? items / entries : 0;
    if (each == 0 || each * entries != items)
        return swp_match_obstacle_add(
            a, item->insn,
            "%ss channel %d, slot %d, subtile %d, which %d entries of the %s "
            "do with %d accesses",
            kind->verb, region->place->channel, region->place->stage, region->place->subtile,
            entries, swp_phase_name(phase), items);
    const int before = items_in(a, kind, region, first, index);
    a->entry_of[index] = entry_about(a, kind, phase, region, before / each, &entries);
    return SWP_OK;
}

static swp_status attribute_kind(swp_attribution *a, const access_kind *kind, swp_phase phase,
                                 int pass)
{
    const int first = a->walk->first[phase][pass];
    const int end = a->walk->end[phase][pass];
    int last = -1;
    if (a->by_order && !hand_out(a, kind, phase, pass, a->entry_of))
        return swp_match_obstacle_add(
            a, -1,
            "the %s has %d accesses for its %s entries, and their addresses "
            "cannot be told",
            swp_phase_name(phase), count_items(a, kind, phase, pass), kind->entries);
    for (int i = first; i < end; i++) {
        if (!is_of(kind, a, i))
            continue;
        if (!a->walk->list.items[i].all_lanes)
            SWP_TRY(swp_match_obstacle_add(a, a->walk->list.items[i].insn,
                                           "may run with some lanes off, which then %s nothing",
                                           kind->verb));
        if (!a->by_order)
            SWP_TRY(attribute_item(a, kind, phase, pass, i));
        a->moved += a->entry_of[i] < last;
        last = a->entry_of[i] > last ? a->entry_of[i] : last;
    }
    return SWP_OK;
}

static swp_status attribute_accesses(swp_attribution *a)
{
    for (int phase = 0; phase < 3; phase++)
        for (int pass = 0; pass < swp_match_walk_passes(a->walk, (swp_phase)phase); pass++) {
            SWP_TRY(attribute_kind(a, &load, (swp_phase)phase, pass));
            SWP_TRY(attribute_kind(a, &read, (swp_phase)phase, pass));
        }
    return SWP_OK;
}

/* --- all bytes --- */

/* Where the reads of a phase and pass read a place, all waves together read all of it. */
static swp_status check_region(swp_attribution *a, const swp_lds_region *region, swp_phase phase,
                               int pass)
{
    swp_lds_region seen = {0};
    int last = -1;
    for (int i = a->walk->first[phase][pass]; i < a->walk->end[phase][pass]; i++) {
        const swp_item *item = &a->walk->list.items[i];
        if (!is_of(&read, a, i) || !swp_match_item_within(item, region->spans, region->span_count))
            continue;
        SWP_TRY(swp_match_region_widen(a->ctx, &seen, item));
        last = item->insn;
    }
    const swp_item whole = {
        .known = true, .spans = region->spans, .span_count = region->span_count};
    if (last < 0 || swp_match_item_within(&whole, seen.spans, seen.span_count))
        return SWP_OK;
    return swp_match_obstacle_add(
        a, last,
        "is the last read of channel %d, slot %d, subtile %d in the %s, and "
        "no wave has read some of the bytes that were loaded",
        region->place->channel, region->place->stage, region->place->subtile,
        swp_phase_name(phase));
}

static swp_status check_regions(swp_attribution *a)
{
    for (int r = 0; r < a->regions.count; r++)
        for (int phase = 0; phase < 3; phase++)
            for (int pass = 0; pass < swp_match_walk_passes(a->walk, (swp_phase)phase); pass++)
                SWP_TRY(check_region(a, &a->regions.items[r], (swp_phase)phase, pass));
    return SWP_OK;
}

/* --- the better of two readings --- */

static bool addresses_are_known(const swp_walk *walk)
{
    for (size_t i = 0; i < walk->list.count; i++)
        if (swp_match_item_insn(walk, &walk->list.items[i])->lds.parts &&
            !walk->list.items[i].known)
            return false;
    return true;
}

static swp_status start(swp_context *ctx, const swp_effects *effects, const swp_walk *walk,
                        swp_attribution *out)
{
    *out = (swp_attribution){
        .ctx = ctx, .schedule = effects->schedule, .effects = effects, .walk = walk};
    SWP_TRY(SWP_TAKE(ctx, walk->list.count, &out->entry_of));
    for (size_t i = 0; i < walk->list.count; i++)
        out->entry_of[i] = -1;
    return swp_match_regions_begin(ctx, effects, &out->regions);
}

/* Reads the places off the loads of one phase; `*usable` is false if that makes no sense. */
static swp_status try_reading(swp_phase phase, swp_attribution *a, bool *usable)
{
    *usable = false;
    if (phase == SWP_KERNEL && a->walk->passes == 0)
        return SWP_OK;
    SWP_TRY(learn_regions(a, phase, 0, usable));
    *usable = *usable && swp_match_regions_are_disjoint(&a->regions);
    return *usable ? attribute_accesses(a) : SWP_OK;
}

static bool is_better(const swp_attribution *a, const swp_attribution *b)
{
    if (a->obstacles.count != b->obstacles.count)
        return a->obstacles.count < b->obstacles.count;
    return a->moved < b->moved;
}

static swp_status find_places(swp_attribution *out)
{
    bool usable = false;
    bool other_usable = false;
    swp_attribution other;
    SWP_TRY(start(out->ctx, out->effects, out->walk, &other));
    SWP_TRY(try_reading(SWP_PROLOGUE, out, &usable));
    SWP_TRY(try_reading(SWP_KERNEL, &other, &other_usable));
    if (other_usable && (!usable || is_better(&other, out)))
        *out = other;
    if (usable || other_usable)
        return SWP_OK;
    return swp_match_obstacle_add(
        out, -1,
        "neither the prologue's loads to LDS nor the loop's are those of the "
        "schedule, in number and place");
}

swp_status swp_match_attribute(swp_context *ctx, const swp_effects *effects, const swp_walk *walk,
                               const swp_attribution *like, swp_attribution *out)
{
    SWP_TRY(start(ctx, effects, walk, out));
    out->by_order = !addresses_are_known(walk);
    if (like && !out->by_order) {
        out->regions = like->regions;
        SWP_TRY(attribute_accesses(out));
    } else if (out->by_order) {
        SWP_TRY(attribute_accesses(out));
    } else {
        SWP_TRY(find_places(out));
    }
    if (!out->by_order && !out->obstacles.count)
        SWP_TRY(check_regions(out));
    return out->obstacles.count ? SWP_OK : swp_match_attribute_mmas(out);
}
