/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers waves, or the instances of warp roles, and says which of them make, and share, what. */
#include "run/unroll.h"

#include "ir/entry.h"
#include "ir/roles.h"

/* Of each rank. Without warp roles its warp groups are the instances of the one role, each of several waves. */
static int instances_of(const swp_run_program *program, int role)
{
    return program->manner->lists_by_group ? program->schedule->machine.groups
                                           : program->schedule->streams[role].instances;
}

static void number_role(const swp_run_program *program, swp_run_sharing *sharing, int role)
{
    const int waves = program->waves_per_group;
    const int of_each_rank = instances_of(program, role) * waves;
    for (int i = sharing->first_instance[role]; i < sharing->first_instance[role + 1]; i++) {
        const int wave = i - sharing->first_instance[role];
        const int number = wave % of_each_rank / waves;
        sharing->role_of_instance[i] = role;
        sharing->rank_of_instance[i] = wave / of_each_rank;
        sharing->number_of_instance[i] = number;
        sharing->list_of_instance[i] =
            role * program->lists_of_role + number % program->lists_of_role;
    }
}

static swp_status number_instances(swp_context *ctx, swp_run_program *program,
                                   swp_run_sharing *sharing)
{
    const int roles = (int)program->schedule->stream_count;
    SWP_TRY(SWP_TAKE(ctx, (size_t)roles + 1, &sharing->first_instance));
    for (int role = 0; role < roles; role++) {
        sharing->first_instance[role] = program->waves;
        program->waves += instances_of(program, role) * program->waves_per_group * sharing->ranks;
    }
    sharing->first_instance[roles] = program->waves;
    const size_t count = (size_t)program->waves;
    SWP_TRY(SWP_TAKE(ctx, count, &sharing->role_of_instance));
    SWP_TRY(SWP_TAKE(ctx, count, &sharing->list_of_instance));
    SWP_TRY(SWP_TAKE(ctx, count, &sharing->rank_of_instance));
    SWP_TRY(SWP_TAKE(ctx, count, &sharing->number_of_instance));
    for (int role = 0; role < roles; role++)
        number_role(program, sharing, role);
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

swp_status swp_run_share_out(swp_context *ctx, const swp_schedule *whole, swp_run_program *program)
{
    const swp_schedule *schedule = program->schedule;
    swp_run_sharing *sharing = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &sharing));
    program->sharing = sharing;
    program->list_count = (int)schedule->stream_count * program->lists_of_role;
    sharing->ranks = swp_ir_ranks(schedule);
    SWP_TRY(number_instances(ctx, program, sharing));
    if (!program->dataflow)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, program->dataflow->loop->op_count, &sharing->role_of_op));
    for (int role = 0; role < (int)schedule->stream_count; role++)
        note_roles_of_ops(&whole->streams[role], role, sharing);
    return find_makers(ctx, program->dataflow->loop, sharing);
}
