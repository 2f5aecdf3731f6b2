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
    for (int w = 0; step->meeting > 0 && w < SWP_HAPPENS_THREADS; w++) {
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

/* The next operation of an instance on the cluster's barrier behind a step, or from it on; its length: none. */
static int next_of_cluster(const swp_happens_run *run, int instance, int step)
{
    while (step < run->lengths[instance] &&
           run->steps[instance][step].op->tag != SWP_TAG_CLUSTER_ARRIVE &&
           run->steps[instance][step].op->tag != SWP_TAG_CLUSTER_WAIT)
        step++;
    return step;
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

/* Arrive, wait, arrive, wait … to the end. */
static swp_status check_turns(swp_role_judge *judge, int instance)
{
    const swp_happens_run *run = judge->run;
    int last = -1; /* arrival that is not waited for */
    for (int s = next_of_cluster(run, instance, 0); s < run->lengths[instance];
         s = next_of_cluster(run, instance, s + 1)) {
        const bool arrives = run->steps[instance][s].op->tag == SWP_TAG_CLUSTER_ARRIVE;
        if (arrives && last >= 0)
            SWP_TRY(tell_turn(judge, (swp_happens_at){instance, s},
                              "comes right behind another one: the meeting of that is not waited "
                              "for in between"));
        if (!arrives && last < 0)
            SWP_TRY(tell_turn(judge, (swp_happens_at){instance, s},
                              "waits for a meeting that its threads have not arrived at"));
        last = arrives ? s : -1;
    }
    if (last < 0)
        return SWP_OK;
    return tell_turn(judge, (swp_happens_at){instance, last},
                     "is the last, and its threads end without a wait for its meeting");
}

swp_status swp_verify_role_named_barriers(swp_role_judge *judge)
{
    const swp_happens_run *run = judge->run;
    for (int i = 0; i < swp_verify_role_tellers(judge); i++) {
        SWP_TRY(check_turns(judge, i));
        for (int s = 0; s < run->lengths[i]; s++) {
            const swp_happens_step *step = &run->steps[i][s];
            if (step->barrier < 0 || run->barriers[step->barrier].object < 0)
                continue;
            SWP_TRY(check_threads(judge, &run->barriers[step->barrier], (swp_happens_at){i, s}));
            SWP_TRY(check_meeting(judge, step, (swp_happens_at){i, s}));
        }
    }
    return SWP_OK;
}
