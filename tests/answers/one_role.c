/* SPDX-License-Identifier: Apache-2.0 */
#include "one_role.h"

#include <stdlib.h>

#include "loop_edits.h"
#include "loop_programs.h"
#include "random_loop.h"

#include "swp/loop_compile.h"

enum { MOST_UNROLL = 6, GROUP_WARPS = 4 };

static bool touches_shared(const swp_loop *loop, const swp_loop_op *op)
{
    for (size_t i = 0; i < op->write_count; i++)
        if (loop->values[op->writes[i]].space == SWP_SPACE_SHARED)
            return true;
    for (size_t i = 0; i < op->update_count; i++)
        if (loop->values[op->updates[i]].space == SWP_SPACE_SHARED)
            return true;
    return false;
}

static bool makes_any(const swp_loop_op *op)
{
    return op->write_count + op->update_count > 0;
}

/* What a role knows of a flat loop's completions: none, and that of a wgmma. */
static swp_loop make_loop(swp_context *ctx, test_random *random)
{
    const loop_shape shape = {.most_ops = 5,
                              .most_values = random_int(random, 1, 4),
                              .most_cycles = random_int(random, 1, 6),
                              .most_slots = 3};
    swp_loop loop = random_loop(ctx, random, &shape);
    loop.role_count = 0;
    for (size_t o = 0; o < loop.op_count; o++) {
        swp_loop_op *op = (swp_loop_op *)&loop.ops[o];
        op->role = 0;
        op->when = (swp_loop_when){0};
        op->completion = SWP_COMPLETION_NONE;
        if (!touches_shared(&loop, op) && makes_any(op) && random_chance(random, 40))
            op->completion = SWP_COMPLETION_MATRIX_GROUP;
    }
    return loop;
}

static swp_machine make_machine(test_random *random)
{
    swp_machine machine = swp_machine_default();
    machine.groups = random_chance(random, 70) ? 1 : 2;
    machine.waves_per_group = GROUP_WARPS;
    machine.lag = machine.groups == 2 && random_chance(random, 50);
    machine.registers = SWP_REGISTERS_RAW;
    machine.barrier = SWP_BARRIER_RAW;
    return machine;
}

/* --- The lists of the role --- */

typedef struct list_maker {
    const one_role_pair *pair;
    swp_entry_list out;
    int *entry_of;
    swp_phase phase;
} list_maker;

static void push(list_maker *m, swp_op op, int entry)
{
    const swp_entry e = {.op = op, .time_slot = (int)m->out.count, .phase = m->phase};
    m->entry_of[m->out.count] = entry;
    if (swp_entry_list_push(m->pair->ctx, &m->out, e) != SWP_OK)
        abort();
}

static swp_op sync_of(int tag)
{
    swp_op op = swp_op_barrier();
    op.tag = tag;
    op.by = SWP_ALL_THREADS;
    op.object = -1;
    return op;
}

/* Of one instance, where `instances` is not 0. */
static void push_barrier(list_maker *m, int entry, int instances)
{
    swp_op op = sync_of(SWP_TAG_BARRIER);
    op.instances = instances;
    push(m, op, entry);
}

/* A wgmma is a group of its own; fences, which order nothing between threads, stand wherever one may be asked for. */
static void push_work(list_maker *m, const swp_op *op, int entry)
{
    const swp_loop *loop = m->pair->flat.dataflow->loop;
    const bool is_wgmma =
        loop->ops[swp_loop_op_of_tag(op->tag)].completion == SWP_COMPLETION_MATRIX_GROUP;
    swp_op work = *op;
    work.by = SWP_ALL_THREADS;
    work.object = -1;
    work.instances = 0;
    if (is_wgmma)
        push(m, sync_of(SWP_TAG_MATRIX_FENCE), -1);
    push(m, work, entry);
    push(m, sync_of(is_wgmma ? SWP_TAG_MATRIX_COMMIT : SWP_TAG_FENCE_ASYNC), -1);
}

static void push_entry(list_maker *m, const swp_op *op, int entry)
{
    if (op->tag == SWP_TAG_BARRIER) {
        push_barrier(m, entry, 0);
    } else if (op->tag == SWP_TAG_WAIT_LGKM) {
        swp_op wait = sync_of(SWP_TAG_MATRIX_WAIT);
        wait.wait_value = op->wait_value;
        push(m, wait, entry);
    } else if (op->tag < SWP_FIRST_INFRASTRUCTURE_TAG || op->tag > SWP_TAG_NONE) {
        push_work(m, op, entry);
    }
}

/* Lists are numbered as those of loop_program_list(). */
static bool is_straight(const one_role_pair *pair, int list)
{
    return list >= 3 + (int)pair->flat.streams[0].tails.epilogue_count;
}

static swp_entry_list list_of(one_role_pair *pair, int list)
{
    const swp_machine *machine = &pair->flat.machine;
    const swp_entry_list *entries = loop_program_list(&pair->flat, list);
    const size_t most = 3 * entries->count + 4;
    /* A straight list stands behind an empty prologue. */
    const int lag_index = is_straight(pair, list) && machine->lag_prologue_index > 0
                              ? -1
                              : machine->lag_prologue_index;
    list_maker m = {.pair = pair,
                    .entry_of = swp_context_take(pair->ctx, most * sizeof(int)),
                    .phase = list < 3 ? (swp_phase)list : SWP_EPILOGUE};
    if (!m.entry_of)
        abort();
    if (is_straight(pair, list) && machine->lag && lag_index == 0)
        push_barrier(&m, -1, 2);
    if (is_straight(pair, list))
        push_barrier(&m, -1, 0);
    for (int i = 0; i <= (int)entries->count; i++) {
        if (list == SWP_PROLOGUE && machine->lag && i == lag_index)
            push_barrier(&m, -1, 2);
        if (i < (int)entries->count)
            push_entry(&m, &entries->items[i].op, i);
    }
    if (list == SWP_PROLOGUE)
        push_barrier(&m, -1, 0);
    if (list >= SWP_EPILOGUE && machine->lag && machine->lag_end_barrier)
        push_barrier(&m, (int)entries->count, 1);
    pair->entry_of[list] = m.entry_of;
    return m.out;
}

static void *take(swp_context *ctx, size_t bytes)
{
    void *memory = swp_context_take(ctx, bytes + 1);
    if (!memory)
        abort();
    return memory;
}

static void make_role(one_role_pair *pair)
{
    const swp_tails *tails = &pair->flat.streams[0].tails;
    const int lists = loop_program_lists(&pair->flat);
    swp_stream *to = &pair->role.streams[0];
    pair->entry_of = take(pair->ctx, (size_t)lists * sizeof *pair->entry_of);
    pair->role = pair->flat;
    to->name = "all";
    to->warps = pair->flat.machine.waves_per_group;
    to->instances = pair->flat.machine.groups;
    to->tails.epilogues = take(pair->ctx, tails->epilogue_count * sizeof *tails->epilogues);
    to->tails.straight = take(pair->ctx, tails->straight_count * sizeof *tails->straight);
    for (int list = 0; list < lists; list++)
        *loop_program_list(&pair->role, list) = list_of(pair, list);
    pair->role.machine = swp_machine_default();
    pair->role.machine.groups = 1;
    pair->role.machine.registers = SWP_REGISTERS_SCOREBOARD;
}

int one_role_entry(const one_role_pair *pair, const swp_hazard *hazard)
{
    const int form = swp_schedule_form_of(&pair->flat, hazard->smallest_n);
    const int list =
        hazard->at.phase != SWP_EPILOGUE || form <= 0 ? (int)hazard->at.phase : SWP_EPILOGUE + form;
    return pair->entry_of[list][hazard->at.entry];
}

bool one_role_pair_new(one_role_pair *pair, test_random *random)
{
    const swp_limits limits = {.work = 1000};
    *pair = (one_role_pair){.ctx = swp_context_new(NULL)};
    swp_loop *loop = pair->ctx ? swp_context_take(pair->ctx, sizeof *loop) : NULL;
    if (!loop)
        abort();
    *loop = make_loop(pair->ctx, random);
    const swp_loop_options options = {.machine = make_machine(random),
                                      .sync_goal = SWP_SYNC_BARRIERS};
    swp_context_set_limits(pair->ctx, &limits);
    if (swp_compile_loop(pair->ctx, loop, &options, &pair->derived) != SWP_OK ||
        !pair->derived->dataflow || pair->derived->loop.tiles_per_pass > MOST_UNROLL)
        return false;
    pair->flat = loop_program_copy(pair->ctx, pair->derived);
    const int edits = random_int(random, 0, 2);
    for (int i = 0; i < edits; i++) {
        const swp_machine machine = pair->flat.machine;
        (void)loop_edit(pair->ctx, &pair->flat, random);
        pair->flat.machine = machine; /* a role has no other */
    }
    make_role(pair);
    return true;
}

void one_role_pair_free(one_role_pair *pair)
{
    swp_schedule_free(pair->derived);
    swp_context_free(pair->ctx);
}
