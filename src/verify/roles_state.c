/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a cut of a run is to whatever may follow, in numbers relative to the cut: two cuts with the
 * same numbers have the same future (docs/roles-proof.md, "All sequences of output tiles").
 */
#include "verify/roles_state.h"
#include "happens_before/queues.h"

#include <limits.h>
#include <string.h>

/* --- Numbers --- */

swp_status swp_verify_role_put(swp_role_state_writer *w, int64_t number)
{
    const int64_t half = INT64_C(1) << 31;
    if (number > INT_MIN && number <= INT_MAX)
        return SWP_PUSH(w->run->ctx, w->out, (int)number);
    SWP_TRY(SWP_PUSH(w->run->ctx, w->out, INT_MIN)); /* two more follow */
    SWP_TRY(SWP_PUSH(w->run->ctx, w->out, (int)(number / half)));
    return SWP_PUSH(w->run->ctx, w->out, (int)(number % half));
}

/* How many of the moments of a thread that may still be asked for have come by one of it. */
static int rank_of(const swp_role_moments *known, int moment)
{
    int low = 0;
    int high = (int)known->count;
    if (high > 0 && known->items[high - 1] <= moment) /* as most have */
        return high;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (known->items[middle] <= moment)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Lets it know of no more moments than `least` says. */
static void lower(swp_role_state_writer *w, int *clock, size_t place)
{
    const int most = *w->least++;
    if (most < rank_of(&w->known[place], clock[place]))
        clock[place] = w->known[place].items[most] - 1;
}

static swp_status put_place_of_clock(swp_role_state_writer *w, int *clock, size_t place)
{
    if (w->lowered) {
        lower(w, clock, place);
        return SWP_OK;
    }
    const int rank = rank_of(&w->known[place], clock[place]);
    return w->clocks ? SWP_PUSH(w->run->ctx, w->clocks, rank) : swp_verify_role_put(w, rank);
}

swp_status swp_verify_role_put_clock(swp_role_state_writer *w, int *clock, int own)
{
    for (size_t i = 0; i < w->places.count; i++)
        if (w->places.items[i] % w->run->thread_count != own)
            SWP_TRY(put_place_of_clock(w, clock, (size_t)w->places.items[i]));
    return SWP_OK;
}

/* A clock says something of these alone. */
static swp_status put_places(swp_role_state_writer *w)
{
    for (size_t i = 0; i < w->places.count; i++)
        SWP_TRY(swp_verify_role_put(w, w->places.items[i]));
    return swp_verify_role_put(w, -1);
}

swp_status swp_verify_role_copy_clock(swp_role_state_writer *w, const int *clock, int **out)
{
    const size_t width = swp_happens_width(w->run);
    int *own = NULL;
    SWP_TRY(SWP_TAKE(w->run->ctx, width, &own));
    memcpy(own, clock, width * sizeof *own);
    *out = own;
    return SWP_OK;
}

/* That of a thread at a step. Where it is lowered it is no longer that of the steps before. */
static swp_status put_clock_at(swp_role_state_writer *w, int thread, int step)
{
    int *clock = w->run->clocks.items[w->run->threads[thread].clocks[step]];
    if (w->lowered) {
        SWP_TRY(swp_verify_role_copy_clock(w, clock, &clock));
        w->lowered->threads[thread].clocks[step] = (int)w->run->clocks.count;
        SWP_TRY(SWP_PUSH(w->run->ctx, &w->lowered->clocks, clock));
    }
    return swp_verify_role_put_clock(w, clock, thread);
}

swp_status swp_verify_role_put_moment(swp_role_state_writer *w, int kind, int thread, bool is_past,
                                      int moment)
{
    const int place = swp_happens_place_in_clock(w->run, kind, thread);
    if (swp_verify_role_is_alone(w, kind))
        return SWP_OK;
    return swp_verify_role_put(w, is_past ? rank_of(&w->known[place], moment) : -1);
}

/* --- Steps to come --- */

static swp_status put_remaining(swp_role_state_writer *w, int instance, int s)
{
    const swp_happens_step *step = &w->run->steps[instance][s];
    const swp_role_clock clock = swp_verify_role_clock(w, step);
    const int64_t local = step->iteration - step->base;
    const bool ends = step->work && clock == SWP_TILE_CLOCK && step->tile < w->tiles;
    SWP_TRY(swp_verify_role_put(w, (int)step->list));
    SWP_TRY(swp_verify_role_put(w, step->entry));
    SWP_TRY(swp_verify_role_put(w, step->list == SWP_EPILOGUE ? step->form : 0));
    SWP_TRY(swp_verify_role_put(w, step->iteration - w->now[clock]));
    SWP_TRY(swp_verify_role_put(w, step->tile - w->now[SWP_TILE_CLOCK]));
    SWP_TRY(swp_verify_role_put(w, local < w->lists->most_local ? local : w->lists->most_local));
    SWP_TRY(
        swp_verify_role_put(w, ends ? w->run->bases[step->tile + 1] - w->now[SWP_PASS_CLOCK] : 0));
    return swp_verify_role_put(w, ends ? w->run->sequence->n[step->tile] > 0 : 0);
}

static swp_status put_threads(swp_role_state_writer *w, int instance)
{
    const swp_happens_run *run = w->run;
    const int first = w->earliest[instance];
    SWP_TRY(swp_verify_role_put(w, run->lengths[instance] - first));
    for (int s = first; s < run->lengths[instance]; s++)
        SWP_TRY(put_remaining(w, instance, s));
    for (int which = 0; which < SWP_HAPPENS_THREADS; which++) {
        const int thread = swp_happens_thread_of(instance, which);
        const swp_happens_thread *t = &run->threads[thread];
        SWP_TRY(swp_verify_role_put(w, t->step - first));
        SWP_TRY(swp_verify_role_put(w, t->issued));
        SWP_TRY(put_clock_at(w, thread, t->step));
    }
    return SWP_OK;
}

/* --- Groups --- */

/* What a wait that retires it learns. */
static swp_status put_issues(swp_role_state_writer *w, int instance, int s)
{
    const swp_happens_run *run = w->run;
    for (int which = 0; which < swp_happens_threads_of(&run->steps[instance][s]); which++) {
        const int thread = swp_happens_thread_of(instance, which);
        SWP_TRY(swp_verify_role_put(w, swp_happens_issued(run, thread, s)));
        if (swp_happens_issued(run, thread, s))
            SWP_TRY(put_clock_at(w, thread, s));
    }
    return SWP_OK;
}

/* Writes how many commits are behind it. */
static swp_status put_flight(swp_role_state_writer *w, int instance, const swp_role_flight *flight)
{
    const int s = flight->step;
    const swp_happens_step *step = &w->run->steps[instance][s];
    SWP_TRY(swp_verify_role_put(w, step->op->tag));
    SWP_TRY(swp_verify_role_put(w, flight->commits));
    SWP_TRY(swp_verify_role_put(w, s < w->earliest[instance] ? -1 : s - w->earliest[instance]));
    return put_issues(w, instance, s);
}

/* --- Arrivals at other ranks --- */

/* Whether the cluster has not met behind it, so that a wait for its phase alone can tell that it has come. */
static bool is_under_way(const swp_role_state_writer *w, int instance, int s)
{
    const swp_happens_step *steps = w->run->steps[instance];
    bool met = false;
    if (steps[s].op->to != SWP_TO_ALL || !w->phases[steps[s].phase])
        return false;
    for (int i = s + 1; i < w->latest[instance]; i++)
        met |= swp_happens_meets_cluster(&steps[i]);
    return !met;
}

static swp_status put_arrivals(swp_role_state_writer *w, int instance)
{
    for (int s = 0; s < w->latest[instance]; s++) {
        const swp_happens_step *step = &w->run->steps[instance][s];
        if (!is_under_way(w, instance, s))
            continue;
        SWP_TRY(swp_verify_role_put(w, step->op->object));
        SWP_TRY(swp_verify_role_put(w, step->iteration - w->now[swp_verify_role_clock(w, step)]));
    }
    return swp_verify_role_put(w, -1);
}

/* --- All --- */

static swp_status put_instance(swp_role_state_writer *w, int instance)
{
    SWP_TRY(put_threads(w, instance));
    SWP_TRY(swp_verify_role_put_steps(w, instance));
    for (size_t i = 0; i < w->flights[instance].count; i++) {
        const swp_role_flight *flight = &w->flights[instance].items[i];
        const bool is_queued = swp_happens_is_queued(&w->run->steps[instance][flight->step]);
        if (flight->step >= w->latest[instance])
            continue;
        SWP_TRY((is_queued ? swp_verify_role_put_access : put_flight)(w, instance, flight));
        if (is_queued && swp_happens_ends_for_all(w->run, instance, flight->step))
            SWP_TRY(put_issues(w, instance, flight->step));
    }
    SWP_TRY(swp_verify_role_put(w, -1));
    SWP_TRY(put_arrivals(w, instance));
    for (int which = 0; which < SWP_HAPPENS_DISTINCT_THREADS; which++)
        SWP_TRY(swp_verify_role_put_registers(w, instance, which));
    return SWP_OK;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static swp_status put_all(swp_role_state_writer *w)
{
    const swp_happens_run *run = w->run;
    w->tiles = run->tiles ? run->sequence->count : 0;
    w->passes = run->tiles ? run->sequence->passes : run->passes;
    SWP_TRY(swp_verify_role_window(w));
    SWP_TRY(swp_verify_role_scan_begin(w->judge, &w->registers));
    SWP_TRY(run->tiles ? swp_verify_role_put(
                             w, w->passes < 0 ? -1 : least(w->passes, w->lists->most_passes))
                       : swp_verify_role_put_work(w));
    for (int clock = 0; clock < 2; clock++)
        SWP_TRY(swp_verify_role_put(w, least(w->now[clock], w->lists->start[clock])));
    SWP_TRY(put_places(w));
    for (int i = 0; i < run->program->count; i++)
        SWP_TRY(put_instance(w, i));
    SWP_TRY(swp_verify_role_put_objects(w));
    return swp_verify_role_put_seen(w);
}

swp_status swp_verify_role_state(swp_role_judge *judge, swp_role_state *out, swp_role_state *clocks)
{
    swp_role_state_writer w = {.judge = judge, .run = judge->run, .out = out, .clocks = clocks};
    return put_all(&w);
}

swp_status swp_verify_role_lower(swp_role_judge *judge, swp_happens_run *run, const int *clocks)
{
    swp_role_state unread = {0};
    swp_role_state_writer w = {
        .judge = judge, .run = run, .out = &unread, .lowered = run, .least = clocks};
    return put_all(&w);
}
