/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_explorer_run.h"

#include <stdlib.h>

/* --- Steps --- */

typedef struct builder {
    rx_run *run;
    rx_instance *instance;
    const int *first_cell; /* of each object, and of the work group's barrier */
    int *meetings;         /* of the instance so far, by cell */
} builder;

static int floored(int a, int b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

static rx_kind kind_of_tag(int tag)
{
    switch (tag) {
    case SWP_TAG_ARRIVE:
    case SWP_TAG_ARRIVE_EXPECT:
        return RX_ARRIVE;
    case SWP_TAG_WAIT_PHASE:
        return RX_WAIT_PHASE;
    case SWP_TAG_BARRIER:
    case SWP_TAG_NAMED_SYNC:
    case SWP_TAG_NAMED_ARRIVE:
        return RX_MEET;
    case SWP_TAG_MATRIX_COMMIT:
        return RX_MATRIX_COMMIT;
    case SWP_TAG_MATRIX_WAIT:
        return RX_MATRIX_WAIT;
    case SWP_TAG_MATRIX_FENCE:
        return RX_MATRIX_FENCE;
    case SWP_TAG_BULK_COMMIT:
        return RX_BULK_COMMIT;
    case SWP_TAG_BULK_WAIT:
        return RX_BULK_WAIT;
    case SWP_TAG_BULK_WAIT_READ:
        return RX_BULK_WAIT_READ;
    case SWP_TAG_FENCE_ASYNC:
        return RX_FENCE_ASYNC;
    default:
        abort();
    }
}

static rx_kind kind_of_op(swp_completion completion)
{
    switch (completion) {
    case SWP_COMPLETION_COPY_MBARRIER:
        return RX_COPY;
    case SWP_COMPLETION_MATRIX_GROUP:
        return RX_MATRIX;
    case SWP_COMPLETION_STORE_GROUP:
        return RX_STORE;
    default:
        return RX_ORDINARY;
    }
}

static bool is_work(int tag)
{
    return tag < SWP_FIRST_INFRASTRUCTURE_TAG || tag > SWP_TAG_NONE;
}

static void append(rx_instance *instance, rx_step step)
{
    instance->steps =
        rx_grown(instance->steps, instance->count, &instance->capacity, sizeof *instance->steps);
    instance->steps[instance->count++] = step;
}

/* The mbarrier's slot and phase of a turn. */
static void name_phase(const builder *b, rx_step *step, const swp_op *op, int base)
{
    const int slots = b->run->schedule->objects[op->object].slots;
    const int turn = base + op->iteration;
    step->number = floored(turn, slots);
    step->cell = b->first_cell[op->object] + turn - step->number * slots;
}

static void name_meeting(const builder *b, rx_step *step, const swp_op *op)
{
    if (op->tag == SWP_TAG_BARRIER) {
        step->cell = b->run->cell_count - 1;
    } else {
        const int slots = b->run->schedule->objects[op->object].slots;
        const int slot = op->slot + op->slot_step * b->instance->number;
        step->cell = b->first_cell[op->object] + slot - floored(slot, slots) * slots;
    }
    step->number = b->meetings[step->cell]++;
}

static void append_entry(builder *b, const swp_op *op, rx_step step, int base)
{
    step.one = op->by == SWP_ONE_THREAD;
    step.op = step.cell = step.retired = step.written = -1;
    step.bytes = op->bytes;
    step.wait = op->wait_value;
    if (is_work(op->tag)) {
        step.op = swp_loop_op_of_tag(op->tag);
        step.iteration = base + op->iteration;
        step.kind = kind_of_op(b->run->loop->ops[step.op].completion);
    } else {
        step.kind = kind_of_tag(op->tag);
    }
    if (step.kind == RX_MEET)
        name_meeting(b, &step, op);
    else if (op->object >= 0)
        name_phase(b, &step, op, base);
    append(b->instance, step);
    if (step.kind == RX_MEET && op->tag != SWP_TAG_NAMED_ARRIVE) {
        step.kind = RX_MET;
        append(b->instance, step);
    }
}

static void append_list(builder *b, swp_phase phase, int pass, int base)
{
    const swp_entry_list *list =
        swp_stream_phase(&b->run->form.streams[b->instance->stream], phase);
    for (int i = 0; i < (int)list->count; i++) {
        const swp_op *op = &list->items[i].op;
        if (op->instances == 0 || op->instances >> b->instance->number & 1)
            append_entry(b, op, (rx_step){.phase = phase, .pass = pass, .entry = i}, base);
    }
}

static void fill_instance(builder *b)
{
    const swp_loop_shape *loop = &b->run->form.loop;
    const int tiles = loop->tiles_per_pass;
    const int passes = tiles > 0 ? (b->run->n - loop->min_tiles) / tiles : 0;
    b->meetings = rx_allocate((size_t)b->run->cell_count, sizeof *b->meetings);
    append_list(b, SWP_PROLOGUE, 0, 0);
    for (int p = 0; p < passes; p++)
        append_list(b, SWP_KERNEL, p, p * tiles);
    append_list(b, SWP_EPILOGUE, 0, passes * tiles);
    free(b->meetings);
}

/* --- Threads and cells --- */

static void fill_threads(rx_run *run, int others)
{
    run->threads = rx_allocate((size_t)(run->instance_count * (1 + others)), sizeof *run->threads);
    for (int i = 0; i < run->instance_count; i++) {
        rx_instance *instance = &run->instances[i];
        instance->threads = 1 + others;
        instance->first_thread = run->thread_count;
        const int all = RX_WARP * run->form.streams[instance->stream].warps;
        for (int t = 0; t <= others; t++)
            run->threads[run->thread_count++] =
                (rx_thread){instance, t, t < others ? 1 : all - others};
    }
}

static void count_cells(rx_run *run, int *first_cell)
{
    const swp_schedule *s = run->schedule;
    for (size_t i = 0; i < s->object_count; i++) {
        first_cell[i] = run->cell_count;
        run->cell_count += s->objects[i].slots;
    }
    run->cell_count++;
    run->cells = rx_allocate((size_t)run->cell_count, sizeof *run->cells);
    for (size_t i = 0; i < s->object_count; i++)
        for (int slot = 0; slot < s->objects[i].slots; slot++)
            run->cells[first_cell[i] + slot].object = &s->objects[i];
}

/* --- A run --- */

static void find_ops(rx_run *run, const swp_entry_list *list, int stream)
{
    for (size_t i = 0; i < list->count; i++)
        if (is_work(list->items[i].op.tag))
            run->stream_of_op[swp_loop_op_of_tag(list->items[i].op.tag)] = stream;
}

/* In the lists of all forms: one of them may leave an op out. */
static void find_streams_of_ops(rx_run *run)
{
    run->stream_of_op = rx_allocate(run->loop->op_count, sizeof *run->stream_of_op);
    for (size_t i = 0; i < run->loop->op_count; i++)
        run->stream_of_op[i] = -1;
    for (int s = 0; s < (int)run->schedule->stream_count; s++) {
        const swp_stream *stream = &run->schedule->streams[s];
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
            find_ops(run, swp_stream_phase(stream, phase), s);
        for (size_t i = 0; i < stream->tails.epilogue_count; i++)
            find_ops(run, &stream->tails.epilogues[i], s);
        for (size_t i = 0; i < stream->tails.straight_count; i++)
            find_ops(run, &stream->tails.straight[i], s);
    }
}

static void fill_instances(rx_run *run, const int *first_cell)
{
    builder b = {.run = run, .first_cell = first_cell};
    for (size_t s = 0; s < run->form.stream_count; s++)
        run->instance_count += run->form.streams[s].instances;
    run->instances = rx_allocate((size_t)run->instance_count, sizeof *run->instances);
    b.instance = run->instances;
    for (size_t s = 0; s < run->form.stream_count; s++)
        for (int i = 0; i < run->form.streams[s].instances; i++, b.instance++) {
            b.instance->stream = (int)s;
            b.instance->number = i;
            fill_instance(&b);
        }
}

bool rx_run_fill(rx_run *run, const swp_schedule *schedule, int n, int others)
{
    const int form = swp_schedule_form_of(schedule, n);
    *run = (rx_run){.schedule = schedule, .n = n};
    if (form < 0)
        return false;
    run->form = swp_schedule_form(schedule, form);
    run->loop = schedule->dataflow->loop;
    find_streams_of_ops(run);
    int *first_cell = rx_allocate(schedule->object_count, sizeof *first_cell);
    count_cells(run, first_cell);
    fill_instances(run, first_cell);
    free(first_cell);
    fill_threads(run, others);
    rx_link_events(run);
    return true;
}

void rx_run_free(rx_run *run)
{
    for (int i = 0; i < run->instance_count; i++) {
        for (int p = 0; p < run->instances[i].count; p++) {
            free(run->instances[i].steps[p].needs.items);
            free(run->instances[i].steps[p].rules);
        }
        free(run->instances[i].steps);
    }
    for (int i = 0; i < run->event_count; i++) {
        free(run->events[i].issues.items);
        free(run->events[i].needs.items);
        free(run->events[i].returns.items);
    }
    free(run->instances);
    free(run->threads);
    free(run->cells);
    free(run->events);
    free(run->stream_of_op);
    *run = (rx_run){0};
}
