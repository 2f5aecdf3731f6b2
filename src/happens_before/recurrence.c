/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides whether the order of a run goes on after a pass as it did after an earlier one. The argument is in
 * docs/roles-proof.md, "The proof".
 */
#include "base/divisor.h"
#include "happens_before/run.h"
#include "ir/entry.h"
#include "ir/roles.h"

/* --- How far anything reaches --- */

typedef struct extent {
    int64_t least; /* iterations that entries name, from their base */
    int64_t most;
    int64_t around; /* iterations by which what belongs together is apart besides */
    int64_t
        passes; /* that anything else takes: groups in flight, meetings ahead, slots until they come back */
} extent;

static void stretch(extent *e, const swp_op *op)
{
    if (!swp_ir_is_work(op) && op->object < 0)
        return;
    if (op->iteration < e->least)
        e->least = op->iteration;
    if (op->iteration > e->most)
        e->most = op->iteration;
}

/* A pass that names a slot names it again so many passes later. */
static void add_slots(extent *e, int slots, int unroll)
{
    if (slots < 1)
        return;
    const int64_t cycle = slots / swp_common_divisor(slots, unroll) + 1;
    if (slots > e->around)
        e->around = slots;
    if (cycle > e->passes)
        e->passes = cycle;
}

static void add_all_slots(extent *e, const swp_schedule *schedule)
{
    const int unroll = schedule->loop.tiles_per_pass;
    for (size_t i = 0; i < schedule->object_count; i++)
        add_slots(e, schedule->objects[i].slots, unroll);
    for (size_t v = 0; v < schedule->dataflow->loop->value_count; v++)
        add_slots(e, schedule->dataflow->slots[v], unroll);
}

static int64_t most_distance(const swp_loop *loop)
{
    int64_t most = 0;
    for (size_t i = 0; i < loop->op_count; i++)
        for (size_t r = 0; r < loop->ops[i].read_count; r++)
            if (loop->ops[i].reads[r].distance > most)
                most = loop->ops[i].reads[r].distance;
    return most;
}

static const swp_op *op_at(const swp_happens_program *p, const swp_happens_instance *in,
                           swp_phase list, int index)
{
    const swp_stream *stream = &p->schedule->streams[in->stream];
    return &swp_stream_phase(stream, list)->items[in->lists[list][index]].op;
}

/*
 * Passes of the kernel until as many groups are committed as any wait leaves in flight. Of a queue nobody asks for what is
 * beyond the reach of its op, in flight or not.
 */
static int64_t passes_of_groups(const swp_happens_program *p, const swp_happens_instance *in)
{
    int64_t commits[SWP_MOST_SYNC_ROWS] = {0};
    int64_t most = 0;
    int64_t passes = 0;
    for (swp_phase list = SWP_PROLOGUE; list <= SWP_EPILOGUE; list++)
        for (int i = 0; i < in->lengths[list]; i++) {
            const swp_op *op = op_at(p, in, list, i);
            const swp_sync_operation *operation = swp_ir_sync_operation(op->tag);
            commits[operation->object] += list == SWP_KERNEL && operation->commits;
            if (op->wait_value > most)
                most = op->wait_value;
        }
    for (int sort = 0; sort < SWP_MOST_SYNC_ROWS; sort++)
        if (commits[sort] > 0 && (most + 1) / commits[sort] + 2 > passes)
            passes = (most + 1) / commits[sort] + 2;
    return passes;
}

/* Meetings by which an instance may be ahead when the kernel begins. */
static int64_t meetings_ahead(const swp_happens_program *p, const swp_happens_instance *in)
{
    int64_t count = 2;
    for (int i = 0; i < in->lengths[SWP_PROLOGUE]; i++) {
        const swp_sync_operation *operation =
            swp_ir_sync_operation(op_at(p, in, SWP_PROLOGUE, i)->tag);
        count += operation->arrives && operation->object != SWP_SYNC_GROUP_BARRIER &&
                 swp_ir_sync_completes(operation) == SWP_COMPLETES_BY_MEETING;
    }
    return count;
}

static int clamped(int64_t passes)
{
    enum { MOST = 1 << 28 };
    return passes < MOST ? (int)passes : MOST;
}

static void add_instance(extent *e, const swp_happens_program *p, const swp_happens_instance *in)
{
    const int64_t passes[] = {passes_of_groups(p, in), meetings_ahead(p, in)};
    for (swp_phase list = SWP_PROLOGUE; list <= SWP_EPILOGUE; list++)
        for (int i = 0; i < in->lengths[list]; i++)
            stretch(e, op_at(p, in, list, i));
    for (int i = 0; i < 2; i++)
        if (passes[i] > e->passes)
            e->passes = passes[i];
}

swp_happens_span swp_happens_span_of(const swp_happens_program *p)
{
    const int unroll = p->schedule->loop.tiles_per_pass;
    extent e = {.around = 1};
    if (unroll == 0)
        return (swp_happens_span){0};
    add_all_slots(&e, p->schedule);
    for (int i = 0; i < p->count; i++)
        add_instance(&e, p, &p->instances[i]);
    const int64_t between = e.most - e.least;
    const int64_t apart = e.around + 2 * most_distance(p->schedule->dataflow->loop);
    const int64_t reach = (between + apart) / unroll + 2;
    return (swp_happens_span){.reach = clamped(reach > e.passes ? reach : e.passes),
                              .horizon = clamped(between / unroll + 2)};
}

/* --- Whether it repeats --- */

typedef struct comparison {
    const swp_happens_run *run;
    int earlier;
    int later;
    int reach;
    int first; /* pass of the thread that is furthest behind, of those that come on */
} comparison;

static const swp_happens_instance *instance_of(const comparison *c, int thread)
{
    return &c->run->program->instances[thread / SWP_HAPPENS_THREADS];
}

static int place(const comparison *c, int cut, int thread)
{
    return c->run->cuts.items[cut * c->run->thread_count + thread];
}

/* By how many steps a thread that comes on has moved. */
static int moved_by(const comparison *c, int thread)
{
    return (c->later - c->earlier) * instance_of(c, thread)->lengths[SWP_KERNEL];
}

static bool comes_on(const comparison *c, int thread)
{
    return place(c, c->later, thread) == place(c, c->earlier, thread) + 2 * moved_by(c, thread);
}

/* The pass of the kernel that a thread is in, before pass `cut`; -1: the prologue. */
static int pass_of(const comparison *c, int cut, int thread)
{
    const swp_happens_instance *in = instance_of(c, thread);
    const int step = place(c, cut, thread) / 2;
    if (step >= swp_happens_steps_before(in, cut))
        return cut;
    if (step < in->lengths[SWP_PROLOGUE])
        return -1;
    return (step - in->lengths[SWP_PROLOGUE]) / in->lengths[SWP_KERNEL];
}

/* Each thread comes on, or stays where nothing that comes on asks any more. */
static bool threads_repeat(comparison *c)
{
    c->first = c->earlier;
    for (int t = 0; t < c->run->thread_count; t++) {
        const int pass = pass_of(c, c->earlier, t);
        if (comes_on(c, t) && pass < c->first)
            c->first = pass;
    }
    for (int t = 0; t < c->run->thread_count; t++)
        if (!comes_on(c, t) && (place(c, c->later, t) != place(c, c->earlier, t) ||
                                pass_of(c, c->earlier, t) >= c->first - c->reach))
            return false;
    return c->first >= 2 * c->reach;
}

/* All participants of a barrier have had as many parts in between. */
static int parts_before(const comparison *c, int barrier, int instance, int cut)
{
    const swp_happens_barrier *b = &c->run->barriers[barrier];
    const int at = place(c, cut, swp_happens_thread_of(instance, 0));
    int count = 0;
    while (count < (int)b->parts[instance].count && 2 * b->parts[instance].items[count] + 1 <= at)
        count++;
    return count;
}

static bool barriers_repeat(const comparison *c)
{
    for (int b = 0; b < c->run->barrier_count; b++) {
        const swp_happens_barrier *barrier = &c->run->barriers[b];
        int all = -1;
        for (int i = 0; i < c->run->program->count; i++) {
            if (!barrier->takes_part[i])
                continue;
            const int parts = parts_before(c, b, i, c->later) - parts_before(c, b, i, c->earlier);
            if (all >= 0 && parts != all)
                return false;
            all = parts;
        }
    }
    return true;
}

/* Two clocks' knowledge of a thread: it has moved along, or has stayed where nobody asks any more. */
static bool knows_the_same(const comparison *c, int thread, int earlier, int later)
{
    const swp_happens_instance *in = instance_of(c, thread);
    if (later == earlier)
        return in->lengths[SWP_KERNEL] == 0 ||
               earlier <= 2 * swp_happens_steps_before(in, c->first - c->reach);
    return later == earlier + 2 * moved_by(c, thread) && earlier >= 2 * in->lengths[SWP_PROLOGUE];
}

static bool clocks_repeat(const comparison *c, int earlier, int later)
{
    for (int t = 0; t < c->run->thread_count; t++)
        if (!knows_the_same(c, t, c->run->clocks.items[earlier][t], c->run->clocks.items[later][t]))
            return false;
    return true;
}

/* The clocks of all steps of a thread that anything may still ask about. */
static bool thread_repeats(const comparison *c, int thread)
{
    const swp_happens_thread *t = &c->run->threads[thread];
    const int from = swp_happens_steps_before(instance_of(c, thread), c->first - c->reach);
    const int end = place(c, c->earlier, thread) / 2;
    int seen = -1;
    for (int s = from; comes_on(c, thread) && s <= end; s++) {
        const int earlier = t->clocks[s];
        if (earlier == seen &&
            t->clocks[s + moved_by(c, thread)] == t->clocks[s - 1 + moved_by(c, thread)])
            continue;
        if (!clocks_repeat(c, earlier, t->clocks[s + moved_by(c, thread)]))
            return false;
        seen = earlier;
    }
    return true;
}

/* A slot with an old phase that is never complete differs from the others. */
static bool slots_repeat(const comparison *c)
{
    const swp_schedule *schedule = c->run->program->schedule;
    const int64_t unroll = schedule->loop.tiles_per_pass;
    const int64_t moved = (c->later - c->earlier) * unroll;
    for (int p = 0; p < c->run->phase_count; p++) {
        const swp_happens_phase *phase = &c->run->phases[p];
        if (!phase->completed && phase->turn < (c->first - c->reach) * unroll &&
            swp_happens_rest(moved, schedule->objects[phase->object].slots) != 0)
            return false;
    }
    return true;
}

bool swp_happens_repeats(const swp_happens_run *run, swp_happens_span span, int earlier, int later)
{
    comparison c = {.run = run, .earlier = earlier, .later = later, .reach = span.reach};
    if (!threads_repeat(&c) || !barriers_repeat(&c) || !slots_repeat(&c))
        return false;
    for (int t = 0; t < run->thread_count; t++)
        if (!thread_repeats(&c, t))
            return false;
    return true;
}
