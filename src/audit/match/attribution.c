/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which entry each access is: by the bytes of its place, read off the loads of the prologue or of the
 * loop, whichever explains more; by order where addresses are not known.
 */
#include "audit/match/attribution.h"

static const swp_entry_list *entries_of(const swp_attribution *a, swp_phase phase)
{
    return swp_schedule_phase(a->schedule, phase);
}

/* --- items and entries of one kind --- */

static bool item_has_role(const swp_attribution *a, int item, swp_role role)
{
    const swp_insn_kind kind = swp_match_item_insn(a->walk, &a->walk->list.items[item])->kind;
    return kind == (role == SWP_GLOBAL_LOAD ? SWP_INSN_LOAD_TO_LDS : SWP_INSN_LDS_READ);
}

static int count_items(const swp_attribution *a, swp_role role, swp_phase phase, int pass)
{
    int count = 0;
    for (int i = a->walk->first[phase][pass]; i < a->walk->end[phase][pass]; i++)
        count += item_has_role(a, i, role);
    return count;
}

static int accesses_of(const swp_op *op)
{
    const int stated = op->role == SWP_GLOBAL_LOAD ? op->vm_cost : op->lgkm_cost;
    return stated > 0 ? stated : 1;
}

/* --- by order --- */

/* Hands the accesses of a kind to its entries in their order: as stated, or else evenly. */
static bool hand_out(swp_attribution *a, swp_role role, swp_phase phase, int pass, int *entry_of)
{
    const swp_entry_list *entries = entries_of(a, phase);
    int stated = 0;
    int loads = 0;
    for (size_t i = 0; i < entries->count; i++)
        if (entries->items[i].op.role == role) {
            stated += accesses_of(&entries->items[i].op);
            loads++;
        }
    const int items = count_items(a, role, phase, pass);
    if (items != stated && (loads == 0 || items % loads != 0))
        return items == 0 && loads == 0;
    int at = a->walk->first[phase][pass];
    for (size_t e = 0; e < entries->count; e++) {
        if (entries->items[e].op.role != role)
            continue;
        int left = items == stated ? accesses_of(&entries->items[e].op) : items / loads;
        for (; left > 0; at++)
            if (item_has_role(a, at, role)) {
                entry_of[at] = (int)e;
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
    *learned = hand_out(a, SWP_GLOBAL_LOAD, phase, pass, entry_of);
    for (int i = a->walk->first[phase][pass]; *learned && i < a->walk->end[phase][pass]; i++) {
        if (!item_has_role(a, i, SWP_GLOBAL_LOAD))
            continue;
        const swp_op *op = &entries_of(a, phase)->items[entry_of[i]].op;
        SWP_TRY(swp_match_region_widen(a->ctx, swp_match_region_of(&a->regions, op),
                                       &a->walk->list.items[i]));
    }
    return SWP_OK;
}

/* --- by place --- */

/* The `nth` entry of a kind about this place, of `*count`; -1 if there is none. */
static int entry_about(const swp_attribution *a, swp_role role, swp_phase phase,
                       const swp_lds_region *region, int nth, int *count)
{
    const swp_entry_list *entries = entries_of(a, phase);
    int found = -1;
    *count = 0;
    for (size_t i = 0; i < entries->count; i++)
        if (entries->items[i].op.role == role &&
            swp_match_region_is_place_of(region, &entries->items[i].op)) {
            if (*count == nth)
                found = (int)i;
            ++*count;
        }
    return found;
}

static int items_in(const swp_attribution *a, swp_role role, const swp_lds_region *region,
                    int first, int end)
{
    int count = 0;
    for (int i = first; i < end; i++)
        count += item_has_role(a, i, role) &&
                 swp_match_item_within(&a->walk->list.items[i], region->spans, region->span_count);
    return count;
}

static swp_status attribute_item(swp_attribution *a, swp_role role, swp_phase phase, int pass,
                                 int index)
{
    const int first = a->walk->first[phase][pass];
    const int end = a->walk->end[phase][pass];
    const swp_item *item = &a->walk->list.items[index];
    const swp_lds_region *region = swp_match_region_around(&a->regions, item);
    const char *verb = role == SWP_GLOBAL_LOAD ? "loads" : "reads";
    int entries = 0;
    if (!region)
        return swp_match_obstacle_add(
            a, item->insn, "%s LDS outside every place that the schedule's loads fill", verb);
    (void)entry_about(a, role, phase, region, 0, &entries);
    const int items = items_in(a, role, region, first, end);
    const int each = entries ? items / entries : 0;
    if (each == 0 || each * entries != items)
        return swp_match_obstacle_add(
            a, item->insn,
            "%s channel %d, slot %d, subtile %d, which %d entries of the %s "
            "do with %d accesses",
            verb, region->channel, region->stage, region->subtile, entries, swp_phase_name(phase),
            items);
    const int before = items_in(a, role, region, first, index);
    a->entry_of[index] = entry_about(a, role, phase, region, before / each, &entries);
    return SWP_OK;
}

static swp_status attribute_role(swp_attribution *a, swp_role role, swp_phase phase, int pass)
{
    const int first = a->walk->first[phase][pass];
    const int end = a->walk->end[phase][pass];
    int last = -1;
    if (a->by_order && !hand_out(a, role, phase, pass, a->entry_of))
        return swp_match_obstacle_add(
            a, -1,
            "the %s has %d accesses for its %s entries, and their addresses "
            "cannot be told",
            swp_phase_name(phase), count_items(a, role, phase, pass), swp_role_name(role));
    for (int i = first; i < end; i++) {
        if (!item_has_role(a, i, role))
            continue;
        if (!a->walk->list.items[i].all_lanes)
            SWP_TRY(swp_match_obstacle_add(a, a->walk->list.items[i].insn,
                                           "may run with some lanes off, which then %s nothing",
                                           role == SWP_GLOBAL_LOAD ? "load" : "read"));
        if (!a->by_order)
            SWP_TRY(attribute_item(a, role, phase, pass, i));
        a->moved += a->entry_of[i] < last;
        last = a->entry_of[i] > last ? a->entry_of[i] : last;
    }
    return SWP_OK;
}

static swp_status attribute_accesses(swp_attribution *a)
{
    for (int phase = 0; phase < 3; phase++)
        for (int pass = 0; pass < swp_match_walk_passes(a->walk, (swp_phase)phase); pass++) {
            SWP_TRY(attribute_role(a, SWP_GLOBAL_LOAD, (swp_phase)phase, pass));
            SWP_TRY(attribute_role(a, SWP_FRAGMENT_LOAD, (swp_phase)phase, pass));
        }
    return SWP_OK;
}

/* --- all bytes --- */

/* Where the reads of a phase and pass read a place, all waves together read all of it. */
static swp_status check_region(swp_attribution *a, const swp_lds_region *region, swp_phase phase,
                               int pass)
{
    swp_lds_region read = {0};
    int last = -1;
    for (int i = a->walk->first[phase][pass]; i < a->walk->end[phase][pass]; i++) {
        const swp_item *item = &a->walk->list.items[i];
        if (!item_has_role(a, i, SWP_FRAGMENT_LOAD) ||
            !swp_match_item_within(item, region->spans, region->span_count))
            continue;
        SWP_TRY(swp_match_region_widen(a->ctx, &read, item));
        last = item->insn;
    }
    const swp_item whole = {
        .known = true, .spans = region->spans, .span_count = region->span_count};
    if (last < 0 || swp_match_item_within(&whole, read.spans, read.span_count))
        return SWP_OK;
    return swp_match_obstacle_add(
        a, last,
        "is the last read of channel %d, slot %d, subtile %d in the %s, and "
        "no wave has read some of the bytes that were loaded",
        region->channel, region->stage, region->subtile, swp_phase_name(phase));
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

static swp_status start(swp_context *ctx, const swp_schedule *schedule, const swp_walk *walk,
                        swp_attribution *out)
{
    *out = (swp_attribution){.ctx = ctx, .schedule = schedule, .walk = walk};
    SWP_TRY(SWP_TAKE(ctx, walk->list.count, &out->entry_of));
    for (size_t i = 0; i < walk->list.count; i++)
        out->entry_of[i] = -1;
    return swp_match_regions_number(ctx, schedule, &out->regions);
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
    SWP_TRY(start(out->ctx, out->schedule, out->walk, &other));
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

swp_status swp_match_attribute(swp_context *ctx, const swp_schedule *schedule, const swp_walk *walk,
                               const swp_attribution *like, swp_attribution *out)
{
    SWP_TRY(start(ctx, schedule, walk, out));
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
