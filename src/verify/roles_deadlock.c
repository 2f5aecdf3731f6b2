/* SPDX-License-Identifier: Apache-2.0 */
/* The rule about deadlocks: who stays where for ever, and the circle of waits that keeps it there. */
#include "base/text.h"
#include "verify/roles.h"

static bool is_at_end(const swp_happens_run *run, int thread)
{
    return run->threads[thread].step >= run->lengths[thread / SWP_HAPPENS_THREADS];
}

/* A thread that has not issued an arrival or copy of the phase; -1: all have. */
static int missing_arrival(const swp_happens_run *run, int phase)
{
    for (int i = 0; i < run->program->count; i++)
        for (int s = 0; s < run->lengths[i]; s++) {
            const swp_happens_step *at = &run->steps[i][s];
            if (at->phase < 0 || swp_happens_waits_for_phase(at->op) ||
                !swp_happens_reaches(run, at, run->phases[phase].rank) ||
                swp_happens_phase_in(run, at->phase, run->phases[phase].rank) != phase)
                continue;
            for (int w = 0; w < swp_happens_threads_of(at); w++)
                if (!swp_happens_issued(run, swp_happens_thread_of(i, w), s))
                    return swp_happens_thread_of(i, w);
        }
    return -1;
}

/* A thread that a phase waits for, perhaps as one before it does; -1: nobody is to come. */
static int missing_of_phase(const swp_happens_run *run, int phase)
{
    int missing = -1;
    for (; missing < 0 && phase >= 0 && !run->phases[phase].completed;
         phase = run->phases[phase].before)
        missing = missing_arrival(run, phase);
    return missing;
}

static int missing_of_meeting(const swp_happens_run *run, const swp_happens_step *at)
{
    const swp_happens_barrier *barrier = &run->barriers[at->barrier];
    for (int i = 0; i < run->program->count; i++) {
        if (!barrier->takes_part[i])
            continue;
        for (int w = 0; w < SWP_HAPPENS_THREADS; w++) {
            const int thread = swp_happens_thread_of(i, w);
            if ((int)barrier->parts[i].count <= at->meeting ||
                !swp_happens_issued(run, thread, barrier->parts[i].items[at->meeting]))
                return thread;
        }
    }
    return -1;
}

static int missing_of_wgmma(const swp_happens_run *run, int instance, int step)
{
    for (int w = 0; w < SWP_HAPPENS_THREADS; w++)
        if (!swp_happens_issued(run, swp_happens_thread_of(instance, w), step))
            return swp_happens_thread_of(instance, w);
    return -1;
}

/* Whom a thread that stays waits for. */
static int waits_for(const swp_happens_run *run, int thread)
{
    const int instance = thread / SWP_HAPPENS_THREADS;
    const swp_happens_step *at = &run->steps[instance][run->threads[thread].step];
    if (at->phase >= 0)
        return missing_of_phase(run, at->phase);
    if (at->barrier >= 0)
        return missing_of_meeting(run, at);
    return missing_of_wgmma(run, instance, at->retires);
}

static void add_place(const swp_role_judge *judge, swp_text *text, int thread)
{
    const swp_happens_run *run = judge->run;
    const swp_happens_instance *in = &run->program->instances[thread / SWP_HAPPENS_THREADS];
    if (is_at_end(run, thread)) {
        char of_rank[SWP_ROLE_NAME_SIZE];
        swp_text_format(text, "%s %d%s, which has ended",
                        judge->model->schedule->streams[in->stream].name, in->number,
                        swp_verify_role_rank_name(judge, in->rank, of_rank));
        return;
    }
    const swp_happens_at at = {thread / SWP_HAPPENS_THREADS, run->threads[thread].step};
    char name[SWP_ROLE_NAME_SIZE];
    swp_text_format(text, "%s", swp_verify_role_name(judge, at, name));
}

/* From wait to wait, until one that was told before. */
static swp_status describe(const swp_role_judge *judge, int thread, swp_hazard *hazard)
{
    const swp_happens_run *run = judge->run;
    swp_text text = {.ctx = judge->ctx};
    const char *which = "";
    char *detail = NULL;
    bool *told = NULL; /* of each instance */
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)run->program->count, &told));
    add_place(judge, &text, thread);
    while (!is_at_end(run, thread) && !told[thread / SWP_HAPPENS_THREADS]) {
        told[thread / SWP_HAPPENS_THREADS] = true;
        thread = waits_for(run, thread);
        swp_text_format(&text, "%s waits for ", which);
        which = ", which";
        if (thread < 0)
            break;
        add_place(judge, &text, thread);
    }
    if (thread < 0)
        swp_text_format(&text, "what nobody does");
    else if (told[thread / SWP_HAPPENS_THREADS])
        swp_text_format(&text, ": a circle");
    SWP_TRY(swp_text_end(&text, &detail, NULL));
    hazard->detail = detail;
    return SWP_OK;
}

swp_status swp_verify_role_deadlock(swp_role_judge *judge)
{
    const swp_happens_run *run = judge->run;
    const bool told = run->stuck && swp_verify_role_holds(judge, SWP_HAPPENS_STAYS);
    for (int t = 0; told && t < swp_verify_role_tellers(judge) * SWP_HAPPENS_THREADS; t++) {
        swp_hazard *hazard = NULL;
        if (is_at_end(run, t))
            continue;
        const swp_happens_at at = {t / SWP_HAPPENS_THREADS, run->threads[t].step};
        SWP_TRY(swp_verify_role_tell(judge, SWP_DEADLOCK, at, (swp_happens_at){-1, -1}, &hazard));
        if (hazard && run->program->is_flat)
            SWP_TRY(swp_verify_role_word(judge, hazard, swp_verify_role_about_nothing));
        else if (hazard)
            SWP_TRY(describe(judge, t, hazard));
    }
    return SWP_OK;
}
