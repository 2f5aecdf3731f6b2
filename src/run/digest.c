/* SPDX-License-Identifier: Apache-2.0 */
/* What tells schedules apart that the executor would execute differently. */
#include "base/require.h"
#include "ir/roles.h"
#include "run/steps.h"
#include "swp/loop.h"
#include "swp/run.h"

#include <stdio.h>

/* FNV-1a, 64 bits. */
typedef struct digest {
    uint64_t state;
} digest;

static void add(digest *d, int64_t number)
{
    for (int byte = 0; byte < 8; byte++) {
        d->state ^= (uint64_t)number >> (8 * byte) & 0xff;
        d->state *= UINT64_C(0x100000001b3);
    }
}

/*
 * Cycles change nothing that can be computed wrong, nor do more waves than two. A single wave needs no
 * barrier: what goes wrong with more of them is right with one.
 */
static void add_machine(digest *d, const swp_machine *machine)
{
    add(d, machine->groups);
    add(d, machine->waves_per_group > 1);
    add(d, machine->lag);
    add(d, machine->lag_prologue_index);
    add(d, machine->lag_end_barrier);
    add(d, (int64_t)machine->barrier);
    add(d, (int64_t)machine->registers);
    add(d, machine->vm_max);
    add(d, machine->lgkm_max);
    add(d, (int64_t)machine->counter_full);
}

static void add_loop(digest *d, const swp_loop_shape *loop)
{
    add(d, loop->tiles_per_pass);
    add(d, loop->first_base);
    add(d, loop->min_tiles);
    add(d, loop->multiple);
    add(d, loop->m_mmas);
    add(d, loop->n_mmas);
    add(d, (int64_t)loop->placement);
}

static void add_op(digest *d, const swp_op *op)
{
    add(d, op->tag);
    add(d, (int64_t)op->role);
    add(d, op->channel);
    add(d, op->stage);
    add(d, op->subtile);
    add(d, (int64_t)op->k_offset);
    add(d, op->wait_value);
    add(d, op->vm_cost);
    add(d, op->lgkm_cost);
}

/* What an entry of warp roles says beyond others. */
static void add_role_op(digest *d, const swp_op *op)
{
    add(d, op->object);
    add(d, op->slot);
    add(d, op->slot_step);
    add(d, op->bytes);
    add(d, (int64_t)op->by);
    add(d, op->instances);
}

static void add_objects(digest *d, const swp_schedule *schedule)
{
    add(d, (int64_t)schedule->object_count);
    for (size_t i = 0; i < schedule->object_count; i++) {
        add(d, (int64_t)schedule->objects[i].kind);
        add(d, schedule->objects[i].slots);
        add(d, schedule->objects[i].arrivals);
        add(d, schedule->objects[i].threads);
    }
}

static void add_values(digest *d, const int *values, size_t count)
{
    add(d, (int64_t)count);
    for (size_t i = 0; i < count; i++)
        add(d, values[i]);
}

/*
 * Of a condition only that there is one: all are tried. What is not stated is `none`, whose number it has: one schedule has one digest, read or compiled.
 */
static int64_t completion_of(const swp_loop_op *op)
{
    enum {
        READS_GLOBAL = 1 << 8,
        WRITES_GLOBAL = 1 << 9,
        MAY_NOT_RUN = 1 << 10,
        MULTICAST = 1 << 11
    };
    const swp_completion stated =
        op->completion == SWP_COMPLETION_NONE ? SWP_COMPLETION_UNSTATED : op->completion;
    return (int64_t)stated | (op->reads_global ? READS_GLOBAL : 0) |
           (op->writes_global ? WRITES_GLOBAL : 0) | (op->multicast ? MULTICAST : 0) |
           (op->when.kind == SWP_WHEN_ALWAYS ? 0 : MAY_NOT_RUN);
}

static void add_loop_op(digest *d, const swp_loop_op *op)
{
    add(d, completion_of(op));
    add(d, op->accesses);
    add(d, (int64_t)op->read_count);
    for (size_t i = 0; i < op->read_count; i++) {
        add(d, op->reads[i].value);
        add(d, op->reads[i].distance);
    }
    add_values(d, op->writes, op->write_count);
    add_values(d, op->updates, op->update_count);
}

static void add_dataflow(digest *d, const swp_loop_dataflow *dataflow)
{
    const swp_loop *loop = dataflow->loop;
    add_values(d, dataflow->slots, loop->value_count);
    for (size_t i = 0; i < loop->value_count; i++)
        add(d, (int64_t)loop->values[i].space);
    add(d, (int64_t)loop->op_count);
    for (size_t i = 0; i < loop->op_count; i++)
        add_loop_op(d, &loop->ops[i]);
}

static void add_entries(digest *d, const swp_entry_list *entries, bool iterations, bool on_objects)
{
    add(d, (int64_t)entries->count);
    for (size_t i = 0; i < entries->count; i++) {
        add_op(d, &entries->items[i].op);
        if (iterations)
            add(d, entries->items[i].op.iteration);
        if (on_objects)
            add_role_op(d, &entries->items[i].op);
    }
}

/* Without output tiles everything is of the pass clock. */
static void add_clocks(digest *d, const swp_schedule *schedule)
{
    const swp_loop *loop = schedule->dataflow ? schedule->dataflow->loop : NULL;
    for (size_t i = 0; i < schedule->object_count; i++)
        add(d, (int64_t)schedule->objects[i].clock);
    for (size_t i = 0; loop && i < loop->op_count; i++)
        add(d, (int64_t)loop->ops[i].clock);
    for (size_t i = 0; i < schedule->stream_count; i++)
        for (swp_phase phase = SWP_BEGIN; phase <= SWP_DRAIN; phase++)
            add_entries(d, swp_stream_phase(&schedule->streams[i], phase), true, true);
}

static void add_targets(digest *d, const swp_entry_list *entries)
{
    for (size_t i = 0; i < entries->count; i++)
        add(d, (int64_t)entries->items[i].op.to);
}

/* With one work group nothing goes beyond it. */
static void add_cluster(digest *d, const swp_schedule *schedule)
{
    add(d, schedule->cluster);
    for (const swp_stream *s = schedule->streams; s < schedule->streams + schedule->stream_count;
         s++) {
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++)
            add_targets(d, swp_stream_phase(s, phase));
        for (size_t i = 0; i < s->tails.epilogue_count; i++)
            add_targets(d, &s->tails.epilogues[i]);
        for (size_t i = 0; i < s->tails.straight_count; i++)
            add_targets(d, &s->tails.straight[i]);
    }
}

static void add_stream(digest *d, const swp_stream *stream, bool dataflow, bool on_objects)
{
    if (on_objects) {
        add(d, stream->warps);
        add(d, stream->instances);
    }
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        add_entries(d, swp_stream_phase(stream, phase), dataflow, on_objects);
    for (size_t i = 0; dataflow && i < stream->tails.epilogue_count; i++)
        add_entries(d, &stream->tails.epilogues[i], true, on_objects);
    for (size_t i = 0; dataflow && i < stream->tails.straight_count; i++)
        add_entries(d, &stream->tails.straight[i], true, on_objects);
}

void swp_schedule_digest(const swp_schedule *schedule, char out[SWP_DIGEST_SIZE])
{
    SWP_REQUIRE_OR(, schedule && out);
    digest d = {UINT64_C(0xcbf29ce484222325)};
    add_machine(&d, &schedule->machine);
    add_loop(&d, &schedule->loop);
    const bool dataflow = schedule->dataflow != NULL;
    if (dataflow)
        add_dataflow(&d, schedule->dataflow);
    const bool on_objects = swp_run_manner_of(schedule)->keeps_rules;
    if (on_objects) {
        add_objects(&d, schedule);
        if (!schedule->machine.fence_reads)
            add(&d,
                0); /* else schedules have the digest that they had before there was the setting */
    }
    if (schedule->drops_loop_barrier)
        add(&d, 0); /* likewise */
    if (schedule->output_tiles)
        add_clocks(&d, schedule);
    if (swp_ir_ranks(schedule) > 1)
        add_cluster(&d, schedule);
    for (size_t i = 0; i < schedule->stream_count; i++)
        add_stream(&d, &schedule->streams[i], dataflow, on_objects);
    (void)snprintf(out, SWP_DIGEST_SIZE, "%016llx", (unsigned long long)d.state);
}
