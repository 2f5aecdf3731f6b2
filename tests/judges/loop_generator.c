/* SPDX-License-Identifier: Apache-2.0 */
#include "editor.h"
#include "loop_edits.h"
#include "loop_programs.h"
#include "random_loop.h"

#include "swp/loop_compile.h"

enum { MOST_UNROLL = 6, TRIES = 8 };

/* One role; some counts above 1, some groups and mbarriers. */
static swp_loop make_loop(swp_context *ctx, test_random *random)
{
    const loop_shape shape = {.most_ops = 5,
                              .most_values = random_int(random, 1, 4),
                              .most_cycles = random_int(random, 1, 6),
                              .most_slots = 3,
                              .has_issues = true};
    swp_loop loop = random_loop(ctx, random, &shape);
    loop.role_count = 0;
    for (size_t o = 0; o < loop.op_count; o++) {
        swp_loop_op *op = (swp_loop_op *)&loop.ops[o];
        op->role = 0;
        op->accesses = random_chance(random, 70) ? 1 : random_int(random, 2, 3);
        if (op->completion == SWP_COMPLETION_COUNTER && random_chance(random, 30))
            op->completion =
                random_chance(random, 60) ? SWP_COMPLETION_GROUP : SWP_COMPLETION_MBARRIER;
    }
    state_counters(&loop, random);
    return loop;
}

static bool makes(const swp_loop_op *op, int value)
{
    for (size_t i = 0; i < op->write_count; i++)
        if (op->writes[i] == value)
            return true;
    for (size_t i = 0; i < op->update_count; i++)
        if (op->updates[i] == value)
            return true;
    return false;
}

/* Whether a wave reads shares of others, so that barriers must order the two. */
static bool hands_over(const swp_loop *loop)
{
    for (size_t o = 0; o < loop->op_count; o++)
        for (size_t r = 0; r < loop->ops[o].read_count; r++)
            for (size_t m = 0; m < loop->op_count; m++)
                if (loop->values[loop->ops[o].reads[r].value].space == SWP_SPACE_SHARED &&
                    makes(&loop->ops[m], loop->ops[o].reads[r].value))
                    return true;
    return false;
}

static bool is_read(const swp_loop *loop, int value)
{
    for (size_t o = 0; o < loop->op_count; o++) {
        const swp_loop_op *op = &loop->ops[o];
        for (size_t r = 0; r < op->read_count; r++)
            if (op->reads[r].value == value)
                return true;
        for (size_t u = 0; u < op->update_count; u++)
            if (op->updates[u] == value)
                return true;
    }
    return false;
}

/* Of versions that no op reads only the executor and the derivation say which one is to be the last. */
static bool leaves_no_version_unread(const swp_loop *loop)
{
    for (size_t o = 0; o < loop->op_count; o++)
        for (size_t w = 0; w < loop->ops[o].write_count; w++)
            if (!is_read(loop, loop->ops[o].writes[w]))
                return false;
    return true;
}

static bool is_telling(const swp_loop *loop)
{
    return hands_over(loop) && leaves_no_version_unread(loop);
}

/* Two groups that no barrier joins drift apart without end. */
static swp_machine make_machine(test_random *random, const swp_loop *loop)
{
    swp_machine machine = swp_machine_default();
    machine.groups = hands_over(loop) ? random_int(random, 1, 2) : 1;
    machine.waves_per_group = random_int(random, 1, 2);
    machine.lag = machine.groups == 2 && random_chance(random, 50);
    machine.barrier = random_chance(random, 50) ? SWP_BARRIER_RAW : SWP_BARRIER_FENCED;
    machine.registers = (swp_register_mode)random_int(random, 0, 2);
    if (machine.registers != SWP_REGISTERS_SCOREBOARD && random_chance(random, 30))
        machine.counter_full = SWP_COUNTER_WRAPS;
    machine.vm_max = random_chance(random, 40) ? random_int(random, 3, 6) : 63;
    machine.lgkm_max = random_chance(random, 40) ? random_int(random, 3, 6) : 15;
    return machine;
}

bool loop_program_derive(loop_program *out, test_random *random)
{
    const swp_limits limits = {.work = 1000};
    *out = (loop_program){.ctx = swp_context_new(NULL)};
    swp_loop loop = make_loop(out->ctx, random);
    for (int i = 0; i < TRIES && !is_telling(&loop); i++)
        loop = make_loop(out->ctx, random);
    const swp_loop_options options = {.machine = make_machine(random, &loop),
                                      .sync_goal = SWP_SYNC_BARRIERS};
    out->loop = loop;
    out->machine = options.machine;
    swp_context_set_limits(out->ctx, &limits);
    if (leaves_no_version_unread(&loop) &&
        swp_compile_loop(out->ctx, &loop, &options, &out->derived) == SWP_OK &&
        out->derived->dataflow && out->derived->loop.tiles_per_pass <= MOST_UNROLL) {
        out->schedule = loop_program_copy(out->ctx, out->derived);
        return true;
    }
    return false;
}

/* Nothing left of the derived synchronisation; in its place before each op what the dice say. */
static void synchronise_at_random(loop_program *p, int list, test_random *random, int percent)
{
    editor e = {.ctx = p->ctx, .schedule = &p->schedule, .random = random};
    editor_take_list(&e, &p->schedule.streams[0], list);
    for (int i = (int)e.list->count; i-- > 0;)
        if (editor_is_sync(&e, &e.list->items[i].op))
            (void)editor_remove_at(&e, i);
    for (int i = (int)e.list->count; i >= 0; i--) {
        if (random_chance(random, percent))
            editor_insert(&e, i, swp_op_barrier());
        if (random_chance(random, percent))
            editor_insert(&e, i, swp_op_wait_vm(random_int(random, 0, 1)));
        if (random_chance(random, percent))
            editor_insert(&e, i, swp_op_wait_lgkm(random_int(random, 0, 1)));
    }
}

static void synchronise_otherwise(loop_program *p, test_random *random)
{
    const int percent = random_int(random, 50, 95);
    p->edits = -1;
    for (int list = 0; list < stream_lists(&p->schedule.streams[0]); list++)
        synchronise_at_random(p, list, random, list == SWP_KERNEL ? percent : 100);
}

void loop_program_vary(loop_program *out, test_random *random)
{
    const int kind = random_int(random, 1, 100);
    if (kind <= 20) {
        synchronise_otherwise(out, random);
        return;
    }
    out->edits = kind <= 80 ? 1 : random_int(random, 2, LOOP_MOST_EDITS);
    for (int i = 0; i < out->edits; i++)
        out->names[i] = loop_edit(out->ctx, &out->schedule, random);
}

bool loop_program_new(loop_program *out, test_random *random)
{
    const bool derived = loop_program_derive(out, random);
    if (derived)
        loop_program_vary(out, random);
    return derived;
}

void loop_program_free(loop_program *p)
{
    swp_schedule_free(p->derived);
    swp_context_free(p->ctx);
}
