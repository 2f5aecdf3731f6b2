/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the steps of a role: its ops, with what was found for the points between them. */
#include "sync/roles_writer.h"

swp_status swp_sync_roles_emit(swp_role_writer *w, swp_op op)
{
    return w->is_silent ? SWP_OK : swp_entry_builder_emit(&w->builder, op, false);
}

swp_op swp_sync_roles_sync_op(int tag, swp_threads by)
{
    swp_op op = swp_op_none();
    op.tag = tag;
    op.by = by;
    op.role = SWP_SYNC;
    op.resource = SWP_SCALAR;
    return op;
}

bool swp_sync_roles_is_in_run(const swp_role_writer *w, int version, int least, int ahead)
{
    return (!w->from_start || version >= least) && (w->n < 0 || version + ahead < w->n);
}

bool swp_sync_roles_is_needed(const swp_role_writer *w, int given_back, int version)
{
    if (given_back < 0 || w->n < 0 || w->r->output_tiles)
        return true;
    const swp_role_channel *channel = &w->r->channels.items[given_back];
    return version + channel->reuse < w->n || version + channel->early < w->ends_from;
}

bool swp_sync_roles_version_at(const swp_role_writer *w, int point, int of_first, int *version)
{
    const int period = 2 * w->plan->count;
    *version = swp_sync_roles_floor(point - of_first, period);
    return point - of_first == *version * period;
}

/* --- Items --- */

static swp_op op_of_item(const swp_role_writer *w, const swp_role_item *item, int version)
{
    swp_op op = swp_sync_roles_sync_op(item->tag, item->by);
    op.bytes = item->bytes;
    op.to = item->to;
    if (item->object < 0)
        return op;
    op.object = w->r->number[item->object];
    if (w->r->objects.items[item->object].kind == SWP_OBJECT_MBARRIER)
        op.iteration = version + item->turn;
    else
        op.slot_step = 1;
    return op;
}

static swp_status do_items(swp_role_writer *w, int point)
{
    for (size_t i = 0; i < w->plan->items.count; i++) {
        const swp_role_item *item = &w->plan->items.items[i];
        int version = 0;
        if (item->dropped || !swp_sync_roles_version_at(w, point, item->point, &version) ||
            !swp_sync_roles_is_in_run(w, version, item->least, item->ahead) ||
            !swp_sync_roles_is_needed(w, item->given_back, version))
            continue;
        if (item->tag == SWP_TAG_FENCE_ASYNC && w->is_fenced)
            continue;
        w->is_fenced |= item->tag == SWP_TAG_FENCE_ASYNC;
        SWP_TRY(swp_sync_roles_emit(w, op_of_item(w, item, version)));
    }
    return SWP_OK;
}

/* --- Ops --- */

/*
 * What is known to run is fenced where it needs it; a pass where any does. The passes count on the fences before ops
 * that are missing in the prologue.
 */
static bool is_fenced_before(const swp_role_writer *w, int position, int iteration)
{
    const bool runs = swp_sync_roles_is_in_run(w, iteration, 0, 0);
    if (runs && (w->n >= 0 || w->from_start) &&
        swp_sync_roles_needs_fence(w->r, &w->registers, w->plan->ops[position], iteration))
        return true;
    if (runs && w->n >= 0 && !w->from_start && !w->has_fence) /* there may have been no pass */
        return w->plan->fences[position];
    if (w->n >= 0 || !w->plan->fences[position])
        return false;
    return !w->from_start || w->registers.accessed;
}

static swp_status fence_registers(swp_role_writer *w, int position, int iteration)
{
    if (!is_fenced_before(w, position, iteration))
        return SWP_OK;
    swp_sync_roles_fence(w->r, &w->registers, w->plan->ops[position], iteration);
    w->has_fence = true;
    return swp_sync_roles_emit(w, swp_sync_roles_sync_op(SWP_TAG_MATRIX_FENCE, SWP_ALL_THREADS));
}

bool swp_sync_roles_needs_first_fence(const swp_role_writer *w)
{
    for (int i = 0; i < w->plan->count; i++)
        if (swp_ir_sync_object_row(swp_sync_roles_grouped_by(w, i))->collective &&
            !w->plan->fences[i])
            return !w->has_fence;
    return false;
}

static const swp_role_channel *channel_of(const swp_role_writer *w, int position)
{
    for (size_t i = 0; i < w->r->channels.count; i++) {
        const swp_role_channel *c = &w->r->channels.items[i];
        if (&w->r->plans[c->role] == w->plan && c->first <= position && position <= c->last)
            return c;
    }
    return NULL;
}

/* What a copy brings, to each work group; the expectation of its channel is the sum of all work groups'. */
static int bytes_of(const swp_role_writer *w, int op)
{
    const swp_loop *loop = w->r->loop;
    return (int)swp_ir_written_bytes(loop, &loop->ops[op], w->plan->instances,
                                     swp_ir_ranks(w->r->schedule));
}

/* They stand between two lists. */
static void pass_over_passes(swp_role_writer *w, int number, int iteration)
{
    swp_sync_roles_access_registers(w->r, &w->registers, number, iteration);
    w->is_fenced = false;
    w->before_passes = w->builder.entries;
    w->builder = swp_entry_builder_new(w->r->ctx, SWP_END);
}

static swp_status do_op(swp_role_writer *w, int position, int iteration)
{
    const int number = w->plan->ops[position];
    if (w->r->output_tiles && number >= w->r->passes) {
        pass_over_passes(w, number, iteration);
        return SWP_OK;
    }
    const swp_completion completion = swp_sync_roles_completion(w->r, number);
    swp_op op = swp_op_none();
    op.tag = swp_tag_of_loop_op(number);
    op.iteration = iteration;
    op.latency = (int)w->r->loop->ops[number].latency;
    const swp_op_form *form = swp_ir_op_form(completion);
    op.by = form ? form->by : SWP_ALL_THREADS;
    if (form && form->bytes) {
        op.object = w->r->number[channel_of(w, position)->full];
        op.bytes = bytes_of(w, number);
    }
    swp_sync_roles_access_registers(w->r, &w->registers, number, iteration);
    w->is_fenced &= completion != SWP_COMPLETION_NONE;
    return swp_sync_roles_emit(w, op);
}

static swp_status do_position(swp_role_writer *w, int step, int position)
{
    const int iteration = swp_sync_roles_iteration(w->r, w->plan->ops[position], step);
    const int point = 2 * (step * w->plan->count + position);
    SWP_TRY(swp_sync_roles_meet_needs(w, point));
    SWP_TRY(do_items(w, point));
    SWP_TRY(fence_registers(w, position, iteration));
    if (swp_sync_roles_is_in_run(w, iteration, 0, 0))
        SWP_TRY(do_op(w, position, iteration));
    SWP_TRY(swp_sync_roles_number_group(w, step, position));
    SWP_TRY(swp_sync_roles_meet_needs(w, point + 1));
    return do_items(w, point + 1);
}

swp_status swp_sync_roles_do_steps(swp_role_writer *w, int begin, int end)
{
    for (int step = begin; step < end; step++)
        for (int i = 0; i < w->plan->count; i++)
            SWP_TRY(do_position(w, step, i));
    return SWP_OK;
}

swp_status swp_sync_roles_begin(swp_role_writer *w, swp_phase phase, int first, int end)
{
    const size_t steps = (size_t)(end - first) + 1;
    w->builder = swp_entry_builder_new(w->r->ctx, phase);
    w->begin = first;
    w->has_fence = false;
    w->is_fenced = false;
    SWP_TRY(swp_sync_roles_registers_new(w->r, w->from_start, &w->registers));
    return swp_sync_roles_new_queues(w, steps * (size_t)w->plan->count + 1);
}
