/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LDS accesses that may come before an earlier one of the same bytes is done: within a wave where that is
 * not retired, between two waves where not as many barriers follow its retirement as order them.
 */
#include "audit/flow/conflict_search.h"
#include "audit/flow/variation.h"

#include "base/budget.h"

enum { STEPS_OF_A_PAIR = 32 };

static const swp_insn *insn_at(const swp_conflict_search *s, int index)
{
    return &s->fixpoint->flow->code->insns.items[index];
}

/* Whether this event can add nothing to what is known of the instruction and kind. */
static bool is_settled(const swp_conflict_search *s, int event, int own, int insn,
                       swp_hazard_kind kind)
{
    const swp_footprint *footprints = s->fixpoint->footprints;
    const swp_conflict *known = swp_flow_conflict_known(s, insn, kind);
    if (!known)
        return false;
    const bool certain = known->copies >> s->copy & 1U;
    return certain || !footprints[event].known || !footprints[own].known;
}

static bool is_ds(swp_insn_kind kind)
{
    return kind == SWP_INSN_LDS_READ || kind == SWP_INSN_LDS_WRITE || kind == SWP_INSN_LDS_ATOMIC;
}

/* An earlier access as the wave that issued it has it. */
static const swp_access_state *access_of(const swp_conflict_search *s, int event, int wave)
{
    const swp_access_state *own = swp_flow_wave_paths_access(&s->paths, wave, event);
    return own ? own : &s->point.accesses[event];
}

/* Whether wave `first`'s earlier access is done before wave `second` issues the later one. */
static bool ordered(const swp_conflict_search *s, int event, const swp_insn *later, int first,
                    int second, int *barriers_wanted)
{
    const swp_access_state *access = access_of(s, event, first);
    const swp_insn *earlier = swp_flow_event_insn(&s->fixpoint->events, event);
    const swp_lag *at = &s->lags->items[s->block];
    const int *lag = at->barriers;
    *barriers_wanted = first == second ? 0 : 1 + lag[first] - lag[second];
    if (!access->present)
        return true;
    if (first == second)
        return !swp_flow_is_in_flight(access) || (is_ds(earlier->kind) && is_ds(later->kind));
    return !swp_flow_is_in_flight(access) && at->unknown < 0 &&
           access->barriers >= *barriers_wanted;
}

/*
 * Whether there are too few barriers on every path: of waves that are apart in them, the one ahead may have
 * executed more between the two accesses than the path with the fewest has.
 */
static bool surely_unordered(const swp_access_state *access, int barriers_wanted)
{
    return barriers_wanted <= 1 || swp_flow_is_in_flight(access) ||
           access->most_barriers < barriers_wanted;
}

/*
 * The waves that the conflict is about: the first pair that surely is in it, or that may be. Returns
 * false if there is none.
 */
static bool find_waves(const swp_conflict_search *s, int event, int own, const swp_insn *later,
                       swp_conflict *conflict)
{
    const swp_footprint *a = &s->fixpoint->footprints[event];
    const swp_footprint *b = &s->fixpoint->footprints[own];
    const int waves = s->fixpoint->values.threads / SWP_WAVE;
    const int unknown = s->lags->items[s->block].unknown;
    const int insn = s->fixpoint->events.items[event].insn;
    const swp_wave_set *reaching = s->fixpoint->branches.reaching;
    const swp_wave_set other = reaching[swp_flow_block_of(s->fixpoint->flow, insn)];
    const bool together =
        !s->optional[s->block] && !s->optional[swp_flow_block_of(s->fixpoint->flow, insn)];
    const bool can_be_sure = a->known && b->known;
    bool found = false;
    for (int first = 0; first < waves; first++)
        for (int second = 0; second < waves; second++) {
            int wanted = 0;
            if (!(other >> first & reaching[s->block] >> second & 1U) ||
                ordered(s, event, later, first, second, &wanted))
                continue;
            const swp_overlap overlap = swp_flow_footprint_overlap(a, first, b, second);
            const bool sure = overlap == SWP_OVERLAP &&
                              (first == second || (together && unknown < 0)) &&
                              surely_unordered(access_of(s, event, first), wanted) &&
                              conflict->order == SWP_ORDER_MATTERS;
            if (overlap == SWP_DISJOINT || (found && !sure))
                continue;
            conflict->waves[0] = first;
            conflict->waves[1] = second;
            conflict->barriers_wanted = wanted;
            conflict->access = *access_of(s, event, first);
            conflict->counter = swp_flow_waiting_counter(&conflict->access);
            conflict->certain = sure;
            conflict->lag_unknown = first != second ? unknown : -1;
            found = true;
            if (sure || !can_be_sure)
                return true;
        }
    return found;
}

static swp_status check_pair(swp_conflict_search *s, int event, int own, int index)
{
    if (!s->point.accesses[event].present ||
        !swp_code_accesses_lds(swp_flow_event_insn(&s->fixpoint->events, event)))
        return SWP_OK;
    swp_conflict conflict = swp_flow_conflict_with(s, SWP_STALE_READ, index, event);
    conflict.order = swp_flow_lds_order_of(s->fixpoint, event, own, &conflict.kind);
    if (conflict.order == SWP_ORDER_FREE || is_settled(s, event, own, index, conflict.kind) ||
        !find_waves(s, event, own, insn_at(s, index), &conflict))
        return SWP_OK;
    return swp_flow_conflict_add(s, &conflict);
}

/* Whether nothing that is compared with an access of unknown bytes can add to what is known of it. */
static bool is_all_settled(const swp_conflict_search *s, int own, int index)
{
    const swp_insn_traits *traits = swp_code_insn_traits_of(insn_at(s, index)->kind);
    if (s->fixpoint->footprints[own].known)
        return false;
    return traits->writes_lds ? swp_flow_conflict_known(s, index, SWP_OVERWRITTEN) &&
                                    swp_flow_conflict_known(s, index, SWP_WRITE_RACE)
                              : swp_flow_conflict_known(s, index, SWP_STALE_READ) != NULL;
}

/* Whether the most barriers that are told apart are enough, however far waves lag. */
static bool are_most_barriers_enough(const swp_conflict_search *s)
{
    const swp_lag *lag = &s->lags->items[s->block];
    const int waves = s->fixpoint->values.threads / SWP_WAVE;
    int most = 0;
    for (int w = 0; w < waves; w++)
        most = lag->barriers[w] > most ? lag->barriers[w] : most;
    return lag->unknown < 0 && 1 + most <= SWP_MOST_BARRIERS;
}

/* Whether two waves write the same, as far as memory that they loaded from did not change. */
static bool waves_write_alike(swp_conflict_search *s, int index, int first, int second)
{
    unsigned doubts = 0;
    if (!swp_flow_waves_write_alike(&s->point.registers, insn_at(s, index), first, second, &doubts))
        return false;
    s->fixpoint->write_doubts[index - s->fixpoint->flow->function->first] |= doubts;
    return true;
}

/* Two waves at the same instruction: nothing orders them, whatever the one does first. */
static swp_status check_at_once(swp_conflict_search *s, int index, int own)
{
    const int waves = s->fixpoint->values.threads / SWP_WAVE;
    const swp_wave_set reaching = s->fixpoint->branches.reaching[s->block];
    const swp_footprint *footprint = &s->fixpoint->footprints[own];
    swp_conflict conflict = {.at = index,
                             .other = index,
                             .event = own,
                             .own = own,
                             .counter = -1,
                             .divergent_branch = -1,
                             .lag_unknown = -1,
                             .at_once = true,
                             .access.wait = -1};
    conflict.order = swp_flow_lds_order_of(s->fixpoint, own, own, &conflict.kind);
    if (conflict.order == SWP_ORDER_FREE ||
        swp_flow_writes_one_value(s->fixpoint, &s->point, index))
        return SWP_OK;
    for (int first = 0; first < waves; first++)
        for (int second = first + 1; second < waves; second++) {
            const swp_overlap overlap =
                swp_flow_footprint_overlap(footprint, first, footprint, second);
            if (!(reaching >> first & reaching >> second & 1U) || overlap == SWP_DISJOINT ||
                waves_write_alike(s, index, first, second))
                continue;
            conflict.waves[0] = first;
            conflict.waves[1] = second;
            return swp_flow_conflict_add(s, &conflict);
        }
    return SWP_OK;
}

swp_status swp_flow_check_lds(swp_conflict_search *s, int index)
{
    const swp_event_list *in_flight = &s->point.in_flight;
    const swp_event_list *retired = &s->point.retired;
    const int own = swp_flow_fixpoint_event(s->fixpoint, index, s->copy);
    if (!swp_code_accesses_lds(insn_at(s, index)))
        return SWP_OK;
    if (!are_most_barriers_enough(s)) {
        for (int e = 0; e < s->fixpoint->events.count && !is_all_settled(s, own, index); e++)
            SWP_TRY(check_pair(s, e, own, index));
        SWP_TRY(
            swp_keep_on(s->fixpoint->ctx, STEPS_OF_A_PAIR * (uint64_t)s->fixpoint->events.count));
        return check_at_once(s, index, own);
    }
    for (int f = 0, r = 0;
         (f < in_flight->count || r < retired->count) && !is_all_settled(s, own, index);) {
        const bool from_in_flight =
            r == retired->count ||
            (f < in_flight->count && in_flight->items[f] < retired->items[r]);
        SWP_TRY(check_pair(s, from_in_flight ? in_flight->items[f++] : retired->items[r++], own,
                           index));
    }
    SWP_TRY(swp_keep_on(s->fixpoint->ctx,
                        STEPS_OF_A_PAIR * (uint64_t)(in_flight->count + retired->count)));
    return check_at_once(s, index, own);
}
