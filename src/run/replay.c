/* SPDX-License-Identifier: Apache-2.0 */
/* Executing a counterexample: its events as they stand, then everything as early as possible. */
#include "swp/run.h"

#include "base/diag.h"
#include "base/require.h"
#include "run/claims.h"
#include "run/outcome.h"
#include "run/session.h"
#include "run/timing.h"
#include "run/watch.h"

#include <string.h>

/* Whose an event is, and why it is not permitted. */
typedef struct reasons {
    int (*thread_of)(const swp_run_machine *m, const swp_timing_event *event);
    const char *nobody;
    const char *ended;
    const char *waits_at_barrier;
    const char *waits;
    const char *not_in_flight;
    const char *done;
    const char *not_yet;
} reasons;

/* An event that is executed. */
typedef struct replayed {
    swp_context *ctx;
    swp_run_machine *m;
    const reasons *why;
    size_t index;
    const swp_timing_event *event;
    int thread;
} replayed;

static swp_status refuse(const replayed *r, const char *why)
{
    static const char hint[] =
        "an edited counterexample? `swp verify --counterexample` writes one anew";
    const swp_timing_event *event = r->event;
    if (!r->m->program->manner->has_names)
        return swp_error(r->ctx, SWP_E0713, SWP_NOWHERE, hint,
                         "events[%zu], of wave %d, is not permitted: %s", r->index, event->wave,
                         why);
    return swp_error(r->ctx, SWP_E0713, SWP_NOWHERE, hint,
                     "events[%zu], of role %s, instance %d, thread %d, is not permitted: %s",
                     r->index, event->role ? event->role : "?", event->instance, event->thread,
                     why);
}

/* The number of an event's role; -1: there is none. */
static int role_of(const swp_run_machine *m, const swp_timing_event *event)
{
    for (int role = 0; role < (int)m->schedule->stream_count && event->role; role++)
        if (!strcmp(m->schedule->streams[role].name, event->role))
            return role;
    return -1;
}

/* SWP_RUN_NOBODY: there is no such wave, or thread. */
static int wave_of(const swp_run_machine *m, const swp_timing_event *event)
{
    return event->wave >= 0 && event->wave < m->thread_count ? event->wave : SWP_RUN_NOBODY;
}

static int thread_of(const swp_run_machine *m, const swp_timing_event *event)
{
    const int role = role_of(m, event);
    const int instances = role < 0 ? 0 : m->schedule->streams[role].instances;
    if (event->instance < 0 || event->instance >= instances || event->thread < 0 ||
        event->thread >= m->lanes || event->rank < 0 || event->rank >= m->ranks)
        return SWP_RUN_NOBODY;
    const int first = m->program->sharing->first_instance[role];
    return (first + event->rank * instances + event->instance) * m->lanes + event->thread;
}

static const reasons of_waves = {
    wave_of,
    "there is no such wave",
    "the wave has issued all of its entries",
    "the wave waits at a barrier",
    "its next entry waits for accesses that have not taken effect",
    "no such access is in flight",
    "the access took effect before, or an older LDS operation has not yet",
    "the access took effect before, or an older LDS operation has not yet"};
static const reasons of_threads = {thread_of,
                                   "there is no such thread",
                                   "the thread has ended",
                                   "the thread waits",
                                   "the thread waits",
                                   "no such operation is in flight",
                                   "no such operation is in flight",
                                   "some thread has not issued the operation, or an earlier one of "
                                   "the same register is in flight"};

static swp_status replay_issues(const replayed *r)
{
    for (int i = 0; i < r->event->issue; i++) {
        if (!swp_run_next_step(r->m, r->thread))
            return refuse(r, r->why->ended);
        if (swp_run_waits(r->m, r->thread))
            return refuse(r, r->why->waits_at_barrier);
        if (!swp_run_may_issue(r->m, r->thread))
            return refuse(r, r->why->waits);
        SWP_TRY(swp_run_issue(r->m, r->thread));
    }
    return SWP_OK;
}

static swp_status replay_effect(const replayed *r)
{
    const swp_timing_event *event = r->event;
    const swp_run_thread *t = &r->m->threads[r->thread];
    const bool exists = event->effect >= 0 && (size_t)event->effect < t->steps->count &&
                        event->to >= 0 && event->to < r->m->ranks;
    const int access =
        exists ? *swp_run_access_at(r->m, t->instance, event->effect, event->to) : -1;
    if (access < 0)
        return refuse(r, r->why->not_in_flight);
    if (r->m->accesses[access].done)
        return refuse(r, r->why->done);
    if (!swp_run_may_take_effect(r->m, access))
        return refuse(r, r->why->not_yet);
    return swp_run_take_effect(r->m, access);
}

static swp_status replay(swp_context *ctx, swp_run_machine *m, const swp_timing_event_list *events)
{
    const reasons *why = m->program->manner->has_names ? &of_threads : &of_waves;
    for (size_t i = 0; i < events->count; i++) {
        const swp_timing_event *event = &events->items[i];
        const replayed r = {ctx, m, why, i, event, why->thread_of(m, event)};
        if (r.thread == SWP_RUN_NOBODY)
            return refuse(&r, why->nobody);
        SWP_TRY(event->issue ? replay_issues(&r) : replay_effect(&r));
    }
    return swp_run_rest(m);
}

swp_status swp_counterexample_replay(swp_context *ctx, const swp_schedule *schedule,
                                     const swp_counterexample *counterexample, swp_run_outcome *out)
{
    SWP_REQUIRE(ctx, ctx && schedule && counterexample && out);
    *out = (swp_run_outcome){0};
    SWP_TRY(swp_run_check_claims(ctx, schedule, counterexample));
    const swp_run_extent extent = {counterexample->n, counterexample->tiles,
                                   counterexample->tile_count};
    swp_run_session session;
    swp_status status = swp_run_open(ctx, schedule, extent, counterexample->waves_per_group,
                                     counterexample->seed, &session);
    swp_run_go_by(&session.machine, counterexample->kind);
    if (status == SWP_OK)
        status = replay(ctx, &session.machine, &counterexample->events);
    if (status == SWP_OK)
        status = swp_run_judge(&session.machine);
    if (status == SWP_OK) {
        *out = session.outcome;
        status = swp_run_keep(ctx, out);
    }
    swp_run_close(&session);
    return status == SWP_OK ? swp_run_compare_claims(ctx, schedule, counterexample, out) : status;
}
