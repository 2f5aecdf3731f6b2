/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the lists of a role: its ops step by step, with what was found for the points between them. How many groups
 * may be left in flight follows from those that the list has ended by then.
 */
#include "sync/roles.h"

#include "swp/phase.h"

#include <limits.h>

/* The groups of matrix ops, or of bulk stores. They are retired in order. */
typedef struct group_queue {
    int ended;   /* groups so far; the next one has this number */
    int retired; /* the first so many */
    bool *real;  /* of each group: it has an op */
    int *point;  /* of each group: where it ended */
    int *number; /* of the group of each op in each step */
} group_queue;

typedef enum group_kind { MATRIX, BULK, GROUP_KINDS } group_kind;

typedef struct list_writer {
    swp_roles *r;
    const swp_role_plan *plan;
    swp_entry_builder builder;
    group_queue queues[GROUP_KINDS];
    int begin;       /* the first step that is followed */
    bool is_silent;  /* the steps before the list's own */
    bool from_start; /* the run begins with this list */
    bool is_prologue;
    int fill_from; /* from this point on what is missing counts as an empty group, as the kernel counts groups */
    int n; /* iterations from the list's base; -1: not known, more than there are in the list */
    int ends_from;  /* the step from which on no other list follows */
    bool is_fenced; /* what ordinary instructions of the list did so far, for asynchronous ones */
    bool has_fence; /* of registers */
    swp_role_registers registers;
} list_writer;

static group_kind kind_of(const list_writer *w, int position)
{
    const swp_completion completion = swp_sync_roles_completion(w->r, w->plan->ops[position]);
    return completion == SWP_COMPLETION_MATRIX_GROUP  ? MATRIX
           : completion == SWP_COMPLETION_STORE_GROUP ? BULK
                                                      : GROUP_KINDS;
}

static swp_status emit(list_writer *w, swp_op op)
{
    return w->is_silent ? SWP_OK : swp_entry_builder_emit(&w->builder, op, false);
}

static swp_op sync_op(int tag, swp_threads by)
{
    swp_op op = swp_op_none();
    op.tag = tag;
    op.by = by;
    op.role = SWP_SYNC;
    op.resource = SWP_SCALAR;
    return op;
}

/* --- Which versions a list has to do with --- */

static bool is_in_run(const list_writer *w, int version, int least, int ahead)
{
    return (!w->from_start || version >= least) && (w->n < 0 || version + ahead < w->n);
}

/* Nobody waits for a slot that no version takes again, so no arrival of its phase is needed. */
static bool is_needed(const list_writer *w, int given_back, int version)
{
    if (given_back < 0 || w->n < 0)
        return true;
    const swp_role_channel *channel = &w->r->channels.items[given_back];
    return version + channel->reuse < w->n || version + channel->early < w->ends_from;
}

/* The version that has something at this point; false: none. */
static bool version_at(const list_writer *w, int point, int of_first, int *version)
{
    const int period = 2 * w->plan->count;
    *version = swp_sync_roles_floor(point - of_first, period);
    return point - of_first == *version * period;
}

/* --- Groups --- */

static swp_status end_group(list_writer *w, group_kind kind, int point, bool real)
{
    static const struct {
        int tag;
        swp_threads by;
    } ends[] = {[MATRIX] = {SWP_TAG_MATRIX_COMMIT, SWP_ALL_THREADS},
                [BULK] = {SWP_TAG_BULK_COMMIT, SWP_ONE_THREAD}};
    group_queue *q = &w->queues[kind];
    q->point[q->ended] = point;
    q->real[q->ended++] = real;
    /* Before the first op there is nothing that is counted. */
    for (int i = 0; i < q->ended; i++)
        if (q->real[i])
            return emit(w, sync_op(ends[kind].tag, ends[kind].by));
    return SWP_OK;
}

static bool has_op_in_flight(const group_queue *q, int end)
{
    for (int i = q->retired; i < end; i++)
        if (q->real[i])
            return true;
    return false;
}

/* All groups up to one of this number are retired. */
static swp_status retire(list_writer *w, group_kind kind, int number)
{
    static const struct {
        int tag;
        swp_threads by;
    } waits[] = {[MATRIX] = {SWP_TAG_MATRIX_WAIT, SWP_ALL_THREADS},
                 [BULK] = {SWP_TAG_BULK_WAIT_READ, SWP_ONE_THREAD}};
    group_queue *q = &w->queues[kind];
    const bool waits_for_any = has_op_in_flight(q, number + 1);
    if (number + 1 > q->retired)
        q->retired = number + 1;
    if (!waits_for_any)
        return SWP_OK;
    swp_op op = sync_op(waits[kind].tag, waits[kind].by);
    op.wait_value = q->ended - 1 - number;
    return emit(w, op);
}

static int *number_of(const list_writer *w, int step, int position)
{
    group_queue *const queue = (group_queue *)&w->queues[kind_of(w, position)];
    return &queue->number[(step - w->begin) * w->plan->count + position];
}

static swp_status do_needs(list_writer *w, int point)
{
    int newest[GROUP_KINDS] = {-1, -1};
    for (size_t i = 0; i < w->plan->needs.count; i++) {
        const swp_role_need *need = &w->plan->needs.items[i];
        int version = 0;
        if (need->dropped || !version_at(w, point, need->point, &version) ||
            (!w->is_prologue && !is_in_run(w, version, need->least, need->ahead)) ||
            !is_needed(w, need->given_back, version))
            continue;
        const int op = w->plan->ops[need->target];
        const int step = swp_sync_roles_step_of(w->r, op, version + need->shift);
        const group_kind kind = kind_of(w, need->target);
        if (step < w->begin || (!w->is_prologue && !is_in_run(w, version + need->shift, 0, 0)))
            continue;
        const int number = *number_of(w, step, need->target);
        newest[kind] = number > newest[kind] ? number : newest[kind];
    }
    for (int kind = 0; kind < GROUP_KINDS; kind++)
        if (newest[kind] >= 0)
            SWP_TRY(retire(w, (group_kind)kind, newest[kind]));
    return SWP_OK;
}

/* --- Items --- */

static swp_op op_of_item(const list_writer *w, const swp_role_item *item, int version)
{
    swp_op op = sync_op(item->tag, item->by);
    op.bytes = item->bytes;
    if (item->object < 0)
        return op;
    op.object = w->r->number[item->object];
    if (w->r->objects.items[item->object].kind == SWP_OBJECT_MBARRIER)
        op.iteration = version + item->turn;
    else
        op.slot_step = 1;
    return op;
}

static swp_status do_items(list_writer *w, int point)
{
    for (size_t i = 0; i < w->plan->items.count; i++) {
        const swp_role_item *item = &w->plan->items.items[i];
        int version = 0;
        if (item->dropped || !version_at(w, point, item->point, &version) ||
            !is_in_run(w, version, item->least, item->ahead) ||
            !is_needed(w, item->given_back, version))
            continue;
        if (item->tag == SWP_TAG_FENCE_ASYNC && w->is_fenced)
            continue;
        w->is_fenced |= item->tag == SWP_TAG_FENCE_ASYNC;
        SWP_TRY(emit(w, op_of_item(w, item, version)));
    }
    return SWP_OK;
}

/* --- Ops --- */

/*
 * What is known to run is fenced where it needs it; a pass where any does. The passes count on the fences before ops
 * that are missing in the prologue.
 */
static bool is_fenced_before(const list_writer *w, int position, int iteration)
{
    const bool runs = is_in_run(w, iteration, 0, 0);
    if (runs && (w->n >= 0 || w->from_start) &&
        swp_sync_roles_needs_fence(w->r, &w->registers, w->plan->ops[position], iteration))
        return true;
    if (w->n >= 0 || !w->plan->fences[position])
        return false;
    return !w->from_start || w->registers.touched;
}

static swp_status fence_registers(list_writer *w, int position, int iteration)
{
    if (!is_fenced_before(w, position, iteration))
        return SWP_OK;
    swp_sync_roles_fence(w->r, &w->registers);
    w->has_fence = true;
    return emit(w, sync_op(SWP_TAG_MATRIX_FENCE, SWP_ALL_THREADS));
}

/* Passes have none before registers that only wgmmas touch. */
static bool needs_first_fence(const list_writer *w)
{
    for (int i = 0; i < w->plan->count; i++)
        if (kind_of(w, i) == MATRIX && !w->plan->fences[i])
            return !w->has_fence;
    return false;
}

static const swp_role_channel *channel_of(const list_writer *w, int position)
{
    for (size_t i = 0; i < w->r->channels.count; i++) {
        const swp_role_channel *c = &w->r->channels.items[i];
        if (&w->r->plans[c->role] == w->plan && c->first <= position && position <= c->last)
            return c;
    }
    return NULL;
}

/* What a copy brings; the expectation of its channel is the sum. */
static int bytes_of(const list_writer *w, int op)
{
    const swp_loop_op *o = &w->r->loop->ops[op];
    int64_t bytes = 0;
    for (size_t i = 0; i < o->write_count; i++)
        if (w->r->loop->values[o->writes[i]].space == SWP_SPACE_SHARED)
            bytes += w->r->loop->values[o->writes[i]].bytes;
    return (int)(bytes / w->plan->instances);
}

static swp_status do_op(list_writer *w, int position, int iteration)
{
    const int number = w->plan->ops[position];
    const swp_completion completion = swp_sync_roles_completion(w->r, number);
    swp_op op = swp_op_none();
    op.tag = swp_tag_of_loop_op(number);
    op.iteration = iteration;
    op.latency = (int)w->r->loop->ops[number].latency;
    op.by = completion == SWP_COMPLETION_COPY_MBARRIER || completion == SWP_COMPLETION_STORE_GROUP
                ? SWP_ONE_THREAD
                : SWP_ALL_THREADS;
    if (completion == SWP_COMPLETION_COPY_MBARRIER) {
        op.object = w->r->number[channel_of(w, position)->full];
        op.bytes = bytes_of(w, number);
    }
    swp_sync_roles_touch(w->r, &w->registers, number, iteration);
    w->is_fenced &= completion != SWP_COMPLETION_NONE;
    return emit(w, op);
}

static bool is_open_group_real(const list_writer *w, int step, int position)
{
    const group_kind kind = kind_of(w, position);
    for (int i = position; i >= 0 && kind_of(w, i) == kind; i--) {
        if (i < position && w->plan->commits[i])
            break;
        if (is_in_run(w, swp_sync_roles_iteration(w->r, w->plan->ops[i], step), 0, 0))
            return true;
    }
    return false;
}

/* The kernel counts the groups of ops that are missing before it; those that it cannot meet any more need none. */
static bool is_filled(const list_writer *w, int point)
{
    return w->is_prologue && point >= w->fill_from;
}

static swp_status number_group(list_writer *w, int step, int position)
{
    const group_kind kind = kind_of(w, position);
    const int point = 2 * (step * w->plan->count + position);
    if (kind == GROUP_KINDS)
        return SWP_OK;
    const bool counts = is_open_group_real(w, step, position) || is_filled(w, point);
    const group_queue *q = &w->queues[kind];
    *number_of(w, step, position) = counts ? q->ended : q->ended - 1;
    return counts && w->plan->commits[position]
               ? end_group(w, kind, point, is_open_group_real(w, step, position))
               : SWP_OK;
}

static swp_status do_position(list_writer *w, int step, int position)
{
    const int iteration = swp_sync_roles_iteration(w->r, w->plan->ops[position], step);
    const int point = 2 * (step * w->plan->count + position);
    SWP_TRY(do_needs(w, point));
    SWP_TRY(do_items(w, point));
    SWP_TRY(fence_registers(w, position, iteration));
    if (is_in_run(w, iteration, 0, 0))
        SWP_TRY(do_op(w, position, iteration));
    SWP_TRY(number_group(w, step, position));
    SWP_TRY(do_needs(w, point + 1));
    return do_items(w, point + 1);
}

static swp_status do_steps(list_writer *w, int begin, int end)
{
    for (int step = begin; step < end; step++)
        for (int i = 0; i < w->plan->count; i++)
            SWP_TRY(do_position(w, step, i));
    return SWP_OK;
}

/* --- Lists --- */

/* Steps by which synchronisation stands before the first op of a version, and behind the last. */
static void find_reach(const swp_roles *r, const swp_role_plan *plan, int *before, int *behind)
{
    *before = r->least;
    *behind = 0;
    for (size_t i = 0; i < plan->items.count; i++) {
        const swp_role_item *item = &plan->items.items[i];
        const int step = swp_sync_roles_step(plan, item->point);
        *before = -(step + item->least) > *before ? -(step + item->least) : *before;
        *behind = step + 1 > *behind ? step + 1 : *behind;
    }
}

static swp_status begin(list_writer *w, swp_phase phase, int first, int end)
{
    const size_t steps = (size_t)(end - first) + 1;
    w->builder = swp_entry_builder_new(w->r->ctx, phase);
    w->begin = first;
    w->has_fence = false;
    w->is_fenced = false;
    SWP_TRY(swp_sync_roles_registers_new(w->r, w->from_start, &w->registers));
    for (int kind = 0; kind < GROUP_KINDS; kind++) {
        group_queue *q = &w->queues[kind];
        *q = (group_queue){0};
        SWP_TRY(SWP_TAKE(w->r->ctx, steps * (size_t)w->plan->count + 1, &q->real));
        SWP_TRY(SWP_TAKE(w->r->ctx, steps * (size_t)w->plan->count + 1, &q->point));
        SWP_TRY(SWP_TAKE(w->r->ctx, steps * (size_t)w->plan->count + 1, &q->number));
    }
    return SWP_OK;
}

/* What is in flight at the end is retired. */
static swp_status drain(list_writer *w)
{
    for (int kind = 0; kind < GROUP_KINDS; kind++)
        if (w->queues[kind].ended > 0)
            SWP_TRY(retire(w, (group_kind)kind, w->queues[kind].ended - 1));
    return SWP_OK;
}

/* Where the first group ended that is in flight; INT_MAX: there is none. */
static int first_in_flight(const list_writer *w)
{
    int first = INT_MAX;
    for (int kind = 0; kind < GROUP_KINDS; kind++) {
        const group_queue *q = &w->queues[kind];
        for (int i = q->retired; i < q->ended; i++)
            if (q->real[i] && q->point[i] < first)
                first = q->point[i];
    }
    return first;
}

static swp_status write_prologue(list_writer w, int before, swp_entry_list *out)
{
    w.from_start = true;
    w.is_prologue = true;
    w.n = -1;
    w.fill_from = INT_MIN;
    w.is_silent = true;
    SWP_TRY(begin(&w, SWP_PROLOGUE, -before, w.r->extra));
    SWP_TRY(do_steps(&w, -before, w.r->extra));
    w.fill_from = first_in_flight(&w);
    w.is_silent = false;
    SWP_TRY(begin(&w, SWP_PROLOGUE, -before, w.r->extra));
    SWP_TRY(do_steps(&w, -before, w.r->extra));
    if (needs_first_fence(&w))
        SWP_TRY(emit(&w, sync_op(SWP_TAG_MATRIX_FENCE, SWP_ALL_THREADS)));
    *out = w.builder.entries;
    return SWP_OK;
}

/* Steps after which groups are retired as in every later one. */
enum { SETTLED = 2 * SWP_MOST_SLOTS };

static swp_status write_behind(list_writer w, swp_phase phase, int end, int n, swp_entry_list *out)
{
    const int first = w.r->extra - SETTLED - w.r->least;
    w.n = -1;
    SWP_TRY(begin(&w, phase, first, end));
    w.is_silent = true;
    SWP_TRY(do_steps(&w, first, w.r->extra));
    w.is_silent = false;
    w.is_fenced = false;
    w.n = n;
    w.ends_from = w.r->extra;
    SWP_TRY(do_steps(&w, w.r->extra, end));
    if (phase == SWP_EPILOGUE)
        SWP_TRY(drain(&w));
    *out = w.builder.entries;
    return SWP_OK;
}

static swp_status write_straight(list_writer w, int before, int behind, int n, swp_entry_list *out)
{
    const int end = behind > 0 ? n + behind : n;
    w.from_start = true;
    w.n = n;
    w.ends_from = INT_MIN;
    SWP_TRY(begin(&w, SWP_EPILOGUE, -before, end));
    SWP_TRY(do_steps(&w, -before, end));
    SWP_TRY(drain(&w));
    *out = w.builder.entries;
    return SWP_OK;
}

swp_status swp_sync_roles_write_lists(swp_roles *r, int role, swp_stream *out)
{
    const list_writer w = {.r = r, .plan = &r->plans[role]};
    const int least = r->least + r->extra;
    int before = 0;
    int behind = 0;
    find_reach(r, w.plan, &before, &behind);
    out->tails.epilogue_count = (size_t)r->unroll - 1;
    out->tails.straight_count = (size_t)least;
    SWP_TRY(SWP_TAKE(r->ctx, out->tails.epilogue_count, &out->tails.epilogues));
    SWP_TRY(SWP_TAKE(r->ctx, out->tails.straight_count, &out->tails.straight));
    SWP_TRY(write_prologue(w, before, &out->prologue));
    SWP_TRY(write_behind(w, SWP_KERNEL, r->extra + r->unroll, -1, &out->kernel));
    for (int rest = 0; rest < r->unroll; rest++)
        SWP_TRY(write_behind(w, SWP_EPILOGUE, least + rest + behind, least + rest,
                             rest == 0 ? &out->epilogue : &out->tails.epilogues[rest - 1]));
    for (int n = 0; n < least; n++)
        SWP_TRY(write_straight(w, before, behind, n, &out->tails.straight[n]));
    return SWP_OK;
}
