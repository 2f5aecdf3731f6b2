/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers waves, or the instances of warp roles, and says which of them make, and share, what. */
#include "run/unroll.h"

#include "ir/entry.h"
#include "ir/roles.h"

/* Of one role, in one rank, as many as there are of it in each. */
static void number_role(swp_run_sharing *sharing, int role, int of_each)
{
    for (int i = sharing->first_instance[role]; i < sharing->first_instance[role + 1]; i++) {
        const int number = i - sharing->first_instance[role];
        sharing->role_of_instance[i] = role;
        sharing->list_of_instance[i] = role;
        sharing->rank_of_instance[i] = number / of_each;
        sharing->number_of_instance[i] = number % of_each;
    }
}

/* All are of one role; the number of an instance is that of its warp group. */
static void number_waves(swp_run_program *program, swp_run_sharing *sharing, int waves_per_group)
{
    number_role(sharing, 0, program->waves);
    for (int wave = 0; wave < program->waves; wave++) {
        sharing->list_of_instance[wave] = wave / waves_per_group;
        sharing->number_of_instance[wave] = wave / waves_per_group;
    }
}

static swp_status number_instances(swp_context *ctx, swp_run_program *program,
                                   swp_run_sharing *sharing, int waves_per_group)
{
    const swp_schedule *schedule = program->schedule;
    const size_t roles = schedule->stream_count;
    const int waves = waves_per_group * schedule->machine.groups;
    SWP_TRY(SWP_TAKE(ctx, roles + 1, &sharing->first_instance));
    for (size_t role = 0; role < roles; role++) {
        sharing->first_instance[role] = program->waves;
        program->waves +=
            program->has_roles ? schedule->streams[role].instances * sharing->ranks : waves;
    }
    sharing->first_instance[roles] = program->waves;
    const size_t count = (size_t)program->waves;
    SWP_TRY(SWP_TAKE(ctx, count, &sharing->role_of_instance));
    SWP_TRY(SWP_TAKE(ctx, count, &sharing->list_of_instance));
    SWP_TRY(SWP_TAKE(ctx, count, &sharing->rank_of_instance));
    SWP_TRY(SWP_TAKE(ctx, count, &sharing->number_of_instance));
    for (int role = 0; role < (int)roles && program->has_roles; role++)
        number_role(sharing, role, schedule->streams[role].instances);
    if (!program->has_roles)
        number_waves(program, sharing, waves_per_group);
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

swp_status swp_run_share_out(swp_context *ctx, const swp_schedule *whole, int waves_per_group,
                             swp_run_program *program)
{
    const swp_schedule *schedule = program->schedule;
    swp_run_sharing *sharing = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &sharing));
    program->sharing = sharing;
    program->list_count =
        program->has_roles ? (int)schedule->stream_count : schedule->machine.groups;
    sharing->ranks = swp_ir_ranks(schedule);
    SWP_TRY(number_instances(ctx, program, sharing, waves_per_group));
    if (!program->dataflow)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, program->dataflow->loop->op_count, &sharing->role_of_op));
    for (int role = 0; role < (int)schedule->stream_count; role++)
        note_roles_of_ops(&whole->streams[role], role, sharing);
    return find_makers(ctx, program->dataflow->loop, sharing);
}
