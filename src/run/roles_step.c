/* SPDX-License-Identifier: Apache-2.0 */
/* The moments of a run with warp roles: a thread issues or returns, an operation in flight is retired. */
#include "run/effects.h"
#include "run/roles_watch.h"

#include "base/context.h"

static bool is_wait(int tag)
{
    return tag == SWP_TAG_WAIT_PHASE || tag == SWP_TAG_NAMED_SYNC || tag == SWP_TAG_BARRIER ||
           tag == SWP_TAG_CLUSTER_WAIT || tag == SWP_TAG_MATRIX_WAIT || tag == SWP_TAG_BULK_WAIT ||
           tag == SWP_TAG_BULK_WAIT_READ;
}

static bool may_return(const swp_run_machine *m, int thread)
{
    const swp_run_step *step = swp_run_next_step(m, thread);
    const swp_run_thread *t = &m->threads[thread];
    if (step->source->tag == SWP_TAG_WAIT_PHASE)
        return swp_run_phase_is_over(m, swp_run_rank_of(m, t->instance), step);
    const int place = swp_run_place_of_meeting(m, t->instance, step);
    if (place >= 0)
        return m->meetings[place].opened > t->ticket;
    return swp_run_awaited_async(m, thread) < 0;
}

bool swp_run_may_move(const swp_run_machine *m, int thread)
{
    return swp_run_next_step(m, thread) && (!m->threads[thread].waits || may_return(m, thread));
}

static swp_status issue_op(swp_run_machine *m, int thread, const swp_run_step *step)
{
    if (step->is_outside) {
        const swp_tile_outside found = {swp_run_instance(m, thread, m->threads[thread].next),
                                        step->tile};
        SWP_TRY(SWP_PUSH(m->ctx, &m->outcome->outside, found));
    }
    if (swp_run_leaves_out(m, m->threads[thread].instance, step)) {
        swp_run_leave_out(m, thread, step);
        return SWP_OK;
    }
    if (swp_run_is_queued(step))
        return swp_run_begin_op(m, thread, step);
    m->outcome->accesses++;
    return swp_run_do_ordinary(m, thread, step);
}

/* At the mbarrier of each rank that it goes to. */
static swp_status arrive(swp_run_machine *m, int thread, const swp_run_step *step)
{
    const swp_run_thread *t = &m->threads[thread];
    const int own = swp_run_rank_of(m, t->instance);
    const int threads = step->source->by == SWP_ONE_THREAD ? 1 : swp_run_weight(m, thread);
    for (int rank = 0; rank < m->ranks; rank++) {
        if (!swp_run_goes_to(m, t->instance, step, rank))
            continue;
        const swp_run_sent sent = {thread, t->next, rank, t->parts[m->meeting_count - 1]};
        if (rank != own)
            SWP_TRY(SWP_PUSH(m->ctx, &m->sent, sent));
        SWP_TRY(swp_run_arrive(m, rank, step, threads));
    }
    return SWP_OK;
}

static swp_status issue_sync(swp_run_machine *m, int thread, const swp_run_step *step)
{
    swp_run_thread *t = &m->threads[thread];
    switch (step->source->tag) {
    case SWP_TAG_ARRIVE:
    case SWP_TAG_ARRIVE_EXPECT:
        return arrive(m, thread, step);
    case SWP_TAG_CLUSTER_WAIT:
        t->ticket = t->cluster_waits++;
        break;
    case SWP_TAG_CLUSTER_ARRIVE:
    case SWP_TAG_NAMED_SYNC:
    case SWP_TAG_NAMED_ARRIVE:
    case SWP_TAG_BARRIER:
        swp_run_meet(m, thread, swp_run_place_of_meeting(m, t->instance, step));
        break;
    case SWP_TAG_MATRIX_COMMIT:
        t->commits[0]++;
        break;
    case SWP_TAG_BULK_COMMIT:
        t->commits[1]++;
        break;
    case SWP_TAG_FENCE_ASYNC:
        t->fenced = t->next;
        break;
    case SWP_TAG_MATRIX_FENCE:
        t->reg_fenced = t->next;
        break;
    default:
        break;
    }
    return SWP_OK;
}

static swp_status record(swp_run_machine *m, int thread, int moves, int retired, int to)
{
    swp_timing_event_list *events = &m->events;
    swp_timing_event *last = events->count ? &events->items[events->count - 1] : NULL;
    if (last && moves && last->issue && last->wave == thread) {
        last->issue++;
        return SWP_OK;
    }
    const swp_instance at = swp_run_instance(m, thread, retired);
    const swp_timing_event event = {.wave = thread,
                                    .issue = moves,
                                    .effect = moves ? 0 : retired,
                                    .role = at.role,
                                    .instance = at.instance,
                                    .thread = at.thread,
                                    .is_in_cluster = at.is_in_cluster,
                                    .rank = at.rank,
                                    .to = to};
    return SWP_PUSH(m->ctx, events, event);
}

static swp_status issue(swp_run_machine *m, int thread)
{
    const swp_run_step *step = swp_run_next_step(m, thread);
    SWP_TRY(swp_run_watch_issue(m, thread));
    SWP_TRY(step->action == SWP_RUN_OP ? issue_op(m, thread, step) : issue_sync(m, thread, step));
    m->outcome->issued++;
    m->threads[thread].waits = is_wait(step->source->tag);
    if (!m->threads[thread].waits)
        swp_run_go_on(m, thread);
    return SWP_OK;
}

swp_status swp_run_move(swp_run_machine *m, int thread)
{
    const int rank = swp_run_rank_of(m, m->threads[thread].instance);
    SWP_TRY(record(m, thread, 1, m->threads[thread].next, rank));
    if (!m->threads[thread].waits) {
        SWP_TRY(issue(m, thread));
    } else {
        swp_run_watch_return(m, thread);
        swp_run_go_on(m, thread);
    }
    const bool may_be_last = !swp_run_next_step(m, thread);
    return may_be_last && swp_run_has_rank_ended(m, rank) ? swp_run_watch_end(m, rank) : SWP_OK;
}

/* All threads of an instance issue a wgmma, one a copy or a store. */
static bool is_issued(const swp_run_machine *m, const swp_run_access *async)
{
    const int all = (1 << SWP_RUN_LANES) - 1;
    return swp_run_step_of(m, async)->queue != SWP_RUN_MATRIX_GROUP || async->issued == all;
}

bool swp_run_may_retire(const swp_run_machine *m, int async)
{
    return !m->accesses[async].done && is_issued(m, &m->accesses[async]) &&
           swp_run_first_to_retire(m, async) == async;
}

swp_status swp_run_retire(swp_run_machine *m, int async)
{
    swp_run_access *a = &m->accesses[async];
    const swp_run_step *step = swp_run_step_of(m, a);
    SWP_TRY(record(m, a->instance * SWP_RUN_LANES, 0, a->step, a->to));
    const bool is_store = step->queue == SWP_RUN_STORE_GROUP;
    if (!a->is_read) {
        SWP_TRY(swp_run_end_op(m, a));
        m->outcome->accesses++;
        a->is_read = true;
        if (is_store)
            return SWP_OK;
    }
    swp_run_close_access(m, async);
    const bool is_copy = step->queue == SWP_RUN_COPY_MBARRIER;
    return is_copy ? swp_run_bytes_land(m, a->to, step) : SWP_OK;
}
