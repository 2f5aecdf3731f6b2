/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a hazard of a schedule with warp roles to an execution that shows it. Whatever need not come before a
 * moment has not happened where a thread came to it with no more than that needs; so a thread is brought to the
 * hazard's entries like that, and then all others follow, with their operations early or late.
 */
#include "run/roles_find.h"

#include "base/context.h"
#include "run/outcome.h"
#include "run/session.h"
#include "run/shown.h"

enum { SEED = 1, ADVERSARIAL_RUNS = 64 };

/* What the search for one N works on. */
typedef struct roles_finder {
    swp_context *ctx;
    const swp_schedule *schedule;
    const swp_hazard *hazard;
    int n;
    swp_run_plainness best; /* of what is in `out` */
    swp_counterexample *out;
} roles_finder;

/* Whether a thread comes to a step as early as it can, with the others' operations early or late behind that… */
typedef enum approach {
    SOON,
    SOON_THEN_LATE,
    LAST, /* …or does all as late as it can */
    APPROACHES
} approach;

/* How one run of the search goes; SWP_RUN_NOBODY: by a timing. */
typedef struct attempt {
    int thread;
    int step;
    approach how;
    swp_timing timing; /* where none goes first */
    uint64_t seed;
} attempt;

static const char *name_of(const roles_finder *f, int role)
{
    return f->schedule->streams[role].name;
}

static swp_status open_session(const roles_finder *f, swp_run_session *session)
{
    const swp_run_extent extent = {f->n, f->hazard->tiles, f->hazard->tile_count};
    return swp_run_open(f->ctx, f->schedule, extent, 1, SEED, session);
}

static swp_status write_down(roles_finder *f, const swp_run_machine *m, size_t decided)
{
    const swp_hazard *hazard = f->hazard;
    const swp_symptom symptom = f->best == SWP_RUN_SHOWN_RIGHT
                                    ? swp_run_lesser_symptom_of(hazard->kind)
                                    : swp_run_symptom_of(hazard->kind);
    *f->out = (swp_counterexample){.n = f->n,
                                   .tiles = hazard->tiles,
                                   .tile_count = hazard->tile_count,
                                   .waves_per_group = 1,
                                   .seed = m->seed,
                                   .kind = hazard->kind,
                                   .at = hazard->at,
                                   .role = name_of(f, hazard->stream),
                                   .has_other = hazard->has_other,
                                   .other = hazard->other,
                                   .other_role =
                                       hazard->has_other ? name_of(f, hazard->other_stream) : NULL,
                                   .passes_before = hazard->passes_before,
                                   .symptom = symptom,
                                   .has_value = symptom == SWP_WRONG_VALUE};
    if (f->out->has_value)
        f->out->value = m->outcome->values.items[0];
    swp_schedule_digest(f->schedule, f->out->digest);
    for (size_t i = 0; i < decided; i++)
        SWP_TRY(SWP_PUSH(f->ctx, &f->out->events, m->events.items[i]));
    return SWP_OK;
}

void swp_run_prepare_roles(swp_run_machine *m, swp_hazard_kind kind)
{
    m->as_meant = kind == SWP_ARRIVALS || kind == SWP_NAMED_BARRIER;
    m->is_astray = m->is_astray && !m->as_meant;
}

/* Of what follows early nothing has to be written down. */
static swp_status run(const roles_finder *f, swp_run_machine *m, const attempt *a, size_t *decided)
{
    bool reached = false;
    swp_timing chosen = a->timing;
    swp_run_prepare_roles(m, f->hazard->kind);
    if (a->thread == SWP_RUN_NOBODY) {
        SWP_TRY(swp_run_roles_with(m, a->timing, a->seed, &chosen));
        *decided = chosen == SWP_TIMING_EARLY ? 0 : m->events.count;
        return SWP_OK;
    }
    if (a->how == LAST)
        SWP_TRY(swp_run_roles_with_last(m, a->thread));
    else
        SWP_TRY(swp_run_roles_approach(m, a->thread, a->step, false, &reached));
    if (a->how == SOON_THEN_LATE)
        SWP_TRY(swp_run_roles_rest_late(m));
    *decided = m->events.count;
    if (a->how == SOON) {
        const swp_timing_event_list events = m->events;
        m->events = (swp_timing_event_list){0};
        SWP_TRY(swp_run_roles_rest(m));
        m->events = events;
    }
    return SWP_OK;
}

static swp_status keep_if_plainer(roles_finder *f, swp_run_session *session, size_t decided)
{
    SWP_TRY(swp_run_judge(&session->machine));
    const swp_run_plainness plainness = swp_run_shows(f->hazard, &session->outcome);
    if (plainness <= f->best)
        return SWP_OK;
    f->best = plainness;
    return write_down(f, &session->machine, decided);
}

static swp_status try_one(roles_finder *f, const attempt *a)
{
    swp_run_session session;
    size_t decided = 0;
    swp_status status = open_session(f, &session);
    if (status == SWP_OK)
        status = run(f, &session.machine, a, &decided);
    if (status == SWP_OK)
        status = keep_if_plainer(f, &session, decided);
    swp_run_close(&session);
    return status;
}

/* Every thread that executes the step goes first, once. */
static swp_status try_step(roles_finder *f, const swp_run_machine *m, int role, int step)
{
    const int *first = m->program->sharing->first_instance;
    for (int thread = first[role] * SWP_RUN_LANES; thread < first[role + 1] * SWP_RUN_LANES;
         thread++)
        for (approach how = SOON; how < APPROACHES && f->best < SWP_RUN_SHOWN_PLAINLY; how++)
            if (swp_run_executes(m, thread, &m->program->lists[role].items[step]))
                SWP_TRY(try_one(f, &(attempt){.thread = thread, .step = step, .how = how}));
    return SWP_OK;
}

/* The entry in each of its passes. */
static swp_status try_entry(roles_finder *f, const swp_run_machine *m, int role, swp_entry_ref at)
{
    const swp_run_step_list *steps = &m->program->lists[role];
    for (size_t i = 0; i < steps->count && f->best < SWP_RUN_SHOWN_PLAINLY; i++)
        if (steps->items[i].phase == at.phase && steps->items[i].entry == at.entry)
            SWP_TRY(try_step(f, m, role, (int)i));
    return SWP_OK;
}

static swp_status try_entries(roles_finder *f)
{
    swp_run_session session;
    swp_status status = open_session(f, &session);
    if (status == SWP_OK)
        status = try_entry(f, &session.machine, f->hazard->stream, f->hazard->at);
    if (status == SWP_OK && f->hazard->has_other)
        status = try_entry(f, &session.machine, f->hazard->other_stream, f->hazard->other);
    swp_run_close(&session);
    return status;
}

swp_status swp_run_find_in_roles(swp_context *ctx, const swp_schedule *schedule,
                                 const swp_hazard *hazard, int n, swp_counterexample *out,
                                 bool *found)
{
    roles_finder f = {.ctx = ctx, .schedule = schedule, .hazard = hazard, .n = n, .out = out};
    SWP_TRY(try_one(&f, &(attempt){.thread = SWP_RUN_NOBODY, .timing = SWP_TIMING_EARLY}));
    if (f.best < SWP_RUN_SHOWN_PLAINLY)
        SWP_TRY(try_entries(&f));
    for (uint64_t seed = 0; seed < ADVERSARIAL_RUNS && f.best < SWP_RUN_SHOWN; seed++)
        SWP_TRY(try_one(
            &f,
            &(attempt){.thread = SWP_RUN_NOBODY, .timing = SWP_TIMING_ADVERSARIAL, .seed = seed}));
    *found = f.best != SWP_RUN_NOT_SHOWN;
    return SWP_OK;
}
