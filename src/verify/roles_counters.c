/* SPDX-License-Identifier: Apache-2.0 */
/* The rule about counters that wrap: no thread has more accesses in flight than its counter can tell (docs/loops-proof.md). */
#include "happens_before/queues.h"
#include "verify/roles.h"

#include <limits.h>

static int largest_of(const swp_role_judge *judge, swp_sync_object object)
{
    const swp_machine *machine = &judge->model->schedule->machine;
    return swp_happens_wraps(machine, object) ? swp_ir_sync_largest(machine, object) : INT_MAX;
}

/* The queue that counts a step, whose count wraps; else SWP_NO_OBJECT. */
static swp_sync_object counter_of(const swp_role_judge *judge, const swp_happens_step *step)
{
    const swp_sync_object object = swp_happens_is_queued(step) ? step->queue : SWP_NO_OBJECT;
    return object != SWP_NO_OBJECT && largest_of(judge, object) < INT_MAX ? object : SWP_NO_OBJECT;
}

/* Tells of the run of n iterations. */
static swp_status tell(swp_role_judge *judge, swp_happens_at at, int n)
{
    swp_hazard *hazard = NULL;
    SWP_TRY(swp_verify_role_tell_of(judge, SWP_COUNTER, at, n, &hazard));
    if (!hazard)
        return SWP_OK;
    return swp_verify_role_word(judge, hazard, swp_verify_role_about_nothing);
}

static swp_status ask(swp_role_judge *judge, int instance, int s)
{
    const swp_happens_step *step = &judge->run->steps[instance][s];
    const swp_happens_at at = {instance, s};
    const swp_sync_object object = counter_of(judge, step);
    if (object == SWP_NO_OBJECT || step->in_flight <= largest_of(judge, object) ||
        !swp_verify_role_comes_to(judge, at))
        return SWP_OK;
    return tell(judge, at, (int)judge->run->n);
}

/*
 * --- Longer runs ---
 *
 * Where the order of the last passes comes back, counts grow by as much each time, so that arithmetic says when they are too
 * large.
 */

/* What a round of passes, which comes back, does to the count of a queue. */
typedef struct rounds {
    int instance;
    swp_sync_object object;
    int first; /* step of the last round… */
    int end;   /* …and behind it */
    int grows; /* accesses in a round */
    int iterations;
} rounds;

static void count_round(const swp_role_judge *judge, rounds *r)
{
    for (int s = r->first; s < r->end; s++) {
        const swp_happens_step *step = &judge->run->steps[r->instance][s];
        r->grows += counter_of(judge, step) == r->object ? step->work->accesses : 0;
    }
}

/* A count that has grown round by round is as large as this, or as what waits have left of one that was larger: `bound`. */
static swp_status ask_later(swp_role_judge *judge, const rounds *r, int s, int bound)
{
    const int largest = largest_of(judge, r->object);
    const int now = judge->run->steps[r->instance][s].in_flight;
    if (bound <= largest || now > largest ||
        !swp_verify_role_comes_to(judge, (swp_happens_at){r->instance, s}))
        return SWP_OK;
    const int later = (largest - now) / r->grows + 1;
    return tell(judge, (swp_happens_at){r->instance, s},
                (int)judge->run->n + later * r->iterations);
}

static int follow(const swp_role_judge *judge, const rounds *r, int s, int bound)
{
    return swp_happens_left_by(judge->run, r->instance, r->object, s, bound);
}

static swp_status ask_rounds(swp_role_judge *judge, rounds *r)
{
    int bound = INT_MAX / 2;
    count_round(judge, r);
    for (int s = r->first; s < r->end && r->grows > 0; s++)
        bound = follow(judge, r, s, bound);
    for (int s = r->first; s < judge->run->lengths[r->instance] && r->grows > 0; s++) {
        bound = follow(judge, r, s, bound);
        if (counter_of(judge, &judge->run->steps[r->instance][s]) == r->object)
            SWP_TRY(ask_later(judge, r, s, bound));
    }
    return SWP_OK;
}

static swp_status ask_longer(swp_role_judge *judge, int instance)
{
    const swp_happens_run *run = judge->run;
    const swp_happens_instance *in = &run->program->instances[instance];
    for (int object = 0; object < SWP_SYNC_OBJECTS; object++) {
        rounds r = {.instance = instance,
                    .object = (swp_sync_object)object,
                    .first = swp_happens_steps_before(in, run->passes - judge->period),
                    .end = swp_happens_steps_before(in, run->passes),
                    .iterations = judge->period * judge->model->schedule->loop.tiles_per_pass};
        if (largest_of(judge, r.object) < INT_MAX)
            SWP_TRY(ask_rounds(judge, &r));
    }
    return SWP_OK;
}

swp_status swp_verify_role_counters(swp_role_judge *judge)
{
    const bool is_asked =
        judge->run->program->is_flat && swp_verify_role_holds(judge, SWP_HAPPENS_COUNTER);
    for (int i = 0; is_asked && i < swp_verify_role_tellers(judge); i++) {
        SWP_TRY(swp_verify_role_ask_steps(judge, i, ask, NULL));
        if (judge->period > 0 && swp_verify_role_holds(judge, SWP_HAPPENS_LATER_COUNTS))
            SWP_TRY(ask_longer(judge, i));
    }
    return SWP_OK;
}
