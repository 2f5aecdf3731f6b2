/* SPDX-License-Identifier: Apache-2.0 */
/* Follows an access through issue, effect and what sees it. */
#include "verify/bodies/access.h"

#include "verify/bodies/operands.h"
#include "verify/bodies/place_writes.h"
#include "verify/bodies/retire.h"

swp_status swp_bodies_follow_report(swp_followed_run *run, swp_hazard_kind kind,
                                    const swp_bodies_event *at, const swp_bodies_event *other,
                                    swp_site site, int place)
{
    const swp_finding finding = {.kind = kind,
                                 .at = *at,
                                 .other = other,
                                 .site = site,
                                 .place = place,
                                 .wanted = SWP_NO_TILE,
                                 .found = SWP_NO_TILE};
    return swp_bodies_findings_add(run->findings, &finding);
}

swp_status swp_bodies_follow_issue(swp_followed_run *run, const swp_bodies_event *event,
                                   const swp_effect *effect)
{
    const swp_machine *machine = run->state->model->machine;
    const int largest = swp_ir_sync_largest(machine, effect->object);
    swp_bodies_state_issue(run->state, effect->object, effect->accesses);
    if (machine->counter_full == SWP_COUNTER_STALLS || largest == 0 ||
        run->state->in_flight[effect->object] <= largest)
        return SWP_OK;
    run->state->in_flight[effect->object] = largest;
    return swp_bodies_follow_report(run, SWP_COUNTER, event, NULL, SWP_SITE_NONE, 0);
}

/* Of two tiles one is not the read's, and a third changes nothing. */
static void keep_in_mind(swp_read *read, const swp_bodies_event *event, int tile)
{
    if (read->threat_count == 0 || (read->threat_count == 1 && read->threats[0].tile != tile))
        read->threats[read->threat_count++] = (swp_seen_write){.event = *event, .tile = tile};
}

/* Reads of the place that this write may overtake: told if observed, else kept in mind. */
static swp_status threaten_reads(swp_followed_run *run, const swp_bodies_event *event, int place,
                                 int tile, swp_sync_object object)
{
    swp_state *state = run->state;
    for (int r = 0; r < state->read_count; r++) {
        swp_read *read = &state->reads[r];
        const bool in_order = swp_ir_sync_in_order(read->flight.object, object);
        if (!read->used || read->place != place || read->settled ||
            swp_bodies_flight_before_now(state, &read->flight, in_order))
            continue;
        if (!read->decided && swp_rule_holds(state->model, SWP_RULE_WRITE_BEFORE_USE))
            keep_in_mind(read, event, tile);
        if (read->decided && swp_rule_holds(state->model, SWP_RULE_WRITE_AFTER_USE) &&
            swp_is_other_tile(state->model, tile, read->tile))
            SWP_TRY(swp_bodies_report_overwritten(run->findings, state, read, event, tile));
    }
    return SWP_OK;
}

swp_status swp_bodies_follow_write(swp_followed_run *run, const swp_bodies_event *event, int place,
                                   int tile, swp_sync_object object)
{
    SWP_TRY(threaten_reads(run, event, place, tile, object));
    return swp_bodies_place_push(run->state, place, event, tile, object);
}

static bool is_ordered(const swp_state *state, const swp_write *write, const swp_read *read)
{
    const bool in_order = swp_ir_sync_in_order(write->flight.object, read->flight.object);
    return swp_bodies_flight_before_now(state, &write->flight, in_order);
}

/* Only what follows the newest write that is surely there, and what that overlaps, can be seen. */
static size_t first_seen(const swp_state *state, const swp_writes *writes, const swp_read *read)
{
    for (size_t i = writes->count; i-- > 0 && swp_rule_holds(state->model, SWP_RULE_SIGHT);)
        if (is_ordered(state, &writes->items[i], read))
            return i - (size_t)writes->items[i].overlapped;
    return 0;
}

swp_status swp_bodies_follow_see(const swp_state *state, swp_read *read)
{
    const swp_writes *writes = &state->places[read->place].writes;
    const size_t first = first_seen(state, writes, read);
    read->forgot = first == 0 && state->places[read->place].forgot;
    for (size_t i = first; i < writes->count; i++) {
        const swp_write *write = &writes->items[i];
        const swp_seen_write seen = {write->event, write->tile, is_ordered(state, write, read),
                                     write->overlapped};
        SWP_TRY(SWP_PUSH(state->ctx, &read->writes, seen));
    }
    return SWP_OK;
}
