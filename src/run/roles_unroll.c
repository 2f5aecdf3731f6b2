/* SPDX-License-Identifier: Apache-2.0 */
/* Unrolls the lists of every warp role, and says which instances make, and share, what. */
#include "run/unroll.h"

#include "ir/entry.h"
#include "ir/roles.h"
#include "run/dataflow.h"

static int turn_of(const swp_run_program *program, const swp_op *op, swp_run_point at)
{
    const bool is_of_tiles = swp_ir_entry_clock(program->schedule, op) == SWP_TILE_CLOCK;
    return op->iteration + (is_of_tiles ? at.tile : at.base + at.from);
}

static swp_status add_phase(swp_run_unroller *u, const swp_stream *stream, swp_phase phase,
                            int pass, swp_run_point at)
{
    const swp_entry_list *entries = swp_stream_phase(stream, phase);
    for (size_t i = 0; i < entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        swp_run_step step = {.action = SWP_RUN_HINT,
                             .phase = phase,
                             .pass = pass,
                             .entry = (int)i,
                             .queue = SWP_RUN_NO_QUEUE,
                             .source = op,
                             .output_tile = at.tile,
                             .turn = turn_of(u->program, op, at)};
        SWP_TRY(swp_run_set_op(u, op, at, &step));
        SWP_TRY(SWP_PUSH(u->ctx, &u->program->groups[u->group], step));
    }
    return SWP_OK;
}

/* Prologue, passes and epilogue; or the straight list, which stands as the epilogue. */
static swp_status unroll_passes(swp_run_unroller *u, const swp_stream *stream, int passes,
                                int tiles, swp_run_point at)
{
    SWP_TRY(add_phase(u, stream, SWP_PROLOGUE, -1, at));
    for (int pass = 0; pass < passes; pass++, at.from += tiles)
        SWP_TRY(add_phase(u, stream, SWP_KERNEL, pass, at));
    return add_phase(u, stream, SWP_EPILOGUE, passes, at);
}

static swp_status unroll_tile(swp_run_unroller *u, int role, swp_run_point at)
{
    const swp_schedule *whole = u->program->schedule;
    const swp_schedule form = swp_schedule_form(whole, swp_schedule_form_of(whole, at.n));
    const int tiles = form.loop.tiles_per_pass;
    const int passes = tiles == 0 ? 0 : (at.n - form.loop.min_tiles) / tiles;
    const swp_run_point end = {at.tile, at.base, at.n, at.n};
    SWP_TRY(add_phase(u, &form.streams[role], SWP_BEGIN, -1, at));
    SWP_TRY(unroll_passes(u, &form.streams[role], passes, tiles, at));
    return add_phase(u, &form.streams[role], SWP_END, passes, end);
}

static swp_status unroll_role(swp_run_unroller *u, const swp_stream *stream)
{
    const swp_run_program *program = u->program;
    const swp_run_extent *extent = &program->extent;
    swp_run_point at = {.n = program->n};
    if (!extent->tiles)
        return unroll_passes(u, stream, program->passes, program->schedule->loop.tiles_per_pass,
                             at);
    for (; at.tile < extent->tile_count; at.base += at.n, at.tile++) {
        at.n = extent->tiles[at.tile];
        SWP_TRY(unroll_tile(u, u->group, at));
    }
    at.n = 0;
    return add_phase(u, stream, SWP_DRAIN, -1, at);
}

static swp_status number_instances(swp_context *ctx, swp_run_program *program,
                                   swp_run_sharing *sharing)
{
    const swp_schedule *schedule = program->schedule;
    SWP_TRY(SWP_TAKE(ctx, schedule->stream_count + 1, &sharing->first_instance));
    program->waves = 0;
    sharing->ranks = swp_ir_ranks(schedule);
    for (size_t role = 0; role < schedule->stream_count; role++) {
        sharing->first_instance[role] = program->waves;
        program->waves += schedule->streams[role].instances * sharing->ranks;
    }
    sharing->first_instance[schedule->stream_count] = program->waves;
    SWP_TRY(SWP_TAKE(ctx, (size_t)program->waves, &sharing->role_of_instance));
    SWP_TRY(SWP_TAKE(ctx, (size_t)program->waves, &sharing->rank_of_instance));
    for (int role = 0; role < (int)schedule->stream_count; role++)
        for (int i = sharing->first_instance[role]; i < sharing->first_instance[role + 1]; i++) {
            sharing->role_of_instance[i] = role;
            sharing->rank_of_instance[i] =
                (i - sharing->first_instance[role]) / schedule->streams[role].instances;
        }
    return SWP_OK;
}

static void note_entries(const swp_entry_list *entries, int role, swp_run_sharing *sharing)
{
    for (size_t i = 0; i < entries->count; i++)
        if (swp_ir_is_work(&entries->items[i].op))
            sharing->role_of_op[swp_loop_op_of_tag(entries->items[i].op.tag)] = role;
}

/* Every list counts: an op may stand in those alone that this N does not run. */
static void note_roles_of_ops(const swp_stream *stream, int role, swp_run_sharing *sharing)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++)
        note_entries(swp_stream_phase(stream, phase), role, sharing);
    for (size_t i = 0; i < stream->tails.epilogue_count; i++)
        note_entries(&stream->tails.epilogues[i], role, sharing);
    for (size_t i = 0; i < stream->tails.straight_count; i++)
        note_entries(&stream->tails.straight[i], role, sharing);
}

static void note_maker(const int *values, size_t count, int role, int *maker)
{
    for (size_t i = 0; i < count; i++)
        maker[values[i]] = role;
}

static swp_status find_makers(swp_context *ctx, const swp_loop *loop, swp_run_sharing *sharing)
{
    SWP_TRY(SWP_TAKE(ctx, loop->value_count, &sharing->maker));
    SWP_TRY(SWP_TAKE(ctx, loop->value_count, &sharing->is_multicast));
    for (size_t value = 0; value < loop->value_count; value++)
        sharing->maker[value] = -1;
    for (size_t op = 0; op < loop->op_count; op++) {
        const swp_loop_op *o = &loop->ops[op];
        note_maker(o->writes, o->write_count, sharing->role_of_op[op], sharing->maker);
        note_maker(o->updates, o->update_count, sharing->role_of_op[op], sharing->maker);
        for (size_t i = 0; o->multicast && i < o->write_count; i++)
            sharing->is_multicast[o->writes[i]] = true;
    }
    return SWP_OK;
}

swp_status swp_run_unroll_roles(swp_context *ctx, const swp_schedule *whole,
                                swp_run_program *program)
{
    const swp_schedule *schedule = program->schedule;
    const swp_loop *loop = program->dataflow->loop;
    swp_run_sharing *sharing = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &sharing));
    program->sharing = sharing;
    SWP_TRY(number_instances(ctx, program, sharing));
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &sharing->role_of_op));
    for (int role = 0; role < (int)schedule->stream_count; role++) {
        swp_run_unroller u = {.ctx = ctx, .program = program, .group = role};
        note_roles_of_ops(&whole->streams[role], role, sharing);
        SWP_TRY(unroll_role(&u, &schedule->streams[role]));
    }
    return find_makers(ctx, loop, sharing);
}
