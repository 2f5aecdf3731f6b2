/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which of the writes in sight a read sees: the right one, another, or either (a race). */
#include "verify/bodies/operands.h"

#include "verify/bodies/future_writes.h"
#include "verify/bodies/place_writes.h"
#include "verify/bodies/retire.h"

/* The hazard of a read; it counts as having delivered its tile from then on. */
static swp_status report(swp_findings *findings, swp_read *read, swp_hazard_kind kind,
                         const swp_bodies_event *at, const swp_bodies_event *other, int found)
{
    const swp_finding finding = {.kind = kind,
                                 .at = *at,
                                 .other = other,
                                 .site = SWP_SITE_LDS,
                                 .place = read->place,
                                 .wanted = read->tile,
                                 .found = found};
    read->settled = swp_rule_holds(findings->model, SWP_RULE_READ_TOLD);
    return swp_bodies_findings_add(findings, &finding);
}

swp_status swp_bodies_report_overwritten(swp_findings *findings, swp_state *state, swp_read *read,
                                         const swp_bodies_event *write, int tile)
{
    SWP_TRY(swp_bodies_place_tell(state, read->place, write, tile));
    return report(findings, read, SWP_OVERWRITTEN, write, &read->event, tile);
}

static swp_status report_race(swp_findings *findings, swp_state *state, swp_read *read, int later,
                              int earlier, int found)
{
    const swp_seen_write *write = &read->writes.items[later];
    SWP_TRY(swp_bodies_place_tell(state, read->place, &write->event, write->tile));
    return report(findings, read, SWP_WRITE_RACE, &write->event, &read->writes.items[earlier].event,
                  found);
}

static swp_status report_wrong_tile(swp_findings *findings, const swp_read *read,
                                    int register_index, const swp_bodies_event *compute, int found)
{
    const swp_finding finding = {.kind = SWP_WRONG_TILE,
                                 .at = *compute,
                                 .other = &read->event,
                                 .site = SWP_SITE_REGISTER,
                                 .place = register_index,
                                 .wanted = read->held,
                                 .found = found};
    return swp_bodies_findings_add(findings, &finding);
}

/* The newest write of the tile that the read may have seen; -1 if there is none. */
static int write_of_tile(const swp_read *read, int tile)
{
    int i = (int)read->writes.count - 1;
    while (i >= 0 && read->writes.items[i].tile != tile)
        i--;
    return i;
}

/* The last write of another tile before write `at`; -1 if there is none. */
static int older_tile(const swp_model *model, const swp_read *read, int at)
{
    int i = at - 1;
    while (i >= 0 && !swp_is_other_tile(model, read->writes.items[i].tile, read->tile))
        i--;
    return i;
}

/* The first write of another tile after write `at`; -1 if there is none. */
static int newer_tile(const swp_model *model, const swp_read *read, int at, bool ordered)
{
    for (int i = at + 1; i < (int)read->writes.count; i++)
        if (swp_is_other_tile(model, read->writes.items[i].tile, read->tile) &&
            read->writes.items[i].ordered == ordered)
            return i;
    return -1;
}

/* The first write that may come before the read and replace its tile; NULL if there is none. */
static const swp_seen_write *find_overwriting(const swp_model *model, const swp_read *read, int at)
{
    const int newer = newer_tile(model, read, at, false);
    if (newer >= 0)
        return &read->writes.items[newer];
    for (int i = 0; i < read->threat_count; i++)
        if (swp_is_other_tile(model, read->threats[i].tile, read->tile))
            return &read->threats[i];
    return NULL;
}

/* Write `at` has the tile. May the read have seen another one, that has not? */
static swp_status judge_found(swp_findings *findings, swp_state *state, swp_read *read, int at)
{
    const swp_seen_write *write = &read->writes.items[at];
    const bool told = swp_bodies_place_told(state, read->place, &write->event);
    const int older = older_tile(state->model, read, at);
    if (older >= 0 && !write->ordered && !told) {
        SWP_TRY(swp_bodies_place_tell(state, read->place, &write->event, write->tile));
        return report(findings, read, SWP_STALE_READ, &read->event, &write->event,
                      read->writes.items[older].tile);
    }
    const swp_seen_write *overwriting = find_overwriting(state->model, read, at);
    if (overwriting)
        return swp_bodies_report_overwritten(findings, state, read, &overwriting->event,
                                             overwriting->tile);
    if (older >= 0 && write->ordered && !told)
        return report_race(findings, state, read, at, older, read->writes.items[older].tile);
    const int newer = newer_tile(state->model, read, at, true);
    if (newer >= 0)
        return report_race(findings, state, read, newer, newer - 1, read->writes.items[newer].tile);
    return SWP_OK;
}

/* The tile is only written after the read. The place counts as holding it once that was told. */
static swp_status judge_too_early(swp_findings *findings, swp_state *state, swp_read *read,
                                  const swp_bodies_event *write)
{
    const int found = read->writes.items[read->writes.count - 1].tile;
    read->settled = true;
    if (swp_bodies_place_told(state, read->place, write))
        return SWP_OK;
    SWP_TRY(swp_bodies_place_tell(state, read->place, write, read->tile));
    return report(findings, read, SWP_STALE_READ, &read->event, NULL, found);
}

/* Of the reads of a place that are right one that is issued later is done later, as all are LDS operations. */
static void remember(swp_state *state, int slot)
{
    const swp_read *read = &state->reads[slot];
    int *observed = &state->places[read->place].observed_read;
    const swp_read *last = *observed < 0 ? NULL : &state->reads[*observed];
    if (!read->settled &&
        (!last || last->settled || swp_bodies_event_after(&read->event, &last->event)))
        *observed = slot;
}

static bool comes_later(const swp_model *model, int passes, const swp_read *read, int tile,
                        swp_bodies_event *later)
{
    return swp_rule_holds(model, SWP_RULE_TOO_EARLY) &&
           swp_bodies_future_write(model, passes, read, tile, later);
}

/* Whether it hangs on a write that was forgotten what the read finds. */
static bool is_unknown(const swp_model *model, const swp_read *read, int at)
{
    return read->forgot && (at < 0 || older_tile(model, read, at) < 0);
}

/* The read must have seen the tile, which write `at` has, or one that comes only later. */
static swp_status decide(swp_findings *findings, swp_state *state, int slot, int tile, int at,
                         const swp_bodies_event *later)
{
    swp_read *read = &state->reads[slot];
    read->decided = true;
    read->tile = tile;
    if (is_unknown(state->model, read, at))
        read->settled = true;
    else
        SWP_TRY(at >= 0 ? judge_found(findings, state, read, at)
                        : judge_too_early(findings, state, read, later));
    read->writes.count = 0; /* it is decided once */
    read->threat_count = 0;
    remember(state, slot);
    return SWP_OK;
}

swp_status swp_bodies_judge_operand(swp_findings *findings, swp_state *state, int slot,
                                    int register_index, const swp_bodies_event *compute, int tile,
                                    int passes)
{
    swp_read *read = &state->reads[slot];
    const int held = read->held;
    if (tile == held || (read->decided && tile == read->tile)) {
        read->held = tile;
        return SWP_OK;
    }
    read->held = tile;
    if (read->decided)
        return swp_rule_holds(state->model, SWP_RULE_ONE_TILE)
                   ? report_wrong_tile(findings, read, register_index, compute, held)
                   : SWP_OK;
    swp_bodies_event later;
    const int at = write_of_tile(read, tile);
    if (at < 0 && !read->forgot && !comes_later(state->model, passes, read, tile, &later))
        return report_wrong_tile(findings, read, register_index, compute,
                                 read->writes.items[read->writes.count - 1].tile);
    return decide(findings, state, slot, tile, at, &later);
}
