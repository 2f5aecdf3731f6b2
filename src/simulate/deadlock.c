/* SPDX-License-Identifier: Apache-2.0 */
/* Says who waits for ever where no group can go on. */
#include "simulate/deadlock.h"

#include "base/diag.h"

/* Who waits, at the first of its entries that nothing ends. */
static swp_status report_stuck_role(const swp_sim_engine *engine)
{
    const swp_schedule *schedule = engine->program->schedule;
    int group = 0;
    while (engine->groups[group].ended)
        group++;
    const swp_sim_stream *of = &engine->program->groups[group];
    const swp_stream *stream = &schedule->streams[of->stream];
    const swp_sim_step *step = swp_simulate_next_step(engine, group);
    const swp_phase phase = engine->groups[group].phase;
    const swp_op *op = &swp_stream_phase(stream, phase)->items[step->entry].op;
    return swp_error(engine->ctx, SWP_E0721, SWP_NOWHERE, "`swp verify` says who it waits for",
                     "role %s, instance %d waits for ever at %s entry %d (%s%s%s)", stream->name,
                     of->instance, swp_phase_name(phase), step->entry,
                     swp_schedule_op_name(schedule, op->tag), op->object < 0 ? "" : " of ",
                     op->object < 0 ? "" : schedule->objects[op->object].name);
}

swp_status swp_simulate_report_deadlock(const swp_sim_engine *engine)
{
    int alone = 0;
    if (engine->program->has_roles)
        return report_stuck_role(engine);
    while (!engine->groups[alone].waits)
        alone++;
    return swp_error(engine->ctx, SWP_E0721, SWP_NOWHERE,
                     "give every warp group the same number of barriers; `swp verify` says where",
                     "group %d waits at a barrier for ever: the other group has come to its end",
                     alone);
}
