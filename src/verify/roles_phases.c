/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about phases of mbarriers: arrivals, phase_alias and unobserved_phase (docs/roles-reference.md). */
#include "verify/roles.h"

#include <inttypes.h>
#include <stdlib.h>

static const swp_happens_at nobody = {-1, -1};

/* A thread that executes a step, and has issued it. */
typedef struct issuer {
    int instance;
    int step;
    int thread;
    const swp_happens_step *at;
} issuer;

typedef swp_status phase_check(swp_role_judge *judge, const issuer *in);

/* Asks of a step on an mbarrier, in each thread that issues it. */
static swp_status ask_threads(swp_role_judge *judge, int instance, int s, phase_check *ask)
{
    const swp_happens_step *at = &judge->run->steps[instance][s];
    for (int w = 0; at->phase >= 0 && w < swp_happens_distinct_threads_of(at); w++) {
        const issuer in = {instance, s, swp_happens_thread_of(instance, w), at};
        if (swp_happens_issued(judge->run, in.thread, s))
            SWP_TRY(ask(judge, &in));
    }
    return SWP_OK;
}

static swp_status ask_all(swp_role_judge *judge, swp_role_ask_step *ask, swp_role_is_open *is_open)
{
    for (int i = 0; i < swp_verify_role_tellers(judge); i++)
        SWP_TRY(swp_verify_role_ask_steps(judge, i, ask, is_open));
    return SWP_OK;
}

static swp_happens_at place_of(const issuer *in)
{
    return (swp_happens_at){in->instance, in->step};
}

static int64_t number_of(const swp_role_judge *judge, const issuer *in)
{
    return swp_happens_phase_number(judge->run, in->at->op->object, in->at->iteration);
}

/* The name of the phase of a rank so many after the one that a step names. */
static const char *name_in(const swp_role_judge *judge, const issuer *in, int rank, int after,
                           char name[SWP_ROLE_NAME_SIZE])
{
    const int object = in->at->op->object;
    const int slots = judge->model->schedule->objects[object].slots;
    return swp_verify_role_phase_name(judge, rank, object,
                                      in->at->iteration + (int64_t)after * slots, name);
}

static const char *name_of(const swp_role_judge *judge, const issuer *in, int after,
                           char name[SWP_ROLE_NAME_SIZE])
{
    return name_in(judge, in, swp_happens_rank_of(judge->run, in->instance), after, name);
}

/* --- Arrivals --- */

static bool is_arrival(const swp_happens_step *at)
{
    return at->phase >= 0 && (swp_happens_is_arrival(at) || swp_happens_is_copy(at));
}

/* Phases below 0 are complete at the start, whatever the lists have of them. */
static bool adds_up(const swp_role_judge *judge, const swp_happens_phase *phase)
{
    const int arrivals = judge->model->schedule->objects[phase->object].arrivals;
    if (phase->operations == 0 || phase->turn < 0)
        return true;
    if (phase->arrivals != arrivals && swp_verify_role_holds(judge, SWP_HAPPENS_ARRIVAL_COUNT))
        return false;
    return phase->expected == phase->brought ||
           !swp_verify_role_holds(judge, SWP_HAPPENS_BYTE_COUNT);
}

static swp_status tell_count(swp_role_judge *judge, const swp_happens_phase *phase)
{
    const swp_role_object *object = &judge->model->schedule->objects[phase->object];
    char name[SWP_ROLE_NAME_SIZE];
    swp_hazard *hazard = NULL;
    SWP_TRY(swp_verify_role_tell(judge, SWP_ARRIVALS, phase->first, nobody, &hazard));
    judge->is_cut_short |= judge->run->tiles != NULL;
    if (!hazard)
        return SWP_OK;
    (void)swp_verify_role_phase_name(judge, phase->rank, phase->object, phase->turn, name);
    if (phase->arrivals != object->arrivals)
        return swp_format(judge->ctx, (char **)&hazard->detail,
                          "%s expects %d arrival%s and gets %" PRId64, name, object->arrivals,
                          object->arrivals == 1 ? "" : "s", phase->arrivals);
    return swp_format(judge->ctx, (char **)&hazard->detail,
                      "%s expects %" PRId64 " bytes and its copies bring %" PRId64, name,
                      phase->expected, phase->brought);
}

static int compare_turns(const void *a, const void *b)
{
    const swp_happens_phase *x = a;
    const swp_happens_phase *y = b;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return (x->turn > y->turn) - (x->turn < y->turn);
}

/* In the order of turns, whichever was laid out first. */
static swp_status tell_counts(swp_role_judge *judge, int first)
{
    const swp_happens_run *run = judge->run;
    swp_happens_phase *wrong = NULL;
    size_t count = 0;
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)(run->phase_count - first), &wrong));
    for (int p = first; p < run->phase_count; p += run->program->ranks)
        if (!adds_up(judge, &run->phases[p]))
            wrong[count++] = run->phases[p];
    qsort(wrong, count, sizeof *wrong, compare_turns);
    for (size_t i = 0; i < count; i++)
        SWP_TRY(tell_count(judge, &wrong[i]));
    return SWP_OK;
}

/* Whether longer runs have the same of a phase: the end of this one has nothing of it, and no pass will. A tile may. */
static bool is_counted(const swp_role_judge *judge, int phase)
{
    const swp_happens_phase *of = &judge->run->phases[phase];
    return !judge->run->tiles && phase < swp_happens_phases_at_cut(judge->run) &&
           (of->turn < 0 || (of->operations > 0 && of->coming == 0));
}

static swp_status check_counts(swp_role_judge *judge)
{
    const swp_happens_run *run = judge->run;
    swp_role_progress *progress = judge->progress;
    const int first = progress ? progress->counted : 0;
    bool add_up = true;
    for (int p = first; p < run->phase_count; p += run->program->ranks)
        add_up &= adds_up(judge, &run->phases[p]);
    if (!add_up)
        return tell_counts(judge, first);
    while (progress && progress->counted < run->phase_count && is_counted(judge, progress->counted))
        progress->counted += run->program->ranks;
    return SWP_OK;
}

/* A rank to which an operation goes. */
static bool is_in_time(const swp_role_judge *judge, const issuer *in, int rank)
{
    const swp_happens_run *run = judge->run;
    const swp_happens_phase *phase = &run->phases[swp_happens_phase_in(run, in->at->phase, rank)];
    const int64_t number = number_of(judge, in);
    const bool is_own = rank == swp_happens_rank_of(run, in->instance);
    if (number < 0)
        return !swp_verify_role_holds(judge, SWP_HAPPENS_BELOW_0);
    return number == 0 ||
           !swp_verify_role_holds(judge, is_own ? SWP_HAPPENS_EARLY_ARRIVAL
                                                : SWP_HAPPENS_EACH_DESTINATION) ||
           swp_happens_completed_before(run, phase->before, in->thread, in->step);
}

/* The first rank for which an operation comes too early; -1: none. */
static int early_in(const swp_role_judge *judge, const issuer *in)
{
    for (int rank = 0; rank < judge->run->program->ranks; rank++)
        if (swp_happens_reaches(judge->run, in->at, rank) && !is_in_time(judge, in, rank))
            return rank;
    return -1;
}

static swp_status check_arrival(swp_role_judge *judge, const issuer *in)
{
    swp_hazard *hazard = NULL;
    const int rank = is_arrival(in->at) ? early_in(judge, in) : -1;
    if (rank < 0)
        return SWP_OK;
    SWP_TRY(swp_verify_role_tell(judge, SWP_ARRIVALS, place_of(in), nobody, &hazard));
    if (!hazard)
        return SWP_OK;
    char name[SWP_ROLE_NAME_SIZE];
    char own[SWP_ROLE_NAME_SIZE];
    char before[SWP_ROLE_NAME_SIZE];
    (void)swp_verify_role_name(judge, place_of(in), name);
    if (number_of(judge, in) < 0)
        return swp_format(judge->ctx, (char **)&hazard->detail,
                          "%s is on %s, and phases below 0 are complete at the start", name,
                          name_in(judge, in, rank, 0, own));
    return swp_format(judge->ctx, (char **)&hazard->detail,
                      "%s is on %s and may come before %s is complete: no wait for that one comes "
                      "before it",
                      name, name_in(judge, in, rank, 0, own), name_in(judge, in, rank, -1, before));
}

static swp_status ask_arrival(swp_role_judge *judge, int instance, int step)
{
    return ask_threads(judge, instance, step, check_arrival);
}

swp_status swp_verify_role_arrivals(swp_role_judge *judge)
{
    SWP_TRY(check_counts(judge));
    return ask_all(judge, ask_arrival, NULL);
}

/* --- Waits that take another phase for theirs --- */

static swp_status tell_alias(swp_role_judge *judge, const issuer *in, int after, const char *why)
{
    swp_hazard *hazard = NULL;
    SWP_TRY(swp_verify_role_tell(judge, SWP_PHASE_ALIAS, place_of(in), nobody, &hazard));
    if (!hazard)
        return SWP_OK;
    char name[SWP_ROLE_NAME_SIZE];
    char other[SWP_ROLE_NAME_SIZE];
    return swp_format(judge->ctx, (char **)&hazard->detail, "%s %s %s",
                      swp_verify_role_name(judge, place_of(in), name), why,
                      name_of(judge, in, after, other));
}

/* Whether a phase is complete after the return of the wait. */
static bool is_known_to(const swp_happens_run *run, const swp_happens_phase *after,
                        const issuer *in)
{
    const int kind = swp_happens_kind_of_object(run, after->object);
    return after->clock[swp_happens_place_in_clock(run, kind, in->thread)] >=
           swp_happens_return(in->step);
}

static swp_status check_alias(swp_role_judge *judge, const issuer *in)
{
    const swp_happens_run *run = judge->run;
    const swp_happens_phase *phase = &run->phases[in->at->phase];
    const int64_t number = number_of(judge, in);
    if (!swp_happens_waits_for_phase(in->at->op))
        return SWP_OK;
    if (number < -1 && swp_verify_role_holds(judge, SWP_HAPPENS_LONG_PAST))
        return tell_alias(judge, in, 1,
                          "is for a phase so long past that its parity means another one: complete "
                          "at the start is even");
    if (number > 0 && swp_verify_role_holds(judge, SWP_HAPPENS_PASSES_BY) &&
        !swp_happens_completed_before(run, phase->before, in->thread, in->step))
        return tell_alias(judge, in, -1,
                          "may be issued while the phase before is not complete, whose parity lets "
                          "it pass: nothing orders it after");
    const swp_happens_phase *after = phase->after < 0 ? NULL : &run->phases[phase->after];
    if (after && after->completed && !is_known_to(run, after, in) &&
        swp_verify_role_holds(judge, SWP_HAPPENS_HELD))
        return tell_alias(
            judge, in, 1,
            "may return only after the phase after is complete, whose parity holds it: "
            "nothing orders it before");
    return SWP_OK;
}

static swp_status ask_alias(swp_role_judge *judge, int instance, int step)
{
    return ask_threads(judge, instance, step, check_alias);
}

/* Whether the phase after the one of a wait is not complete at the cut: it may hold the wait. */
static bool may_be_held(const swp_role_judge *judge, int instance, int s)
{
    const swp_happens_run *run = judge->run;
    const swp_happens_step *step = &run->steps[instance][s];
    if (!swp_happens_waits_for_phase(step->op))
        return false;
    const int after = run->phases[step->phase].after;
    return after < 0 || after >= swp_happens_phases_at_cut(run) || !run->phases[after].completed ||
           run->phases[after].in_tail;
}

swp_status swp_verify_role_phase_alias(swp_role_judge *judge)
{
    return ask_all(judge, ask_alias, may_be_held);
}

/* --- Phases that an arrival does not know of --- */

static bool is_observed(const swp_happens_run *run, const issuer *in)
{
    bool observed = true;
    for (int rank = 0; rank < run->program->ranks; rank++) {
        const int before = run->phases[swp_happens_phase_in(run, in->at->phase, rank)].before;
        if (swp_happens_reaches(run, in->at, rank))
            observed = observed && before >= 0 &&
                       swp_happens_observed_before(run, before, in->thread, in->step);
    }
    return observed;
}

static swp_status check_observed(swp_role_judge *judge, const issuer *in)
{
    swp_hazard *hazard = NULL;
    if (!swp_happens_is_arrival(in->at) || number_of(judge, in) < 1 || is_observed(judge->run, in))
        return SWP_OK;
    SWP_TRY(swp_verify_role_tell(judge, SWP_UNOBSERVED_PHASE, place_of(in), nobody, &hazard));
    if (!hazard)
        return SWP_OK;
    char name[SWP_ROLE_NAME_SIZE];
    char before[SWP_ROLE_NAME_SIZE];
    return swp_format(
        judge->ctx, (char **)&hazard->detail, "%s comes after no wait for %s, the one before",
        swp_verify_role_name(judge, place_of(in), name), name_of(judge, in, -1, before));
}

static swp_status ask_observed(swp_role_judge *judge, int instance, int step)
{
    return ask_threads(judge, instance, step, check_observed);
}

swp_status swp_verify_role_unobserved(swp_role_judge *judge)
{
    return ask_all(judge, ask_observed, NULL);
}
