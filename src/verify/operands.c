/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/operands.h"

static bool same_event(const swp_event *a, const swp_event *b)
{
    return a->ref.phase == b->ref.phase && a->ref.entry == b->ref.entry && a->pass == b->pass;
}

/* After a hazard the place counts as holding the right tile, for later reads too. */
static void forgive(swp_state *state, int place, const swp_event *event)
{
    swp_place_state *p = &state->places[place];
    for (int i = 0; i < p->write_count; i++)
        if (same_event(&p->writes[i].event, event))
            p->writes[i].forgiven = true;
}

static bool is_forgiven(const swp_state *state, int place, const swp_event *event)
{
    const swp_place_state *p = &state->places[place];
    for (int i = 0; i < p->write_count; i++)
        if (same_event(&p->writes[i].event, event))
            return p->writes[i].forgiven;
    return false;
}

swp_status swp_report_overwritten(swp_findings *findings, swp_state *state, swp_read *read,
                                  const swp_event *write, int tile)
{
    if (read->settled)
        return SWP_OK;
    read->settled = true;
    forgive(state, read->place, write);
    const swp_finding finding = {.kind = SWP_OVERWRITTEN,
                                 .at = *write,
                                 .other = &read->event,
                                 .site = SWP_SITE_LDS,
                                 .place = read->place,
                                 .wanted = read->tile,
                                 .found = tile};
    return swp_findings_add(findings, &finding);
}

/* The newest write of the tile that the read found there; -1 if it found none. */
static int write_of_tile(const swp_read *read, int tile)
{
    for (int i = read->write_count - 1; i >= 0; i--)
        if (read->writes[i].tile == tile)
            return i;
    return -1;
}

static swp_status report_read(swp_findings *findings, swp_hazard_kind kind, swp_read *read,
                              const swp_event *other, int wanted, int found)
{
    const swp_finding finding = {.kind = kind,
                                 .at = read->event,
                                 .other = other,
                                 .site = SWP_SITE_LDS,
                                 .place = read->place,
                                 .wanted = wanted,
                                 .found = found};
    read->settled = true;
    read->stale = true;
    return swp_findings_add(findings, &finding);
}

static swp_status report_race(swp_findings *findings, swp_read *read, int later, int earlier)
{
    const swp_finding finding = {.kind = SWP_WRITE_RACE,
                                 .at = read->writes[later].event,
                                 .other = &read->writes[earlier].event,
                                 .site = SWP_SITE_LDS,
                                 .place = read->place,
                                 .wanted = read->tile,
                                 .found = read->writes[earlier].tile == read->tile
                                              ? read->writes[later].tile
                                              : read->writes[earlier].tile};
    read->settled = true;
    return swp_findings_add(findings, &finding);
}

static swp_status report_wrong_tile(swp_findings *findings, swp_read *read, int register_index,
                                    const swp_event *compute, int found)
{
    const swp_finding finding = {.kind = SWP_WRONG_TILE,
                                 .at = *compute,
                                 .other = &read->event,
                                 .site = SWP_SITE_REGISTER,
                                 .place = register_index,
                                 .wanted = read->held,
                                 .found = found};
    read->settled = true;
    return swp_findings_add(findings, &finding);
}

/* The write is there; may the read have come too early, or too late? */
static swp_status judge_found(swp_findings *findings, swp_state *state, swp_read *read, int at,
                              int register_index, const swp_event *compute)
{
    const swp_seen_write *write = &read->writes[at];
    const bool ordered = write->ordered || is_forgiven(state, read->place, &write->event);
    for (int i = at - 1; i >= 0; i--) {
        if (read->writes[i].tile == read->tile) {
            /* The tile was there already: nothing older can be seen. */
            if (read->writes[i].ordered && !read->writes[i].overlaps)
                break;
            continue;
        }
        if (!ordered) {
            forgive(state, read->place, &write->event);
            return report_read(findings, SWP_STALE_READ, read, &write->event, read->tile,
                               read->writes[i].tile);
        }
        if (i == at - 1 && write->overlaps)
            return report_race(findings, read, at, i);
    }
    for (int i = at + 1; i < read->write_count; i++) {
        if (read->writes[i].tile == read->tile)
            continue;
        if (!read->writes[i].ordered)
            return swp_report_overwritten(findings, state, read, &read->writes[i].event,
                                          read->writes[i].tile);
        if (read->writes[i].overlaps)
            return report_race(findings, read, i, i - 1);
        return report_wrong_tile(findings, read, register_index, compute, read->writes[i].tile);
    }
    return SWP_OK;
}

static swp_status judge_threats(swp_findings *findings, swp_state *state, swp_read *read)
{
    for (int i = 0; i < read->threat_count; i++)
        if (read->threats[i].tile != read->tile)
            SWP_TRY(swp_report_overwritten(findings, state, read, &read->threats[i].event,
                                           read->threats[i].tile));
    read->threat_count = 0;
    return SWP_OK;
}

/* Which write the read may have seen, if not the one of its tile. Sets `settled` where it reports. */
static swp_status judge_read(swp_findings *findings, swp_state *state, swp_read *read,
                             int register_index, const swp_event *compute, bool loaded_later)
{
    swp_place_state *place = &state->places[read->place];
    const int at = write_of_tile(read, read->tile);
    const int seen = read->writes[read->write_count - 1].tile;
    if (at >= 0)
        return judge_found(findings, state, read, at, register_index, compute);
    if (place->forgiven == read->tile) {
        read->settled = true;
        return SWP_OK;
    }
    if (loaded_later) {
        place->forgiven = read->tile;
        return report_read(findings, SWP_STALE_READ, read, NULL, read->tile, seen);
    }
    return report_wrong_tile(findings, read, register_index, compute, seen);
}

/*
 * A register that an earlier COMPUTE used as another tile. Where that one was right, or was told of a
 * stale read, this one is wrong; else the fragment may well hold this tile.
 */
static swp_status judge_again(swp_findings *findings, swp_state *state, swp_read *read,
                              int register_index, const swp_event *compute, bool loaded_later,
                              int held)
{
    const int first = read->tile;
    if (read->stale || !read->settled)
        return report_wrong_tile(findings, read, register_index, compute, held);
    read->tile = read->held;
    read->settled = false;
    SWP_TRY(judge_read(findings, state, read, register_index, compute, loaded_later));
    if (!read->settled)
        return judge_threats(findings, state, read);
    read->tile = first;
    return SWP_OK;
}

swp_status swp_judge_operand(swp_findings *findings, swp_state *state, int slot, int register_index,
                             const swp_event *compute, int tile, bool loaded_later)
{
    swp_read *read = &state->reads[slot];
    const int held = read->held;
    if (read->observed && (tile == held || tile == read->tile))
        return SWP_OK;
    read->held = tile;
    if (read->observed)
        return judge_again(findings, state, read, register_index, compute, loaded_later, held);
    read->observed = true;
    read->tile = tile;
    state->places[read->place].observed_read = slot;
    SWP_TRY(judge_read(findings, state, read, register_index, compute, loaded_later));
    return judge_threats(findings, state, read);
}
