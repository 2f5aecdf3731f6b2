/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of synchronisation. What can never happen is not asked: an issue that is stuck. */
#include "roles_rules.h"

void role_tell(const role_run *run, judgement *out, swp_hazard_kind kind, const role_act *act)
{
    role_tell_at(run, out, kind,
                 (role_place){role_lane_of(run, act)->stream, act->phase, act->entry});
}

void role_tell_at(const role_run *run, judgement *out, swp_hazard_kind kind, role_place at)
{
    judged_hazard hazard = {.kind = kind,
                            .stream = at.stream,
                            .phase = at.phase,
                            .entry = at.entry,
                            .smallest_n = run->sequence.n};
    if (run->schedule->output_tiles)
        hazard.smallest = run->sequence;
    judgement_add(out, hazard);
}

static bool before(const role_run *run, int early, int late)
{
    return role_before(&run->order, early, late);
}

/* Phases below 0 are complete at the start. */
static bool is_after_phase(const role_run *run, int moment, int slot, int phase)
{
    const role_slot *s = &run->slots[slot];
    return phase < 0 || (phase < s->phase_count && before(run, s->phases[phase].complete, moment));
}

/* --- arrivals --- */

/* (a) The lists alone say how many arrive, whether they come to it or not. */
void role_rule_counts(const role_run *run, judgement *out)
{
    for (int s = 0; s < run->slot_count; s++)
        for (int k = 0; k < run->slots[s].phase_count; k++) {
            const role_phase *phase = &run->slots[s].phases[k];
            if (phase->first >= 0 && (phase->arrivals != run->slots[s].object->arrivals ||
                                      phase->expected != phase->brought))
                role_tell(run, out, SWP_ARRIVALS, &run->acts[phase->first]);
        }
}

/* (b) */
static bool comes_too_early(const role_run *run, const role_act *act)
{
    for (int rank = 0; rank < role_ranks(run); rank++)
        for (int t = 0; role_goes_to(run, act, rank) && t < ROLE_THREADS; t++)
            if (role_happens(&run->order, act->issue[t]) &&
                (act->number < 0 || !is_after_phase(run, act->issue[t],
                                                    role_slot_in(run, act, rank), act->number - 1)))
                return true;
    return false;
}

void role_rule_early_arrivals(const role_run *run, judgement *out)
{
    for (size_t i = 0; i < run->act_count; i++) {
        const role_act *act = &run->acts[i];
        if ((role_is_arrival(act) || role_is_copy(act)) && comes_too_early(run, act))
            role_tell(run, out, SWP_ARRIVALS, act);
    }
}

/* --- named_barrier --- */

/* (b) */
static bool is_armed_too_early(const role_run *run, const role_act *act)
{
    for (int t = 0; t < ROLE_THREADS; t++)
        if (role_happens(&run->order, act->issue[t]) && act->number > 0 &&
            !before(run, run->slots[act->slot].openings[act->number - 1], act->issue[t]))
            return true;
    return false;
}

/* (c) Of the operations of a lane on the cluster's barrier. */
static void tell_turns(const role_run *run, const role_lane *lane, judgement *out)
{
    const role_act *arrived = NULL; /* the last one, if that was an arrival */
    for (const role_act *act = run->acts + lane->first; act < run->acts + lane->first + lane->count;
         act++) {
        const bool arrives = role_is_tag(act, SWP_TAG_CLUSTER_ARRIVE);
        if (!arrives && !role_is_tag(act, SWP_TAG_CLUSTER_WAIT))
            continue;
        if (arrives == (arrived != NULL))
            role_tell(run, out, SWP_NAMED_BARRIER, act);
        arrived = arrives ? act : NULL;
    }
    if (arrived)
        role_tell(run, out, SWP_NAMED_BARRIER, arrived);
}

void role_rule_named_barrier(const role_run *run, judgement *out)
{
    for (int l = 0; l < run->lane_count; l++)
        tell_turns(run, &run->lanes[l], out);
    for (size_t i = 0; i < run->act_count; i++) {
        const role_act *act = &run->acts[i];
        if (!role_is_tag(act, SWP_TAG_NAMED_SYNC) && !role_is_tag(act, SWP_TAG_NAMED_ARRIVE))
            continue;
        const role_slot *slot = &run->slots[act->slot];
        if (slot->threads != slot->object->threads || is_armed_too_early(run, act))
            role_tell(run, out, SWP_NAMED_BARRIER, act);
    }
}

/* --- phase_alias --- */

static bool is_alias(const role_run *run, const role_act *act, int thread)
{
    const role_slot *slot = &run->slots[act->slot];
    const int next = act->number + 1;
    if (next < 0 || !is_after_phase(run, act->issue[thread], act->slot, act->number - 1))
        return true;
    return next < slot->phase_count && role_happens(&run->order, slot->phases[next].complete) &&
           !before(run, act->back[thread], slot->phases[next].complete);
}

void role_rule_phase_alias(const role_run *run, judgement *out)
{
    for (size_t i = 0; i < run->act_count; i++) {
        const role_act *act = &run->acts[i];
        for (int t = 0; role_is_tag(act, SWP_TAG_WAIT_PHASE) && t < ROLE_THREADS; t++)
            if (role_happens(&run->order, act->issue[t]) && is_alias(run, act, t))
                role_tell(run, out, SWP_PHASE_ALIAS, act);
    }
}

/* --- unobserved_phase --- */

/* Whether the moment comes after the return of a wait for the phase. */
static bool is_after_wait(const role_run *run, int moment, int slot, int phase)
{
    for (size_t i = 0; i < run->act_count; i++) {
        const role_act *act = &run->acts[i];
        if (!role_is_tag(act, SWP_TAG_WAIT_PHASE) || act->slot != slot || act->number != phase)
            continue;
        for (int t = 0; t < ROLE_THREADS; t++)
            if (before(run, act->back[t], moment))
                return true;
    }
    return false;
}

static bool is_unobserved(const role_run *run, const role_act *act, int slot)
{
    for (int t = 0; t < ROLE_THREADS; t++)
        if (role_happens(&run->order, act->issue[t]) &&
            !is_after_wait(run, act->issue[t], slot, act->number - 1))
            return true;
    return false;
}

void role_rule_unobserved_phase(const role_run *run, judgement *out)
{
    for (size_t i = 0; i < run->act_count; i++) {
        const role_act *act = &run->acts[i];
        for (int rank = 0; rank < role_ranks(run); rank++)
            if (role_is_arrival(act) && act->number > 0 && role_goes_to(run, act, rank) &&
                is_unobserved(run, act, role_slot_in(run, act, rank)))
                role_tell(run, out, SWP_UNOBSERVED_PHASE, act);
    }
}

/* --- deadlock --- */

void role_rule_deadlock(const role_run *run, judgement *out)
{
    for (size_t i = 0; i < run->act_count; i++) {
        const role_act *act = &run->acts[i];
        for (int t = 0; t < ROLE_THREADS; t++)
            if (role_happens(&run->order, act->issue[t]) && act->back[t] != ROLE_NO_MOMENT &&
                !role_happens(&run->order, act->back[t]))
                role_tell(run, out, SWP_DEADLOCK, act);
    }
}

/* --- lost_peer --- */

/* Of a thread of the rank. */
static bool is_before_an_end(const role_run *run, int rank, int moment)
{
    for (int l = 0; l < run->lane_count; l++)
        for (int t = 0; run->lanes[l].rank == rank && t < ROLE_THREADS; t++)
            if (before(run, moment, run->lanes[l].end[t]))
                return true;
    return false;
}

/* (b) On its way until its phase is complete there, or a meeting of the cluster has opened that its thread comes to. */
static bool is_on_its_way_at_the_end(const role_run *run, const role_act *arrival, int rank)
{
    const role_lane *lane = role_lane_of(run, arrival);
    const role_slot *slot = &run->slots[role_slot_in(run, arrival, rank)];
    if (arrival->number >= 0 && /* those below 0 are complete without it */
        is_before_an_end(run, rank, slot->phases[arrival->number].complete))
        return false;
    for (const role_act *act = arrival + 1; act < run->acts + lane->first + lane->count; act++)
        if (role_is_tag(act, SWP_TAG_CLUSTER_ARRIVE) &&
            is_before_an_end(run, rank, run->slots[act->slot].openings[act->number]))
            return false;
    return true;
}

/* A work group ends with the last of its threads. */
static bool ends(const role_run *run, int rank)
{
    for (int l = 0; l < run->lane_count; l++)
        for (int t = 0; run->lanes[l].rank == rank && t < ROLE_THREADS; t++)
            if (!role_happens(&run->order, run->lanes[l].end[t]))
                return false;
    return true;
}

static bool is_lost_in(const role_run *run, const role_act *act, int rank)
{
    if (act->retired[rank] != ROLE_NO_MOMENT)
        return !is_before_an_end(run, rank, act->retired[rank]);
    return role_is_arrival(act) && rank != role_rank_of(run, act) && role_goes_to(run, act, rank) &&
           is_on_its_way_at_the_end(run, act, rank);
}

void role_rule_lost_peer(const role_run *run, judgement *out)
{
    for (size_t i = 0; i < run->act_count; i++)
        for (int rank = 0; rank < role_ranks(run); rank++)
            if (ends(run, rank) && is_lost_in(run, &run->acts[i], rank))
                role_tell(run, out, SWP_LOST_PEER, &run->acts[i]);
}
