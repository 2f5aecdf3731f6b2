/* SPDX-License-Identifier: Apache-2.0 */
/* Listens to a run of the machine and writes down when each entry issues, what holds it, and what it keeps. */
#include "simulate/record.h"

#include <string.h>

/* More than a picture can show. */
enum { MOST_EVENTS = 1 << 19 };

static int runs_of(const swp_sim_record *r, swp_phase phase)
{
    return phase == SWP_KERNEL ? r->out->passes : 1;
}

/* The pass that counts from 0 in its phase. */
static int run_number(const swp_sim_record *r, swp_phase phase, int pass)
{
    const int before = phase == SWP_PROLOGUE || phase == SWP_BEGIN;
    return phase == SWP_KERNEL ? pass : before ? pass + 1 : pass - r->out->passes;
}

/* NULL for a barrier that is no entry, and for what this run does not have. */
static int *number_at(const swp_sim_record *r, int group, swp_entry_ref at, int pass)
{
    const swp_sim_numbers *n = &r->numbers[group];
    const int run = run_number(r, at.phase, pass);
    if (at.entry < 0 || run < 0 || run >= runs_of(r, at.phase))
        return NULL;
    return &n->events[n->first[at.phase] + (size_t)run * n->lengths[at.phase] + (size_t)at.entry];
}

/* The number of an event; -1: there is none, or it has not begun. */
static int number_of(const swp_sim_record *r, const swp_sim_event *event)
{
    const int *number = event ? number_at(r, event->group, event->ref, event->pass) : NULL;
    return number ? *number : -1;
}

static void set_tile(const swp_sim_record *r, swp_timeline_event *event)
{
    if (event->at.entry < 0)
        return;
    const swp_effects *effects = &r->effects[r->program.groups[event->group].stream];
    const swp_effect *effect = &effects->entries[event->at.phase][event->at.entry];
    const int pass = event->pass < 0 ? 0 : event->pass;
    event->has_tile = effect->kind == SWP_EFFECT_WORK && effect->tiles.first != SWP_NO_TILE &&
                      event->at.phase <= SWP_EPILOGUE;
    event->tile = event->has_tile ? swp_tile_in(&effect->tiles, pass) : 0;
}

/* The event that a group is at; a new one is numbered. */
static swp_status begin(swp_sim_record *r, const swp_sim_event *heard, int *out)
{
    *out = r->current[heard->group].event;
    if (*out >= 0)
        return SWP_OK;
    int *number = number_at(r, heard->group, heard->ref, heard->pass);
    swp_timeline_event event = {.at = heard->ref, .pass = heard->pass, .group = heard->group};
    set_tile(r, &event);
    event.ready = -1;
    event.granted = -1;
    *out = (int)r->out->events.count;
    r->current[heard->group] = (swp_sim_current){*out, r->out->stalls.count};
    if (number)
        *number = *out;
    return SWP_PUSH(r->ctx, &r->out->events, event);
}

/* Stalls of an event follow one another from where its group came to it. */
static swp_status hear_delay(void *user, const swp_sim_delay *delay)
{
    swp_sim_record *r = user;
    swp_timeline_stall stall = {.cause = delay->cause,
                                .from = 0,
                                .until = delay->cycles,
                                .other = number_of(r, delay->other),
                                .object = delay->object};
    SWP_TRY(begin(r, &delay->at, &stall.event));
    return SWP_PUSH(r->ctx, &r->out->stalls, stall);
}

static swp_status hear_grant(void *user, const swp_sim_event *heard, int64_t grant,
                             const swp_sim_event *behind)
{
    swp_sim_record *r = user;
    int event = 0;
    const swp_sim_step *step = swp_simulate_next_step(&r->engine, heard->group);
    SWP_TRY(begin(r, heard, &event));
    r->out->events.items[event].granted = grant;
    for (size_t i = 0; i < step->use_count; i++) {
        const swp_sim_use *use = &step->uses[i];
        const swp_timeline_use kept = {.event = event,
                                       .unit = use->unit,
                                       .amount = use->amount,
                                       .from = grant,
                                       .until = grant + use->cycles,
                                       .behind = number_of(r, behind)};
        SWP_TRY(SWP_PUSH(r->ctx, &r->out->uses, kept));
    }
    return SWP_OK;
}

/* Places the event's stalls, which so far say only how long they are, back to back before its issue. */
static void place_stalls(swp_timeline *out, const swp_sim_current *current)
{
    swp_timeline_event *event = &out->events.items[current->event];
    event->ready = event->issued;
    for (size_t i = out->stalls.count; i > current->first_stall; i--) {
        swp_timeline_stall *stall = &out->stalls.items[i - 1];
        if (stall->event != current->event)
            continue;
        stall->from = event->ready - stall->until;
        stall->until = event->ready;
        event->ready = stall->from;
    }
}

static swp_status write_issue(swp_sim_record *r, const swp_sim_event *heard, int64_t issued,
                              int64_t finished)
{
    int number = 0;
    SWP_TRY(begin(r, heard, &number));
    swp_timeline_event *event = &r->out->events.items[number];
    event->issued = issued;
    event->left =
        swp_simulate_leaves(&r->engine, swp_simulate_next_step(&r->engine, heard->group), issued);
    event->granted = event->granted < 0 ? issued : event->granted;
    event->finished = finished;
    place_stalls(r->out, &r->current[heard->group]);
    r->current[heard->group].event = -1;
    return swp_simulate_record_places(r, number);
}

static void hear_issue(void *user, const swp_sim_event *heard, int64_t issued, int64_t finished)
{
    swp_sim_record *r = user;
    if (r->status == SWP_OK)
        r->status = write_issue(r, heard, issued, finished);
}

/* Room for the numbers of all events; their count. */
static swp_status lay_out(swp_sim_record *r, size_t *all)
{
    const size_t groups = (size_t)r->program.group_count;
    SWP_TRY(SWP_TAKE(r->ctx, groups, &r->numbers));
    SWP_TRY(SWP_TAKE(r->ctx, groups, &r->current));
    *all = 0;
    for (size_t g = 0; g < groups; g++) {
        swp_sim_numbers *n = &r->numbers[g];
        const swp_effects *effects = &r->effects[r->program.groups[g].stream];
        r->current[g].event = -1;
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++) {
            n->first[phase] = n->count;
            n->lengths[phase] = (size_t)effects->lengths[phase];
            n->count += n->lengths[phase] * (size_t)runs_of(r, phase);
        }
        *all += n->count;
        SWP_TRY(SWP_TAKE(r->ctx, n->count, &n->events));
        memset(n->events, 0xFF, n->count * sizeof *n->events);
    }
    return SWP_OK;
}

/* A group that can never go on: it waits up to the end of the picture. */
static swp_status write_stuck(swp_sim_record *r, int group, int64_t end)
{
    const swp_sim_group *at = &r->engine.groups[group];
    const swp_sim_step *step = swp_simulate_next_step(&r->engine, group);
    const swp_sim_event event = {{at->phase, step->entry}, at->pass, group};
    swp_timeline_stall stall = {.cause = at->waits ? SWP_STALL_BARRIER : SWP_STALL_PHASE,
                                .from = at->waits ? at->arrived : at->ready,
                                .until = end,
                                .other = -1,
                                .object = step->object_name};
    SWP_TRY(begin(r, &event, &stall.event));
    swp_timeline_event *stuck = &r->out->events.items[stall.event];
    stuck->issued = stall.from;
    place_stalls(r->out, &r->current[group]);
    stuck->is_stuck = true;
    stuck->issued = stuck->left = stuck->granted = stuck->finished = end;
    return SWP_PUSH(r->ctx, &r->out->stalls, stall);
}

/* How the picture ends where nobody can go on: with room to see who waits. */
static swp_status write_all_stuck(swp_sim_record *r)
{
    enum { SHARE = 10, LEAST_ROOM = 10 };
    const int64_t room = r->out->end / SHARE;
    r->out->end += room > LEAST_ROOM ? room : LEAST_ROOM;
    for (int g = 0; g < r->program.group_count; g++)
        if (!r->engine.groups[g].ended)
            SWP_TRY(write_stuck(r, g, r->out->end));
    return SWP_OK;
}

swp_status swp_simulate_record(swp_sim_record *r)
{
    size_t all = 0;
    bool moved = true;
    SWP_TRY(swp_simulate_record_slots(r));
    SWP_TRY(lay_out(r, &all));
    SWP_TRY(swp_simulate_engine_new(r->ctx, &r->program, r->out->passes,
                                    r->program.schedule->output_tiles ? 1 : 0, &r->engine));
    r->engine.listener = (swp_sim_listener){
        .delay = hear_delay, .grant = hear_grant, .issue = hear_issue, .user = r};
    while (moved && r->out->events.count < MOST_EVENTS) {
        SWP_TRY(swp_simulate_engine_step(&r->engine, &moved));
        SWP_TRY(r->status);
    }
    r->out->is_cut = !swp_simulate_engine_ended(&r->engine);
    r->out->end = swp_simulate_engine_end(&r->engine);
    return r->out->is_cut ? write_all_stuck(r) : SWP_OK;
}
