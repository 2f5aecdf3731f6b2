/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about phases and meetings, and what is left in flight at the end. */
#include "run/watch.h"

#include "base/context.h"
#include "ir/entry.h"

/* Behind such a break phases and meetings are not those that the lists mean. */
static bool leads_astray(const swp_run_machine *m, swp_symptom rule)
{
    return !m->as_meant && (rule == SWP_BREAKS_ARRIVALS || rule == SWP_BREAKS_NAMED_BARRIER ||
                            rule == SWP_BREAKS_PHASE_ALIAS);
}

/* Entries that are told of each rule: what breaks another one before them must not hide them. */
enum { MOST_OF_A_RULE = 64 };

static bool is_enough(const swp_broken_rule_list *list, swp_symptom rule)
{
    int count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->items[i].rule == rule;
    return count >= MOST_OF_A_RULE;
}

static bool is_known(const swp_broken_rule_list *list, const swp_broken_rule *broken)
{
    for (size_t i = 0; i < list->count; i++) {
        const swp_broken_rule *known = &list->items[i];
        if (known->rule == broken->rule && known->at.stream == broken->at.stream &&
            known->at.phase == broken->at.phase && known->at.entry == broken->at.entry)
            return true;
    }
    return false;
}

/* The object, slot and phase, or meeting, of the step. */
static void name_object(const swp_run_machine *m, int thread, const swp_run_step *step,
                        swp_broken_rule *broken)
{
    const int object = step->source->object;
    if (object < 0)
        return;
    const swp_role_object *o = &m->schedule->objects[object];
    const int instance = m->threads[thread].instance;
    const int place = swp_run_place_of_meeting(m, instance, step);
    const int first = swp_run_rank_of(m, instance) * m->rank_meetings + m->first_slot[object];
    const swp_run_turn turn = swp_run_turn_of(step->turn, o->slots);
    broken->object = o->name;
    broken->slot = place < 0 ? turn.slot : place - first;
    broken->phase = place < 0 ? turn.phase : m->threads[thread].parts[place];
}

swp_status swp_run_break(swp_run_machine *m, swp_symptom rule, int thread, int step, int other,
                         int other_step)
{
    swp_broken_rule_list *list = &m->outcome->broken;
    swp_broken_rule broken = {.rule = rule, .at = swp_run_instance(m, thread, step)};
    if (m->is_astray)
        return SWP_OK;
    m->is_astray = leads_astray(m, rule);
    name_object(m, thread, &m->threads[thread].steps->items[step], &broken);
    broken.has_other = other != SWP_RUN_NOBODY;
    if (broken.has_other)
        broken.other = swp_run_instance(m, other, other_step);
    /* The one that leads astray is told, however many are known. */
    if (is_known(list, &broken) || (!m->is_astray && is_enough(list, rule)))
        return SWP_OK;
    return SWP_PUSH(m->ctx, list, broken);
}

static swp_status break_here(swp_run_machine *m, swp_symptom rule, int thread)
{
    return swp_run_break(m, rule, thread, m->threads[thread].next, SWP_RUN_NOBODY, 0);
}

/*
 * An arrival, or the issue of a copy. Here a phase is complete as soon as all is in; where nobody has waited for it
 * yet, that could as well come later.
 */
static swp_status watch_arrival(swp_run_machine *m, int thread, const swp_run_step *step)
{
    const int slots = m->schedule->objects[step->source->object].slots;
    const int phase = swp_run_turn_of(step->turn, slots).phase;
    for (int rank = 0; rank < m->ranks; rank++) {
        if (!swp_run_goes_to(m, m->threads[thread].instance, step, rank))
            continue;
        if (phase < 0 || phase > swp_run_mbarrier_of(m, rank, step)->observed)
            SWP_TRY(break_here(m, SWP_BREAKS_ARRIVALS, thread));
        if (swp_run_has_rank_ended(m, rank))
            SWP_TRY(break_here(m, SWP_BREAKS_LOST_PEER, thread));
    }
    return SWP_OK;
}

static swp_status watch_wait(swp_run_machine *m, int thread, const swp_run_step *step)
{
    const int rank = swp_run_rank_of(m, m->threads[thread].instance);
    const swp_run_mbarrier *mbarrier = swp_run_mbarrier_of(m, rank, step);
    const int slots = m->schedule->objects[step->source->object].slots;
    const int phase = swp_run_turn_of(step->turn, slots).phase;
    if (phase + 1 < 0 || phase > mbarrier->observed || phase + 2 <= mbarrier->completed)
        return break_here(m, SWP_BREAKS_PHASE_ALIAS, thread);
    return SWP_OK;
}

static swp_status watch_meeting(swp_run_machine *m, int thread, int place)
{
    const swp_run_meeting_place *meeting = &m->meetings[place];
    if (m->threads[thread].parts[place] > meeting->observed)
        return break_here(m, SWP_BREAKS_NAMED_BARRIER, thread);
    return SWP_OK;
}

static bool is_of_cluster(const swp_run_step *step)
{
    return step->source->tag == SWP_TAG_CLUSTER_ARRIVE || step->source->tag == SWP_TAG_CLUSTER_WAIT;
}

/* The tag of the thread's operation on the cluster's barrier before this step, or behind it; none. */
static int next_of_cluster(const swp_run_machine *m, int thread, int step, int by)
{
    const swp_run_step_list *steps = m->threads[thread].steps;
    for (int i = step + by; i >= 0 && i < (int)steps->count; i += by)
        if (is_of_cluster(&steps->items[i]) && swp_run_executes(m, thread, &steps->items[i]))
            return steps->items[i].source->tag;
    return SWP_TAG_NONE;
}

/* A thread arrives at the cluster's barrier and waits there by turns, and for each meeting that it arrives at. */
static bool takes_turns(const swp_run_machine *m, int thread, int step)
{
    const int before = next_of_cluster(m, thread, step, -1);
    if (m->threads[thread].steps->items[step].source->tag == SWP_TAG_CLUSTER_WAIT)
        return before == SWP_TAG_CLUSTER_ARRIVE;
    return before != SWP_TAG_CLUSTER_ARRIVE && next_of_cluster(m, thread, step, 1) != SWP_TAG_NONE;
}

/* Of phases and slots of barriers that never add up, whether the run comes to them or not. */
static bool adds_up(const swp_run_machine *m, swp_run_role_step at, int thread, bool of_meetings)
{
    const swp_run_step *step = &m->program->lists[at.role].items[at.step];
    const int place = swp_run_place_of_meeting(m, m->threads[thread].instance, step);
    const int rank = swp_run_rank_of(m, m->threads[thread].instance);
    if (of_meetings && is_of_cluster(step))
        return takes_turns(m, thread, at.step);
    if (of_meetings)
        return place < 0 || m->meetings[place].threads == m->meetings[place].adds_up;
    const swp_run_phase *phase =
        place < 0 && step->source->object >= 0 ? swp_run_phase_of(m, rank, step) : NULL;
    const bool is_first = phase && phase->makers.count > 0 &&
                          phase->makers.items[0].role == at.role &&
                          phase->makers.items[0].step == at.step;
    return !is_first || (phase->arrivals == m->schedule->objects[step->source->object].arrivals &&
                         phase->expected == phase->brought);
}

static swp_status watch_list(swp_run_machine *m, int role, bool of_meetings)
{
    const int *first = m->program->sharing->first_instance;
    for (int i = 0; i < (int)m->program->lists[role].count; i++)
        for (int instance = first[role]; instance < first[role + 1]; instance++) {
            const int thread = instance * m->lanes;
            m->is_astray = false; /* all of them are told */
            if (swp_run_executes(m, thread, &m->program->lists[role].items[i]) &&
                !adds_up(m, (swp_run_role_step){role, i}, thread, of_meetings))
                SWP_TRY(swp_run_break(m,
                                      of_meetings ? SWP_BREAKS_NAMED_BARRIER : SWP_BREAKS_ARRIVALS,
                                      thread, i, SWP_RUN_NOBODY, 0));
        }
    return SWP_OK;
}

swp_status swp_run_watch_lists(swp_run_machine *m)
{
    for (int kind = 0; kind < 2 && m->outcome->broken.count == 0; kind++)
        for (int role = 0; role < (int)m->schedule->stream_count; role++)
            SWP_TRY(watch_list(m, role, kind == 1));
    m->is_astray = m->outcome->broken.count > 0;
    return SWP_OK;
}

swp_status swp_run_watch_issue(swp_run_machine *m, int thread)
{
    const swp_run_step *step = swp_run_next_step(m, thread);
    const int place = swp_run_place_of_meeting(m, m->threads[thread].instance, step);
    if (m->is_astray)
        return SWP_OK;
    if (step->action == SWP_RUN_OP)
        SWP_TRY(swp_run_watch_accesses(m, thread, step));
    if (is_of_cluster(step))
        return SWP_OK;
    if (place >= 0)
        return watch_meeting(m, thread, place);
    if (step->source->tag == SWP_TAG_WAIT_PHASE)
        return watch_wait(m, thread, step);
    return step->source->object >= 0 ? watch_arrival(m, thread, step) : SWP_OK;
}

static void observe(int *observed, int count)
{
    if (*observed < count)
        *observed = count;
}

void swp_run_watch_return(swp_run_machine *m, int thread)
{
    const swp_run_thread *t = &m->threads[thread];
    const swp_run_step *step = swp_run_next_step(m, thread);
    const int place = swp_run_place_of_meeting(m, t->instance, step);
    if (place >= 0)
        observe(&m->meetings[place].observed, t->parts[place]);
    if (step->source->tag != SWP_TAG_WAIT_PHASE)
        return;
    const int slots = m->schedule->objects[step->source->object].slots;
    observe(&swp_run_mbarrier_of(m, swp_run_rank_of(m, t->instance), step)->observed,
            swp_run_turn_of(step->turn, slots).phase + 1);
}

/* Whoever still waits for the phase before the one that was completed now may wait for ever. */
swp_status swp_run_watch_completion(swp_run_machine *m, int rank, const swp_run_step *step)
{
    const swp_run_mbarrier *mbarrier = swp_run_mbarrier_of(m, rank, step);
    for (int thread = 0; thread < m->thread_count && !m->is_astray; thread++) {
        const swp_run_step *wait = m->threads[thread].waits ? swp_run_next_step(m, thread) : NULL;
        if (wait && wait->source->tag == SWP_TAG_WAIT_PHASE &&
            swp_run_mbarrier_of(m, swp_run_rank_of(m, m->threads[thread].instance), wait) ==
                mbarrier)
            SWP_TRY(watch_wait(m, thread, wait));
    }
    return SWP_OK;
}

/*
 * Until somebody has waited for its phase there, which may be complete late, or a meeting of the cluster has opened that
 * its thread came to behind it.
 */
static bool is_on_its_way(const swp_run_machine *m, const swp_run_sent *sent)
{
    const swp_run_step *step = &m->threads[sent->thread].steps->items[sent->step];
    const int slots = m->schedule->objects[step->source->object].slots;
    return swp_run_mbarrier_of(m, sent->to, step)->observed <=
               swp_run_turn_of(step->turn, slots).phase &&
           m->meetings[m->meeting_count - 1].opened <= sent->meetings;
}

swp_status swp_run_watch_end(swp_run_machine *m, int rank)
{
    for (int i = 0; i < m->open_count; i++) {
        const swp_run_access *async = &m->accesses[m->open[i]];
        if (async->to == rank && !async->is_read)
            SWP_TRY(swp_run_break(m, SWP_BREAKS_LOST_PEER, async->instance * m->lanes, async->step,
                                  SWP_RUN_NOBODY, 0));
    }
    for (size_t i = 0; i < m->sent.count; i++) {
        const swp_run_sent *sent = &m->sent.items[i];
        if (sent->to == rank && is_on_its_way(m, sent))
            SWP_TRY(swp_run_break(m, SWP_BREAKS_LOST_PEER, sent->thread, sent->step, SWP_RUN_NOBODY,
                                  0));
    }
    return SWP_OK;
}

void swp_run_go_by(swp_run_machine *m, swp_hazard_kind kind)
{
    m->as_meant = kind == SWP_ARRIVALS || kind == SWP_NAMED_BARRIER;
    m->is_astray = m->is_astray && !m->as_meant;
}
