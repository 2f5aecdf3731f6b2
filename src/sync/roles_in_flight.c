/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of wgmmas and of bulk stores that a list leaves in flight, and the waits that retire them (docs/roles-proof.md, "Derivation"). */
#include "sync/roles_writer.h"

#include <limits.h>

swp_status swp_sync_roles_new_queues(swp_role_writer *w, size_t ops)
{
    for (int kind = 0; kind < SWP_ROLE_GROUP_KINDS; kind++) {
        swp_role_group_queue *q = &w->queues[kind];
        *q = (swp_role_group_queue){0};
        SWP_TRY(SWP_TAKE(w->r->ctx, ops, &q->real));
        SWP_TRY(SWP_TAKE(w->r->ctx, ops, &q->point));
        SWP_TRY(SWP_TAKE(w->r->ctx, ops, &q->number));
    }
    return SWP_OK;
}

swp_role_group_kind swp_sync_roles_group_kind(const swp_role_writer *w, int position)
{
    const swp_completion completion = swp_sync_roles_completion(w->r, w->plan->ops[position]);
    return completion == SWP_COMPLETION_MATRIX_GROUP  ? SWP_ROLE_MATRIX
           : completion == SWP_COMPLETION_STORE_GROUP ? SWP_ROLE_BULK
                                                      : SWP_ROLE_GROUP_KINDS;
}

static swp_status end_group(swp_role_writer *w, swp_role_group_kind kind, int point, bool real)
{
    static const struct {
        int tag;
        swp_threads by;
    } ends[] = {[SWP_ROLE_MATRIX] = {SWP_TAG_MATRIX_COMMIT, SWP_ALL_THREADS},
                [SWP_ROLE_BULK] = {SWP_TAG_BULK_COMMIT, SWP_ONE_THREAD}};
    swp_role_group_queue *q = &w->queues[kind];
    q->point[q->ended] = point;
    q->real[q->ended++] = real;
    /* Before the first op there is nothing that is counted. */
    for (int i = 0; i < q->ended; i++)
        if (q->real[i])
            return swp_sync_roles_emit(w, swp_sync_roles_sync_op(ends[kind].tag, ends[kind].by));
    return SWP_OK;
}

static bool has_op_in_flight(const swp_role_group_queue *q, int end)
{
    for (int i = q->retired; i < end; i++)
        if (q->real[i])
            return true;
    return false;
}

/* All groups up to one of this number are retired. */
static swp_status retire(swp_role_writer *w, swp_role_group_kind kind, int number)
{
    static const struct {
        int tag;
        swp_threads by;
    } waits[] = {[SWP_ROLE_MATRIX] = {SWP_TAG_MATRIX_WAIT, SWP_ALL_THREADS},
                 [SWP_ROLE_BULK] = {SWP_TAG_BULK_WAIT_READ, SWP_ONE_THREAD}};
    swp_role_group_queue *q = &w->queues[kind];
    const bool waits_for_any = has_op_in_flight(q, number + 1);
    if (number + 1 > q->retired)
        q->retired = number + 1;
    if (!waits_for_any)
        return SWP_OK;
    swp_op op = swp_sync_roles_sync_op(waits[kind].tag, waits[kind].by);
    op.wait_value = q->ended - 1 - number;
    return swp_sync_roles_emit(w, op);
}

static int *number_of(const swp_role_writer *w, int step, int position)
{
    swp_role_group_queue *const queue =
        (swp_role_group_queue *)&w->queues[swp_sync_roles_group_kind(w, position)];
    return &queue->number[(step - w->begin) * w->plan->count + position];
}

swp_status swp_sync_roles_meet_needs(swp_role_writer *w, int point)
{
    int newest[SWP_ROLE_GROUP_KINDS] = {-1, -1};
    for (size_t i = 0; i < w->plan->needs.count; i++) {
        const swp_role_need *need = &w->plan->needs.items[i];
        int version = 0;
        if (need->dropped || !swp_sync_roles_version_at(w, point, need->point, &version) ||
            (!w->is_prologue && !swp_sync_roles_is_in_run(w, version, need->least, need->ahead)) ||
            !swp_sync_roles_is_needed(w, need->given_back, version))
            continue;
        const int op = w->plan->ops[need->target];
        const int step = swp_sync_roles_step_of(w->r, op, version + need->shift);
        const swp_role_group_kind kind = swp_sync_roles_group_kind(w, need->target);
        if (kind == SWP_ROLE_GROUP_KINDS || step < w->begin ||
            (!w->is_prologue && !swp_sync_roles_is_in_run(w, version + need->shift, 0, 0)))
            continue;
        const int number = *number_of(w, step, need->target);
        newest[kind] = number > newest[kind] ? number : newest[kind];
    }
    for (int kind = 0; kind < SWP_ROLE_GROUP_KINDS; kind++)
        if (newest[kind] >= 0)
            SWP_TRY(retire(w, (swp_role_group_kind)kind, newest[kind]));
    return SWP_OK;
}

static bool is_open_group_real(const swp_role_writer *w, int step, int position)
{
    const swp_role_group_kind kind = swp_sync_roles_group_kind(w, position);
    for (int i = position; i >= 0 && swp_sync_roles_group_kind(w, i) == kind; i--) {
        if (i < position && w->plan->commits[i])
            break;
        if (swp_sync_roles_is_in_run(w, swp_sync_roles_iteration(w->r, w->plan->ops[i], step), 0,
                                     0))
            return true;
    }
    return false;
}

/* The kernel counts the groups of ops that are missing before it; those that it cannot meet any more need none. */
static bool is_filled(const swp_role_writer *w, int point)
{
    return w->is_prologue && point >= w->fill_from;
}

swp_status swp_sync_roles_number_group(swp_role_writer *w, int step, int position)
{
    const swp_role_group_kind kind = swp_sync_roles_group_kind(w, position);
    const int point = 2 * (step * w->plan->count + position);
    if (kind == SWP_ROLE_GROUP_KINDS)
        return SWP_OK;
    const bool counts = is_open_group_real(w, step, position) || is_filled(w, point);
    const swp_role_group_queue *q = &w->queues[kind];
    *number_of(w, step, position) = counts ? q->ended : q->ended - 1;
    return counts && w->plan->commits[position]
               ? end_group(w, kind, point, is_open_group_real(w, step, position))
               : SWP_OK;
}

swp_status swp_sync_roles_drain(swp_role_writer *w)
{
    for (int kind = 0; kind < SWP_ROLE_GROUP_KINDS; kind++)
        if (w->queues[kind].ended > 0)
            SWP_TRY(retire(w, (swp_role_group_kind)kind, w->queues[kind].ended - 1));
    return SWP_OK;
}

int swp_sync_roles_first_in_flight(const swp_role_writer *w)
{
    int first = INT_MAX;
    for (int kind = 0; kind < SWP_ROLE_GROUP_KINDS; kind++) {
        const swp_role_group_queue *q = &w->queues[kind];
        for (int i = q->retired; i < q->ended; i++)
            if (q->real[i] && q->point[i] < first)
                first = q->point[i];
    }
    return first;
}
