/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the parts that the participants of a barrier have had in its meetings. */
#include "simulate/meetings.h"

swp_status swp_simulate_meetings_new(swp_sim_engine *engine)
{
    const size_t groups = (size_t)engine->program->group_count;
    SWP_TRY(SWP_TAKE(engine->ctx, (size_t)engine->program->meeting_count, &engine->meetings));
    for (int i = 0; i < engine->program->meeting_count; i++)
        SWP_TRY(SWP_TAKE(engine->ctx, groups, &engine->meetings[i].parts));
    return SWP_OK;
}

bool swp_simulate_meeting_come(swp_sim_engine *engine, int meeting, const swp_sim_event *event,
                               int64_t time)
{
    swp_sim_meeting *at = &engine->meetings[meeting];
    swp_sim_part *own = &at->parts[event->group];
    own->count++;
    own->arrived = time;
    own->event = *event;
    for (int i = 0; i < engine->program->group_count; i++)
        if (swp_simulate_takes_part(engine->program, meeting, i) &&
            at->parts[i].count <= at->opened)
            return false;
    at->opened++;
    for (int i = 0; i < engine->program->group_count; i++) {
        const int last = swp_simulate_meeting_last(engine, meeting, i, &at->parts[i].opened);
        at->parts[i].opener = at->parts[last].event;
    }
    return true;
}

int swp_simulate_meeting_last(const swp_sim_engine *engine, int meeting, int group, int64_t *seen)
{
    const swp_sim_program *program = engine->program;
    int last = group;
    *seen = INT64_MIN;
    for (int i = 0; i < program->group_count; i++) {
        const bool crosses = program->groups[i].stream != program->groups[group].stream;
        const int64_t time =
            engine->meetings[meeting].parts[i].arrived + (crosses ? program->signal : 0);
        if (!swp_simulate_takes_part(program, meeting, i) || time <= *seen)
            continue;
        *seen = time;
        last = i;
    }
    return last;
}
