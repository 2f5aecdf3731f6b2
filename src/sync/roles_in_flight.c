/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of wgmmas and of bulk stores that a list leaves in flight, and the waits that retire them (docs/roles-proof.md, "Derivation"). */
#include "sync/roles_writer.h"

#include <limits.h>

static bool is_of_groups(swp_sync_object object)
{
    return swp_ir_sync_object_row(object)->completes == SWP_COMPLETES_BY_GROUP;
}

swp_status swp_sync_roles_new_queues(swp_role_writer *w, size_t ops)
{
    for (int object = 0; object < swp_ir_sync_table.object_count; object++) {
        swp_role_group_queue *q = &w->queues[object];
        *q = (swp_role_group_queue){0};
        if (!is_of_groups((swp_sync_object)object))
            continue;
        SWP_TRY(SWP_TAKE(w->r->ctx, ops, &q->real));
        SWP_TRY(SWP_TAKE(w->r->ctx, ops, &q->point));
        SWP_TRY(SWP_TAKE(w->r->ctx, ops, &q->number));
    }
    return SWP_OK;
}

swp_sync_object swp_sync_roles_grouped_by(const swp_role_writer *w, int position)
{
    const swp_sync_object object =
        swp_ir_sync_tracker(swp_sync_roles_completion(w->r, w->plan->ops[position]));
    return is_of_groups(object) ? object : SWP_NO_OBJECT;
}

static swp_op operation_on(swp_sync_object object, int tag)
{
    return swp_sync_roles_sync_op(tag, swp_ir_op_form(swp_ir_sync_object_row(object)->tracks)->by);
}

static swp_status end_group(swp_role_writer *w, swp_sync_object object, int point, bool real)
{
    swp_role_group_queue *q = &w->queues[object];
    q->point[q->ended] = point;
    q->real[q->ended++] = real;
    /* Before the first op there is nothing that is counted. */
    for (int i = 0; i < q->ended; i++)
        if (q->real[i])
            return swp_sync_roles_emit(w, operation_on(object, swp_ir_sync_commit_of(object)));
    return SWP_OK;
}

static bool has_op_in_flight(const swp_role_group_queue *q, int end)
{
    for (int i = q->retired; i < end; i++)
        if (q->real[i])
            return true;
    return false;
}

/* Slots that are given back were read, so that a wait for that is enough, where there is one. */
static int wait_of(swp_sync_object object)
{
    const int of_reads = swp_ir_sync_wait_of(object, true);
    return of_reads >= 0 ? of_reads : swp_ir_sync_wait_of(object, false);
}

/* All groups up to one of this number are retired. */
static swp_status retire(swp_role_writer *w, swp_sync_object object, int number)
{
    swp_role_group_queue *q = &w->queues[object];
    const bool waits_for_any = has_op_in_flight(q, number + 1);
    if (number + 1 > q->retired)
        q->retired = number + 1;
    if (!waits_for_any)
        return SWP_OK;
    swp_op op = operation_on(object, wait_of(object));
    op.wait_value = swp_ir_sync_object_row(object)->any_order ? 0 : q->ended - 1 - number;
    return swp_sync_roles_emit(w, op);
}

static int *number_of(const swp_role_writer *w, int step, int position)
{
    swp_role_group_queue *const queue =
        (swp_role_group_queue *)&w->queues[swp_sync_roles_grouped_by(w, position)];
    return &queue->number[(step - w->begin) * w->plan->count + position];
}

swp_status swp_sync_roles_meet_needs(swp_role_writer *w, int point)
{
    int newest[SWP_MOST_SYNC_ROWS] = {0}; /* and one more; 0: none */
    for (size_t i = 0; i < w->plan->needs.count; i++) {
        const swp_role_need *need = &w->plan->needs.items[i];
        int version = 0;
        if (need->dropped || !swp_sync_roles_version_at(w, point, need->point, &version) ||
            (!w->is_prologue && !swp_sync_roles_is_in_run(w, version, need->least, need->ahead)) ||
            !swp_sync_roles_is_needed(w, need->given_back, version))
            continue;
        const int op = w->plan->ops[need->target];
        const int step = swp_sync_roles_step_of(w->r, op, version + need->shift);
        const swp_sync_object object = swp_sync_roles_grouped_by(w, need->target);
        if (object == SWP_NO_OBJECT || step < w->begin ||
            (!w->is_prologue && !swp_sync_roles_is_in_run(w, version + need->shift, 0, 0)))
            continue;
        const int number = *number_of(w, step, need->target) + 1;
        newest[object] = number > newest[object] ? number : newest[object];
    }
    for (int object = 0; object < swp_ir_sync_table.object_count; object++)
        if (newest[object] > 0)
            SWP_TRY(retire(w, (swp_sync_object)object, newest[object] - 1));
    return SWP_OK;
}

static bool is_open_group_real(const swp_role_writer *w, int step, int position)
{
    const swp_sync_object object = swp_sync_roles_grouped_by(w, position);
    for (int i = position; i >= 0 && swp_sync_roles_grouped_by(w, i) == object; i--) {
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
    const swp_sync_object object = swp_sync_roles_grouped_by(w, position);
    const int point = 2 * (step * w->plan->count + position);
    if (object == SWP_NO_OBJECT)
        return SWP_OK;
    const bool counts = is_open_group_real(w, step, position) || is_filled(w, point);
    const swp_role_group_queue *q = &w->queues[object];
    *number_of(w, step, position) = counts ? q->ended : q->ended - 1;
    return counts && w->plan->commits[position]
               ? end_group(w, object, point, is_open_group_real(w, step, position))
               : SWP_OK;
}

swp_status swp_sync_roles_drain(swp_role_writer *w)
{
    for (int object = 0; object < swp_ir_sync_table.object_count; object++)
        if (w->queues[object].ended > 0)
            SWP_TRY(retire(w, (swp_sync_object)object, w->queues[object].ended - 1));
    return SWP_OK;
}

int swp_sync_roles_first_in_flight(const swp_role_writer *w)
{
    int first = INT_MAX;
    for (int object = 0; object < swp_ir_sync_table.object_count; object++) {
        const swp_role_group_queue *q = &w->queues[object];
        for (int i = q->retired; i < q->ended; i++)
            if (q->real[i] && q->point[i] < first)
                first = q->point[i];
    }
    return first;
}
