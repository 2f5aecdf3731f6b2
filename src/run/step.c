/* SPDX-License-Identifier: Apache-2.0 */
/* A thread issues its next entry, or returns from the one that it waits at. */
#include "run/operands.h"
#include "run/ops.h"
#include "run/watch.h"

#include "base/context.h"

static bool is_wait(int tag)
{
    return tag == SWP_TAG_WAIT_PHASE || tag == SWP_TAG_NAMED_SYNC || tag == SWP_TAG_BARRIER ||
           tag == SWP_TAG_CLUSTER_WAIT || tag == SWP_TAG_MATRIX_WAIT || tag == SWP_TAG_BULK_WAIT ||
           tag == SWP_TAG_BULK_WAIT_READ;
}

static swp_status note_outside(swp_run_machine *m, int thread, const swp_run_step *step)
{
    if (!step->is_outside)
        return SWP_OK;
    const swp_tile_outside found = {swp_run_instance(m, thread, m->threads[thread].next),
                                    step->tile};
    return SWP_PUSH(m->ctx, &m->outcome->outside, found);
}

/* Of an op that need not run: of warp roles the seed decides, of waves the timing. */
static bool is_left_out(const swp_run_machine *m, int thread, const swp_run_step *step)
{
    return m->program->manner->leaves_out_by_seed
               ? swp_run_leaves_out(m, m->threads[thread].instance, step)
               : swp_run_is_left_out(m, thread);
}

/* Of a wave it is an access that ends as it has begun. */
static swp_status issue_ordinary(swp_run_machine *m, int thread, const swp_run_step *step)
{
    const int index = m->access_count;
    m->outcome->accesses++;
    if (m->program->manner->runs_ordinary)
        return swp_run_do_ordinary(m, thread, step);
    SWP_TRY(swp_run_begin_op(m, thread, step));
    SWP_TRY(swp_run_end_op(m, &m->accesses[index]));
    swp_run_close_access(m, index);
    return SWP_OK;
}

static swp_status issue_op(swp_run_machine *m, int thread, const swp_run_step *step)
{
    SWP_TRY(note_outside(m, thread, step));
    return swp_run_is_queued(step) ? swp_run_begin_op(m, thread, step)
                                   : issue_ordinary(m, thread, step);
}

static swp_status issue_by_kind(swp_run_machine *m, int wave, const swp_run_step *step)
{
    const int index = m->access_count;
    SWP_TRY(note_outside(m, wave, step));
    SWP_TRY(swp_run_new_access(m, wave, step, 0));
    return step->action == SWP_RUN_STORE ? swp_run_store_issues(m, index, step) : SWP_OK;
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
    case SWP_TAG_WAIT_VM:
    case SWP_TAG_WAIT_LGKM:
        swp_run_note_wait(m, thread, step);
        break;
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
        /* Without roles the header's barrier has a proxy fence. */
        t->fenced = m->program->manner->waits_behind ? t->fenced : t->next;
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

swp_status swp_run_record(swp_run_machine *m, int thread, int moves, int step, int to)
{
    swp_timing_event_list *events = &m->events;
    swp_timing_event *last = events->count ? &events->items[events->count - 1] : NULL;
    if (last && moves && last->issue && last->wave == thread) {
        last->issue++;
        return SWP_OK;
    }
    const swp_instance at = swp_run_who(m, thread);
    const swp_timing_event event = {.wave = thread,
                                    .issue = moves,
                                    .effect = moves ? 0 : step,
                                    .role = at.role,
                                    .instance = at.instance,
                                    .thread = at.thread,
                                    .is_in_cluster = at.is_in_cluster,
                                    .rank = at.rank,
                                    .to = to};
    return SWP_PUSH(m->ctx, events, event);
}

static swp_status issue_step(swp_run_machine *m, int thread, const swp_run_step *step)
{
    switch (step->action) {
    case SWP_RUN_OP:
        return issue_op(m, thread, step);
    case SWP_RUN_LOAD:
    case SWP_RUN_STORE:
    case SWP_RUN_FRAGMENT:
        return issue_by_kind(m, thread, step);
    case SWP_RUN_COMPUTE:
        return swp_run_compute(m, thread, step);
    case SWP_RUN_SYNC:
        return issue_sync(m, thread, step);
    case SWP_RUN_HINT:
        break;
    }
    return SWP_OK;
}

/* What is wrong with the step as it issues: by the rules of warp roles, or of raw registers. */
static swp_status watch(swp_run_machine *m, int thread)
{
    return m->program->manner->keeps_rules ? swp_run_watch_issue(m, thread)
                                           : swp_run_check_ready(m, thread);
}

/* A wave does not issue before it need not wait, so that it returns at once. */
static swp_status issue(swp_run_machine *m, int thread)
{
    const swp_run_step *step = swp_run_next_step(m, thread);
    if (is_left_out(m, thread, step)) {
        if (m->program->manner->leaves_out_by_seed)
            SWP_TRY(note_outside(m, thread, step));
        swp_run_leave_out(m, thread, step);
    } else {
        SWP_TRY(watch(m, thread));
        SWP_TRY(issue_step(m, thread, step));
    }
    m->outcome->issued++;
    m->threads[thread].waits = m->program->manner->waits_behind && is_wait(step->source->tag);
    if (!m->threads[thread].waits)
        swp_run_go_on(m, thread);
    return SWP_OK;
}

swp_status swp_run_issue(swp_run_machine *m, int thread)
{
    const int rank = swp_run_rank_of(m, m->threads[thread].instance);
    SWP_TRY(swp_run_record(m, thread, 1, m->threads[thread].next, rank));
    if (!m->threads[thread].waits) {
        SWP_TRY(issue(m, thread));
    } else {
        swp_run_watch_return(m, thread);
        swp_run_go_on(m, thread);
    }
    const bool may_be_last = m->program->manner->keeps_rules && !swp_run_next_step(m, thread);
    return may_be_last && swp_run_has_rank_ended(m, rank) ? swp_run_watch_end(m, rank) : SWP_OK;
}
