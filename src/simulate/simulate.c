/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steady state: passes are followed until the state at the start of one has been seen before.
 * Brent's method finds the least number of passes after which it comes back, keeping one state.
 * Where units fall ever further behind accesses that nothing waits for, none comes back before a counter
 * is full, of which some hold 65,535: then the units set the pace, by which they go on finishing.
 */
#include "base/diag.h"
#include "base/require.h"
#include "ir/loop_resident.h"
#include "ir/roles.h"
#include "simulate/body_figures.h"
#include "simulate/deadlock.h"
#include "simulate/latencies.h"
#include "simulate/patience.h"
#include "simulate/snapshot.h"
#include "simulate/stalls.h"
#include "simulate/tiles.h"
#include "target/role_figures.h"

/* Beyond these, the reader has lost patience. */
enum { MOST_PASSES = 1 << 13 };

/* After fewer passes, what piles up may be the way to a steady state. */
enum { LEAST_PASSES_BEHIND = 1 << 8 };

/* How far a run has come. */
typedef struct progress {
    int64_t issued;   /* by the lead: when its next step could issue */
    int64_t finished; /* by all: when all of it will have finished */
} progress;

enum { HALF_OF_HALF, HALF, WHOLE, PROGRESS_COUNT };

typedef struct simulator {
    swp_context *ctx;
    const swp_schedule *schedule;
    swp_sim_program program;
    swp_sim_engine engine;
    swp_sim_patience patience; /* since the last restart */
    /* The steady state: passes `first` to `end` - 1 repeat. */
    int first;
    int end;
    int64_t period;    /* cycles in which the lead issues them */
    bool falls_behind; /* the units do: these passes take as long as what they finish */
    progress progress[PROGRESS_COUNT]; /* at a quarter of the passes, at half of them, now */
    swp_simulation *out;
} simulator;

/* Passes are followed in one output tile. */
static swp_status restart(simulator *s, int passes)
{
    const int tiles = s->schedule->output_tiles ? 1 : 0;
    s->patience = swp_simulate_patience(s->ctx);
    return swp_simulate_engine_new(s->ctx, &s->program, passes, tiles, &s->engine);
}

/* Whether some role runs away from another, and which two: no ring has so many slots. */
static bool runs_away(const simulator *s, int *ahead, int *behind)
{
    const swp_sim_group *groups = s->engine.groups;
    *ahead = *behind = 0;
    for (int i = 1; i < s->program.group_count; i++) {
        *ahead = groups[i].pass > groups[*ahead].pass ? i : *ahead;
        *behind = groups[i].pass < groups[*behind].pass ? i : *behind;
    }
    return s->program.has_roles &&
           groups[*ahead].pass - groups[*behind].pass > groups[*ahead].pass / 8;
}

static swp_status report_no_steady_state(const simulator *s)
{
    int ahead = 0;
    int behind = 0;
    if (runs_away(s, &ahead, &behind))
        return swp_error(s->ctx, SWP_E0720, SWP_NOWHERE,
                         "let it wait for what the other has done, or simulate each loop alone",
                         "role %s runs ever further ahead of role %s: after %d passes it is %d "
                         "ahead, and nothing holds it",
                         s->schedule->streams[s->program.groups[ahead].stream].name,
                         s->schedule->streams[s->program.groups[behind].stream].name,
                         s->engine.groups[ahead].pass,
                         s->engine.groups[ahead].pass - s->engine.groups[behind].pass);
    return swp_error(s->ctx, SWP_E0720, SWP_NOWHERE,
                     "an access that nothing waits for may take longer than all these passes",
                     "no state of the machine came back within %d passes",
                     swp_simulate_lead(&s->engine)->pass);
}

static progress progress_of(const swp_sim_engine *engine)
{
    return (progress){swp_simulate_lead(engine)->ready, swp_simulate_engine_end(engine)};
}

/*
 * Whether, `pass` being a power of two, more is issued than finished, evenly so: what is late then holds
 * nobody, or would have done so. At last, a rhythm that does not divide a power of two is even enough.
 */
static bool falls_behind(simulator *s, int pass)
{
    progress *p = s->progress;
    p[HALF_OF_HALF] = p[HALF];
    p[HALF] = p[WHOLE];
    p[WHOLE] = progress_of(&s->engine);
    const int64_t before = p[HALF].finished - p[HALF_OF_HALF].finished;
    const int64_t now = p[WHOLE].finished - p[HALF].finished;
    const bool grew = before > p[HALF].issued - p[HALF_OF_HALF].issued;
    const bool grows = now > p[WHOLE].issued - p[HALF].issued;
    const bool is_even = now == 2 * before || pass == MOST_PASSES;
    int ahead = 0;
    int behind = 0;
    return pass >= LEAST_PASSES_BEHIND && grew && grows && is_even &&
           !runs_away(s, &ahead, &behind);
}

static bool is_before(const swp_sim_group *group, int pass)
{
    return group->phase == SWP_BEGIN || group->phase == SWP_PROLOGUE ||
           (group->phase == SWP_KERNEL && group->pass < pass);
}

/* Goes on until the lead stands before pass `pass`, or is through with all. */
static swp_status run_to(simulator *s, int pass)
{
    const swp_sim_group *group = swp_simulate_lead(&s->engine);
    bool moved = true;
    bool left = true;
    while (moved && !group->ended && is_before(group, pass)) {
        SWP_TRY(swp_simulate_engine_step(&s->engine, &moved));
        SWP_TRY(swp_simulate_count_step(&s->patience, &left));
        if (!left)
            return report_no_steady_state(s);
    }
    return moved ? SWP_OK : swp_simulate_report_deadlock(&s->engine);
}

static swp_status find_steady_state(simulator *s)
{
    swp_sim_snapshot kept = {0};
    swp_sim_snapshot now = {0};
    int next_kept = 0;
    int64_t kept_at = 0;
    SWP_TRY(restart(s, MOST_PASSES + 1));
    for (int pass = 0; pass <= MOST_PASSES; pass++) {
        SWP_TRY(run_to(s, pass));
        SWP_TRY(swp_simulate_snapshot_take(&s->engine, &now));
        s->period = swp_simulate_lead(&s->engine)->ready - kept_at;
        if (pass > 0 && swp_simulate_snapshot_equal(&now, &kept)) {
            s->end = pass;
            return SWP_OK;
        }
        if (pass == next_kept) {
            s->falls_behind = falls_behind(s, pass);
            if (s->falls_behind) {
                s->first = pass / 2;
                s->end = pass;
                return SWP_OK;
            }
            const swp_sim_snapshot spare = kept;
            kept = now;
            now = spare;
            s->first = pass;
            kept_at = swp_simulate_lead(&s->engine)->ready;
            next_kept = pass == 0 ? 1 : 2 * pass;
        }
    }
    return report_no_steady_state(s);
}

/* What is heard of the steady state, which begins so. */
typedef struct hearing {
    swp_sim_stalls stalls;
    const simulator *simulator;
    int64_t began;
} hearing;

static swp_status hear_delay(void *user, const swp_sim_delay *delay)
{
    return swp_simulate_stalls_add(&((hearing *)user)->stalls, delay);
}

/* Who is some passes away from the lead issues those of another period, as many cycles away. */
static void hear_issue(void *user, const swp_sim_event *event, int64_t issued, int64_t finished)
{
    const hearing *h = user;
    const simulator *s = h->simulator;
    const int passes = s->end - s->first;
    const int apart = event->pass - s->first;
    (void)finished;
    if (event->ref.phase == SWP_KERNEL && event->ref.entry >= 0 && apart % passes == 0)
        s->out->groups[event->group].issues[event->ref.entry] =
            issued - h->began - apart / passes * s->period;
}

static swp_status listen(simulator *s, hearing *heard)
{
    for (size_t i = 0; i < s->out->group_count; i++) {
        swp_group_load *load = &s->out->groups[i];
        const size_t count = s->schedule->streams[load->stream].kernel.count;
        SWP_TRY(SWP_TAKE(s->ctx, count, &load->issues));
        for (size_t k = 0; k < count; k++)
            load->issues[k] = SWP_NOT_ISSUED;
    }
    s->engine.listener =
        (swp_sim_listener){.delay = hear_delay, .issue = hear_issue, .user = heard};
    return SWP_OK;
}

/* What each group has waited, and kept of the units, since or until then. */
static void add_loads(simulator *s, int sign)
{
    for (size_t i = 0; i < s->out->group_count; i++) {
        const swp_sim_group *group = &s->engine.groups[i];
        s->out->groups[i].held += sign * group->held;
        for (size_t unit = 0; unit < s->out->unit_count; unit++) {
            s->out->groups[i].busy[unit] += sign * group->busy[unit];
            s->out->units[unit].busy += sign * group->busy[unit];
        }
    }
}

/* The run of `end` passes, listening while the steady state lasts. */
static swp_status measure(simulator *s)
{
    hearing heard = {.stalls = {.ctx = s->ctx}, .simulator = s};
    swp_simulation *out = s->out;
    SWP_TRY(restart(s, MOST_PASSES + 1));
    SWP_TRY(run_to(s, 0));
    out->prologue_cycles = swp_simulate_lead(&s->engine)->ready;
    out->passes = s->end - s->first;
    out->warm_up = s->first;
    SWP_TRY(run_to(s, s->first));
    const progress began = progress_of(&s->engine);
    heard.began = began.issued;
    add_loads(s, -1);
    SWP_TRY(listen(s, &heard));
    SWP_TRY(run_to(s, s->end));
    const progress ended = progress_of(&s->engine);
    out->cycles = s->falls_behind ? ended.finished - began.finished : ended.issued - began.issued;
    add_loads(s, 1);
    swp_simulate_stalls_sort(&heard.stalls);
    out->stalls = heard.stalls.list;
    return SWP_OK;
}

static swp_status measure_epilogue(simulator *s, int passes)
{
    bool moved = true;
    SWP_TRY(restart(s, passes));
    SWP_TRY(run_to(s, passes));
    const progress at_end = progress_of(&s->engine);
    const int64_t began = s->falls_behind ? at_end.finished : at_end.issued;
    while (moved)
        SWP_TRY(swp_simulate_engine_step(&s->engine, &moved));
    if (!swp_simulate_engine_ended(&s->engine))
        return swp_simulate_report_deadlock(&s->engine);
    s->out->epilogue_cycles = swp_simulate_engine_end(&s->engine) - began;
    return SWP_OK;
}

/* Without kernel entries a pass takes no time. */
static swp_status measure_empty(simulator *s)
{
    SWP_TRY(restart(s, 0));
    SWP_TRY(run_to(s, 0));
    s->out->passes = 1;
    s->out->prologue_cycles = swp_simulate_lead(&s->engine)->ready;
    return measure_epilogue(s, 0);
}

static swp_status simulate_passes(simulator *s)
{
    if (s->program.groups[s->program.lead].steps[SWP_KERNEL].count == 0)
        return measure_empty(s);
    SWP_TRY(find_steady_state(s));
    SWP_TRY(measure(s));
    return measure_epilogue(s, s->end);
}

static swp_status simulate(simulator *s)
{
    SWP_TRY(simulate_passes(s));
    return s->schedule->output_tiles
               ? swp_simulate_output_tiles(s->ctx, &s->program, s->end, s->out)
               : SWP_OK;
}

double swp_unit_percent(const swp_simulation *simulation, const swp_unit_load *unit)
{
    SWP_REQUIRE_OR(0, simulation && unit);
    const double all = (double)simulation->cycles * (double)unit->capacity;
    return simulation->cycles > 0 ? 100.0 * (double)unit->busy / all : 0;
}

static swp_status warn_of_occupancy(swp_context *ctx, const swp_sim_program *program,
                                    const swp_simulate_options *options)
{
    if (options->occupancy_global == 0 && options->occupancy_lds == 0)
        return SWP_OK;
    if (program->by_figures)
        return swp_warn(ctx, SWP_W0721, SWP_NOWHERE, "count without the target file to state them",
                        "the figures of the target say how long ops keep their units: occupancies "
                        "of %d and %d cycles are left out",
                        options->occupancy_global, options->occupancy_lds);
    if (!program->states_uses)
        return SWP_OK;
    return swp_warn(ctx, SWP_W0721, SWP_NOWHERE, "change `uses` of its ops",
                    "the loop says how long its ops keep their units: occupancies of %d and %d "
                    "cycles are left out",
                    options->occupancy_global, options->occupancy_lds);
}

static swp_status list_groups(simulator *s)
{
    swp_simulation *out = s->out;
    out->group_count = (size_t)s->program.group_count;
    SWP_TRY(SWP_TAKE(s->ctx, out->group_count, &out->groups));
    for (size_t i = 0; i < out->group_count; i++) {
        const swp_sim_stream *of = &s->program.groups[i];
        out->groups[i] = (swp_group_load){.role = swp_ir_role_name(s->schedule, of->stream),
                                          .stream = of->stream,
                                          .instance = of->instance};
        SWP_TRY(SWP_TAKE(s->ctx, out->unit_count, &out->groups[i].busy));
    }
    return SWP_OK;
}

/* A schedule with a loop of its own, which has the figures of the target. */
typedef struct figured_schedule {
    swp_schedule schedule;
    swp_loop_dataflow dataflow;
    swp_loop loop;
} figured_schedule;

static bool has_role_figures(const swp_schedule *schedule, const swp_target *target)
{
    return target && schedule->dataflow && swp_simulate_by_role(schedule) &&
           swp_target_has_role_figures(target);
}

static swp_status set_role_figures(swp_context *ctx, const swp_schedule *schedule,
                                   const swp_target *target, figured_schedule *own)
{
    own->loop = *schedule->dataflow->loop;
    own->dataflow = *schedule->dataflow;
    own->dataflow.loop = &own->loop;
    own->schedule = *schedule;
    own->schedule.dataflow = &own->dataflow;
    SWP_TRY(swp_ir_loop_share_units(ctx, 1, &own->loop));
    SWP_TRY(swp_target_set_role_figures(ctx, target, &own->loop));
    return swp_ir_loop_share_units(ctx, swp_ir_loop_resident(schedule->dataflow->loop), &own->loop);
}

swp_status swp_simulate(swp_context *ctx, const swp_schedule *schedule,
                        const swp_simulate_options *options, swp_simulation *out)
{
    SWP_REQUIRE(ctx, ctx && schedule && out);
    const swp_simulate_options published = {0};
    figured_schedule own;
    simulator s = {.ctx = ctx, .schedule = schedule, .out = out};
    *out = (swp_simulation){0};
    SWP_TRY(swp_schedule_check_loop(ctx, schedule));
    const bool roles_by_figures = options && has_role_figures(schedule, options->target);
    if (roles_by_figures) {
        SWP_TRY(set_role_figures(ctx, schedule, options->target, &own));
        s.schedule = &own.schedule;
    }
    SWP_TRY(
        swp_simulate_program_build(ctx, s.schedule, options ? options : &published, &s.program));
    out->units = s.program.units;
    out->unit_count = s.program.unit_count;
    out->by_figures = s.program.by_figures || roles_by_figures;
    SWP_TRY(list_groups(&s));
    if (options)
        SWP_TRY(warn_of_occupancy(ctx, &s.program, options));
    if (options)
        SWP_TRY(swp_simulate_warn_of_groups(ctx, schedule, options));
    SWP_TRY(swp_simulate_warn_of_latencies(ctx, s.schedule));
    return simulate(&s);
}
