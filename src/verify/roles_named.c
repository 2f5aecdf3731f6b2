/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rule about named barriers: their threads add up, and no part comes before the meeting before it has opened. Of the
 * cluster's barrier, that each thread arrives and waits in turn.
 */
#include "verify/roles.h"

static swp_status tell(swp_role_judge *judge, swp_happens_at at, swp_hazard **out)
{
    return swp_verify_role_tell(judge, SWP_NAMED_BARRIER, at, (swp_happens_at){-1, -1}, out);
}

static swp_status check_threads(swp_role_judge *judge, const swp_happens_barrier *barrier,
                                swp_happens_at at)
{
    const swp_role_object *object = &judge->model->schedule->objects[barrier->object];
    swp_hazard *hazard = NULL;
    if (barrier->threads == object->threads ||
        !swp_verify_role_holds(judge, SWP_HAPPENS_NAMED_THREADS))
        return SWP_OK;
    SWP_TRY(tell(judge, at, &hazard));
    if (!hazard)
        return SWP_OK;
    return swp_format(judge->ctx, (char **)&hazard->detail,
                      "slot %d of %s expects %d threads, and those who take part are %d in %d "
                      "instance%s",
                      barrier->slot, object->name, object->threads, barrier->threads,
                      barrier->participants, barrier->participants == 1 ? "" : "s");
}

static swp_status check_meeting(swp_role_judge *judge, const swp_happens_step *step,
                                swp_happens_at at)
{
    const swp_happens_run *run = judge->run;
    swp_hazard *hazard = NULL;
    bool late = true;
    for (int w = 0; step->meeting > 0 && w < SWP_HAPPENS_DISTINCT_THREADS; w++) {
        const int thread = swp_happens_thread_of(at.instance, w);
        if (swp_happens_issued(run, thread, at.step))
            late = late && swp_happens_opened_before(run, step->barrier, step->meeting - 1, thread,
                                                     at.step);
    }
    if (late || !swp_verify_role_holds(judge, SWP_HAPPENS_REARMED))
        return SWP_OK;
    SWP_TRY(tell(judge, at, &hazard));
    char name[SWP_ROLE_NAME_SIZE];
    if (!hazard)
        return SWP_OK;
    return swp_format(judge->ctx, (char **)&hazard->detail,
                      "%s may come before meeting %d there has opened: nothing orders it after",
                      swp_verify_role_name(judge, at, name), step->meeting - 1);
}

static swp_status tell_turn(swp_role_judge *judge, swp_happens_at at, const char *why)
{
    swp_hazard *hazard = NULL;
    char name[SWP_ROLE_NAME_SIZE];
    if (!swp_verify_role_holds(judge, SWP_HAPPENS_ALTERNATE))
        return SWP_OK;
    SWP_TRY(tell(judge, at, &hazard));
    if (!hazard)
        return SWP_OK;
    return swp_format(judge->ctx, (char **)&hazard->detail, "%s %s",
                      swp_verify_role_name(judge, at, name), why);
}

/* Arrive, wait, arrive, wait … `last` is the arrival that is not waited for yet. */
static swp_status check_turn(swp_role_judge *judge, swp_happens_at at, int *last)
{
    const swp_sync_operation *operation =
        swp_happens_operation(&judge->run->steps[at.instance][at.step]);
    const bool arrives = operation->arrives;
    if (!swp_ir_sync_object_row(operation->object)->waits_apart)
        return SWP_OK;
    if (arrives && *last >= 0)
        SWP_TRY(tell_turn(judge, at,
                          "comes right behind another one: the meeting of that is not waited "
                          "for in between"));
    if (!arrives && *last < 0)
        SWP_TRY(tell_turn(judge, at, "waits for a meeting that its threads have not arrived at"));
    *last = arrives ? at.step : -1;
    return SWP_OK;
}

/* … to the end. */
static swp_status check_turns(swp_role_judge *judge, int instance)
{
    const int settled = swp_verify_role_settled(judge, instance);
    const bool goes_on = judge->progress && !judge->run->tiles;
    int last = goes_on ? judge->progress->turns[instance] : -1;
    for (int s = goes_on ? swp_verify_role_first_step(judge, instance) : 0;
         s < judge->run->lengths[instance]; s++) {
        judge->is_settled = s < settled;
        SWP_TRY(check_turn(judge, (swp_happens_at){instance, s}, &last));
        if (goes_on && judge->is_settled)
            judge->progress->turns[instance] = last;
    }
    judge->is_settled = false;
    if (last < 0)
        return SWP_OK;
    return tell_turn(judge, (swp_happens_at){instance, last},
                     "is the last, and its threads end without a wait for its meeting");
}

static swp_status ask(swp_role_judge *judge, int instance, int s)
{
    const swp_happens_step *step = &judge->run->steps[instance][s];
    if (step->barrier < 0 || judge->run->barriers[step->barrier].object < 0)
        return SWP_OK;
    SWP_TRY(
        check_threads(judge, &judge->run->barriers[step->barrier], (swp_happens_at){instance, s}));
    return check_meeting(judge, step, (swp_happens_at){instance, s});
}

swp_status swp_verify_role_named_barriers(swp_role_judge *judge)
{
    for (int i = 0; i < swp_verify_role_tellers(judge); i++) {
        SWP_TRY(check_turns(judge, i));
        SWP_TRY(swp_verify_role_ask_steps(judge, i, ask, NULL));
    }
    return SWP_OK;
}
