/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a hazard to an execution that shows it. A hazard names two accesses that nothing orders; of
 * every pair of their instances one is hurried and the other delayed as far as the machine permits,
 * so an unordered pair does meet in the wrong order.
 */
#include "swp/run.h"

#include "base/budget.h"
#include "base/diag.h"
#include "base/require.h"
#include "ir/roles.h"
#include "run/outcome.h"
#include "run/session.h"
#include "run/shown.h"
#include "run/timing.h"
#include "run/watch.h"

#include <stdlib.h>

enum { SEED = 1, ADVERSARIAL_RUNS = 64, SIZES = 3 };

/* How one execution of the search goes: a hazard's accesses meet as far as can be in the wrong order… */
typedef enum manner {
    DELAYED, /* …the rest of the run in order… */
    RACED,   /* …or as little else as possible */
    MEETINGS,
    /* A thread comes to a step as early as it can, and the operations of the others behind that are early or late… */
    SOON = MEETINGS,
    SOON_THEN_LATE,
    LAST, /* …or does all as late as it can */
    BY_TIMING
} manner;

typedef struct attempt {
    manner how;
    swp_run_target early; /* or the thread, and step */
    swp_run_target late;
    swp_timing timing;
    uint64_t seed;
} attempt;

/* What the search for one N works on. */
typedef struct finder {
    swp_context *ctx;
    const swp_schedule *schedule;
    const swp_hazard *hazard;
    int n;
    swp_run_plainness best; /* of what is in `out` */
    swp_counterexample *out;
} finder;

static bool is_plain(const finder *f)
{
    return f->best == SWP_RUN_SHOWN_PLAINLY;
}

static swp_status write_down(finder *f, const swp_run_machine *m, size_t decided)
{
    const swp_hazard *hazard = f->hazard;
    const swp_symptom symptom = f->best == SWP_RUN_SHOWN_RIGHT
                                    ? swp_run_lesser_symptom_of(hazard->kind)
                                    : swp_run_symptom_of(hazard->kind);
    *f->out = (swp_counterexample){.n = f->n,
                                   .tiles = hazard->tiles,
                                   .tile_count = hazard->tile_count,
                                   .waves_per_group = m->program->waves_per_group,
                                   .seed = m->seed,
                                   .kind = hazard->kind,
                                   .at = hazard->at,
                                   .role = swp_ir_role_name(f->schedule, hazard->stream),
                                   .has_other = hazard->has_other,
                                   .other = hazard->other,
                                   .passes_before = hazard->passes_before,
                                   .symptom = symptom,
                                   .has_value = symptom == SWP_WRONG_VALUE};
    if (hazard->has_other)
        f->out->other_role = swp_ir_role_name(f->schedule, hazard->other_stream);
    if (f->out->has_value)
        f->out->value = m->outcome->values.items[0];
    swp_schedule_digest(f->schedule, f->out->digest);
    for (size_t i = 0; i < decided; i++)
        SWP_TRY(SWP_PUSH(f->ctx, &f->out->events, m->events.items[i]));
    return SWP_OK;
}

/* Writes a finished run down if none before it was as plain. Its first `decided` events count. */
static swp_status keep_if_plainer(finder *f, swp_run_machine *m, size_t decided)
{
    SWP_TRY(swp_run_judge(m));
    const swp_run_plainness plainness = swp_run_shows(f->hazard, m->outcome);
    if (plainness <= f->best)
        return SWP_OK;
    f->best = plainness;
    return write_down(f, m, decided);
}

static swp_status open_session(const finder *f, swp_run_session *session)
{
    const swp_run_extent extent = {f->n, f->hazard->tiles, f->hazard->tile_count};
    return swp_run_open(f->ctx, f->schedule, extent, swp_run_waves_per_group(f->schedule, 0), SEED,
                        session);
}

/* What comes after is not joined to the events that were decided: it is as early as can be. */
static swp_status rest(swp_run_machine *m)
{
    const swp_timing_event_list decided = m->events;
    m->events = (swp_timing_event_list){0};
    SWP_TRY(swp_run_rest(m));
    m->events = decided;
    return SWP_OK;
}

/* `counts` is false if the two did not meet. */
static swp_status run(swp_run_machine *m, const attempt *a, size_t *decided, bool *counts)
{
    swp_timing chosen = a->timing;
    bool reached = false;
    if (a->how == BY_TIMING)
        SWP_TRY(swp_run_with(m, a->timing, a->seed, &chosen));
    else if (a->how < MEETINGS)
        SWP_TRY((a->how == RACED ? swp_run_race : swp_run_delay)(m, a->early, a->late, counts));
    else if (a->how == LAST)
        SWP_TRY(swp_run_with_last(m, a->early.thread));
    else
        SWP_TRY(swp_run_help_to(m, a->early, SWP_RUN_ISSUED, &reached));
    if (a->how == SOON_THEN_LATE)
        SWP_TRY(swp_run_rest_late(m));
    *decided = a->how == BY_TIMING && chosen == SWP_TIMING_EARLY ? 0 : m->events.count;
    return *counts && a->how <= SOON ? rest(m) : SWP_OK;
}

static swp_status try_one(finder *f, const attempt *a)
{
    swp_run_session session;
    size_t decided = 0;
    bool counts = true;
    swp_status status = open_session(f, &session);
    swp_run_go_by(&session.machine, f->hazard->kind);
    if (status == SWP_OK)
        status = run(&session.machine, a, &decided, &counts);
    if (status == SWP_OK && counts)
        status = keep_if_plainer(f, &session.machine, decided);
    swp_run_close(&session);
    return status;
}

static swp_status try_race(finder *f, swp_run_target early, swp_run_target late)
{
    for (manner how = DELAYED; how < MEETINGS && !is_plain(f); how++)
        SWP_TRY(try_one(f, &(attempt){.how = how, .early = early, .late = late}));
    return SWP_OK;
}

static swp_status try_timing(finder *f, swp_timing timing, uint64_t seed)
{
    return try_one(f, &(attempt){.how = BY_TIMING, .timing = timing, .seed = seed});
}

/* --- Pairs of accesses --- */

/* Where an entry of one pass stands among a wave's steps; -1: nowhere. */
static int step_of(const swp_run_program *program, int wave, swp_entry_ref ref, int pass)
{
    const swp_run_step_list *steps = swp_run_list_of(program, wave);
    for (size_t i = 0; i < steps->count; i++) {
        const swp_run_step *step = &steps->items[i];
        if (step->phase == ref.phase && step->entry == ref.entry && step->pass == pass)
            return (int)i;
    }
    return -1;
}

/* Of two writes either may bring the right tile, so that the other one has to be the last. */
static swp_status try_pair(finder *f, swp_run_target early, swp_run_target late)
{
    SWP_TRY(try_race(f, early, late));
    return f->hazard->kind == SWP_WRITE_RACE ? try_race(f, late, early) : SWP_OK;
}

/* All pairs of waves, for one pass of each access. */
static swp_status race_waves(finder *f, const swp_run_program *program, int early_pass,
                             int late_pass)
{
    for (int e = 0; e < program->waves; e++)
        for (int l = 0; l < program->waves && !is_plain(f); l++) {
            const int early = step_of(program, e, f->hazard->at, early_pass);
            const int late = step_of(program, l, f->hazard->other, late_pass);
            if (early >= 0 && late >= 0 && (e != l || early != late))
                SWP_TRY(try_pair(f, (swp_run_target){e, early}, (swp_run_target){l, late}));
        }
    return SWP_OK;
}

/* All pairs of passes, those first that are as far apart as the hazard says. */
static swp_status race_passes(finder *f, const swp_run_program *program)
{
    const int most_off = 2 * (program->passes + 1);
    for (int off = 0; off <= most_off && f->best < SWP_RUN_SHOWN_AMONG; off++)
        for (int early = -1; early <= program->passes; early++)
            for (int late = -1; late <= program->passes && !is_plain(f); late++)
                if (abs(early - late - f->hazard->passes_before) == off)
                    SWP_TRY(race_waves(f, program, early, late));
    return SWP_OK;
}

/* --- Entries of warp roles --- */

/* Every thread that executes the step goes first, once. */
static swp_status try_step(finder *f, const swp_run_machine *m, int role, int step)
{
    const int *first = m->program->sharing->first_instance;
    for (int thread = first[role] * m->lanes; thread < first[role + 1] * m->lanes; thread++)
        for (manner how = SOON; how <= LAST && !is_plain(f); how++)
            if (swp_run_executes(m, thread, &m->program->lists[role].items[step]))
                SWP_TRY(try_one(f, &(attempt){.how = how, .early = {thread, step}}));
    return SWP_OK;
}

/* The entry in each of its passes. */
static swp_status try_entry(finder *f, const swp_run_machine *m, int role, swp_entry_ref at)
{
    const swp_run_step_list *steps = &m->program->lists[role];
    for (size_t i = 0; i < steps->count && !is_plain(f); i++)
        if (steps->items[i].phase == at.phase && steps->items[i].entry == at.entry)
            SWP_TRY(try_step(f, m, role, (int)i));
    return SWP_OK;
}

/*
 * Of warp roles whatever need not come before a moment has not happened where a thread came to it with no more than that
 * needs; so a thread is brought to the hazard's entries like that, and then all others follow.
 */
static swp_status try_entries(finder *f, const swp_run_machine *m)
{
    SWP_TRY(try_timing(f, SWP_TIMING_EARLY, SEED));
    SWP_TRY(try_entry(f, m, f->hazard->stream, f->hazard->at));
    return f->hazard->has_other ? try_entry(f, m, f->hazard->other_stream, f->hazard->other)
                                : SWP_OK;
}

static swp_status try_accesses(finder *f)
{
    swp_run_session session;
    swp_status status = open_session(f, &session);
    if (status == SWP_OK && session.program.manner->reads_worst)
        status = try_entries(f, &session.machine);
    else if (status == SWP_OK && f->hazard->has_other)
        status = race_passes(f, &session.program);
    swp_run_close(&session);
    return status;
}

static swp_status find_for_n(finder *f)
{
    SWP_TRY(try_accesses(f));
    if (f->best < SWP_RUN_SHOWN)
        SWP_TRY(try_timing(f, SWP_TIMING_EARLY, SEED));
    for (uint64_t seed = 0; seed < ADVERSARIAL_RUNS && f->best < SWP_RUN_SHOWN; seed++)
        SWP_TRY(try_timing(f, SWP_TIMING_ADVERSARIAL, seed));
    return SWP_OK;
}

/* The least number of tiles from `n` on that the loop takes. */
static int next_size(const swp_schedule *schedule, int n)
{
    const swp_loop_shape *loop = &schedule->loop;
    const int last = n + loop->min_tiles + loop->multiple * loop->tiles_per_pass;
    while (n < last && swp_schedule_form_of(schedule, n) < 0)
        n++;
    return n;
}

swp_status swp_counterexample_find(swp_context *ctx, const swp_schedule *schedule,
                                   const swp_hazard *hazard, swp_counterexample *out)
{
    SWP_REQUIRE(ctx, ctx && schedule && hazard && out);
    finder f = {.ctx = ctx, .schedule = schedule, .hazard = hazard, .out = out};
    f.n = schedule->output_tiles ? hazard->smallest_n : next_size(schedule, hazard->smallest_n);
    *out = (swp_counterexample){0};
    for (int size = 0; size < (schedule->output_tiles ? 1 : SIZES); size++) {
        const swp_status found = find_for_n(&f);
        if (found == SWP_STOPPED)
            swp_give_grace(ctx); /* the hazard itself can still be shown */
        SWP_TRY(found);
        if (f.best != SWP_RUN_NOT_SHOWN)
            return SWP_OK;
        f.n = next_size(schedule, f.n + 1);
    }
    const swp_status status = swp_error(
        ctx, SWP_E0714, SWP_NOWHERE, NULL, "no execution was found that shows %s at %s entry %d",
        swp_hazard_name(hazard->kind), swp_phase_name(hazard->at.phase), hazard->at.entry);
    return swp_ends_work(status) ? status : SWP_INFEASIBLE;
}
