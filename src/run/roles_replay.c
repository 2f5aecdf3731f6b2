/* SPDX-License-Identifier: Apache-2.0 */
/* Executes the events of a counterexample of warp roles, and refuses what the machine does not permit. */
#include "run/roles_find.h"

#include "base/context.h"
#include "base/diag.h"

#include <string.h>

static swp_status refuse(swp_context *ctx, size_t index, const swp_timing_event *event,
                         const char *why)
{
    return swp_error(ctx, SWP_E0713, SWP_NOWHERE,
                     "an edited counterexample? `swp verify --counterexample` writes one anew",
                     "events[%zu], of role %s, instance %d, thread %d, is not permitted: %s", index,
                     event->role ? event->role : "?", event->instance, event->thread, why);
}

/* SWP_RUN_NOBODY: there is no such thread. */
static int thread_of(const swp_run_machine *m, const swp_timing_event *event)
{
    const int *first = m->program->sharing->first_instance;
    for (int role = 0; role < (int)m->schedule->stream_count && event->role; role++)
        if (!strcmp(m->schedule->streams[role].name, event->role) && event->instance >= 0 &&
            event->instance < m->schedule->streams[role].instances && event->thread >= 0 &&
            event->thread < SWP_RUN_LANES && event->rank >= 0 && event->rank < m->ranks)
            return (first[role] + event->rank * m->schedule->streams[role].instances +
                    event->instance) *
                       SWP_RUN_LANES +
                   event->thread;
    return SWP_RUN_NOBODY;
}

static swp_status replay_moves(swp_context *ctx, swp_run_machine *m, size_t index,
                               const swp_timing_event *event, int thread)
{
    for (int i = 0; i < event->issue; i++) {
        if (!swp_run_next_step(m, thread))
            return refuse(ctx, index, event, "the thread has ended");
        if (!swp_run_may_move(m, thread))
            return refuse(ctx, index, event, "the thread waits");
        SWP_TRY(swp_run_issue(m, thread));
    }
    return SWP_OK;
}

static swp_status replay_retirement(swp_context *ctx, swp_run_machine *m, size_t index,
                                    const swp_timing_event *event, int thread)
{
    const swp_run_thread *t = &m->threads[thread];
    const bool exists = event->effect >= 0 && (size_t)event->effect < t->steps->count &&
                        event->to >= 0 && event->to < m->ranks;
    const int async = exists ? *swp_run_access_at(m, t->instance, event->effect, event->to) : -1;
    if (async < 0 || m->accesses[async].done)
        return refuse(ctx, index, event, "no such operation is in flight");
    if (!swp_run_may_take_effect(m, async))
        return refuse(ctx, index, event,
                      "some thread has not issued the operation, or an earlier one of the same "
                      "register is in flight");
    return swp_run_take_effect(m, async);
}

swp_status swp_run_replay_roles(swp_context *ctx, swp_run_machine *m,
                                const swp_timing_event_list *events)
{
    for (size_t i = 0; i < events->count; i++) {
        const swp_timing_event *event = &events->items[i];
        const int thread = thread_of(m, event);
        if (thread == SWP_RUN_NOBODY)
            return refuse(ctx, i, event, "there is no such thread");
        SWP_TRY(event->issue ? replay_moves(ctx, m, i, event, thread)
                             : replay_retirement(ctx, m, i, event, thread));
    }
    return swp_run_roles_rest(m);
}
