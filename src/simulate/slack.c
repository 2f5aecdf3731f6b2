/* SPDX-License-Identifier: Apache-2.0 */
/* By how much the model's latencies keep a hazard from happening. */
#include "base/require.h"
#include "simulate/engine.h"
#include "simulate/latencies.h"

/* A longer run has no slack worth its time. */
enum { MOST_PASSES = 256, MOST_EVENTS = 1 << 20 };

#define NEVER INT64_MIN

typedef struct times {
    int64_t issued;
    int64_t finished;
} times;

/* Where the events of a group stand. */
typedef struct layout {
    size_t first[SWP_SIM_PHASES]; /* index of a phase's first event */
    size_t lengths[SWP_SIM_PHASES];
} layout;

/* When each event of a run of `passes` passes happens, for each group. */
typedef struct record {
    swp_context *ctx;
    swp_sim_program program;
    int64_t passes; /* of the run recorded; -1: none yet */
    layout *groups;
    size_t count;  /* events of all groups; 0: too many */
    times *events; /* group by group */
} record;

static int64_t runs_of(const record *r, swp_phase phase)
{
    return phase == SWP_KERNEL ? r->passes : 1;
}

/* The pass that counts from 0 in its phase. */
static int64_t pass_in_phase(const record *r, swp_phase phase, int64_t pass)
{
    return phase == SWP_PROLOGUE ? pass + 1 : phase == SWP_EPILOGUE ? pass - r->passes : pass;
}

/* NULL for what does not happen in this run. */
static times *times_of(const record *r, int group, swp_entry_ref ref, int64_t pass)
{
    const layout *own = &r->groups[group];
    const int64_t run = pass_in_phase(r, ref.phase, pass);
    if (run < 0 || run >= runs_of(r, ref.phase) || ref.entry < 0 ||
        (size_t)ref.entry >= own->lengths[ref.phase])
        return NULL;
    return r->events + own->first[ref.phase] + (size_t)run * own->lengths[ref.phase] +
           (size_t)ref.entry;
}

static void note(void *user, const swp_sim_event *event, int64_t issued, int64_t finished)
{
    times *slot = times_of(user, event->group, event->ref, event->pass);
    if (slot)
        *slot = (times){issued, finished};
}

static void lay_out_group(record *r, int group)
{
    const swp_stream *stream = &r->program.schedule->streams[r->program.groups[group].stream];
    layout *own = &r->groups[group];
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        own->first[phase] = r->count;
        own->lengths[phase] = swp_stream_phase(stream, phase)->count;
        r->count += own->lengths[phase] * (size_t)runs_of(r, phase);
    }
}

static swp_status lay_out(record *r)
{
    r->count = 0;
    SWP_TRY(SWP_TAKE(r->ctx, (size_t)r->program.group_count, &r->groups));
    for (int group = 0; group < r->program.group_count; group++)
        lay_out_group(r, group);
    if (r->count > MOST_EVENTS)
        r->count = 0;
    SWP_TRY(SWP_TAKE(r->ctx, r->count, &r->events));
    for (size_t i = 0; i < r->count; i++)
        r->events[i] = (times){NEVER, NEVER};
    return SWP_OK;
}

/* A run in which a group waits for ever has times up to there. */
static swp_status record_run(record *r, int64_t passes)
{
    swp_sim_engine engine;
    bool moved = true;
    if (r->passes == passes)
        return SWP_OK;
    r->passes = passes;
    SWP_TRY(lay_out(r));
    if (r->count == 0)
        return SWP_OK;
    SWP_TRY(swp_simulate_engine_new(r->ctx, &r->program, (int)passes, 0, &engine));
    engine.listener = (swp_sim_listener){.issue = note, .user = r};
    while (moved)
        SWP_TRY(swp_simulate_engine_step(&engine, &moved));
    return SWP_OK;
}

/* Registers are each wave's own, or each instance's. */
static bool may_meet(const record *r, const swp_hazard *hazard, int at, int other)
{
    const swp_sim_stream *groups = r->program.groups;
    const bool is_of_one =
        hazard->kind == SWP_REGISTER_NOT_READY || hazard->kind == SWP_ACCUMULATOR_IN_FLIGHT;
    return groups[at].stream == hazard->stream && groups[other].stream == hazard->other_stream &&
           (!is_of_one || at == other);
}

/* The least over every pair of groups. */
static void set_slack_in(const record *r, swp_hazard *hazard, int64_t pass)
{
    for (int g = 0; g < r->program.group_count; g++)
        for (int h = 0; h < r->program.group_count; h++) {
            const times *at = times_of(r, g, hazard->at, pass);
            const times *other = times_of(r, h, hazard->other, pass - hazard->passes_before);
            if (!may_meet(r, hazard, g, h) || !at || !other || at->issued == NEVER ||
                other->finished == NEVER)
                continue;
            const int64_t slack = at->issued - other->finished;
            if (!hazard->has_slack || slack < hazard->slack_cycles)
                hazard->slack_cycles = slack;
            hazard->has_slack = true;
        }
}

/* Without roles a hazard of the smallest run is in its last pass; of warp roles it may be in any. */
static void set_slack(const record *r, swp_hazard *hazard)
{
    const int64_t last = r->passes - 1;
    const bool is_in_kernel = hazard->at.phase == SWP_KERNEL;
    const int64_t first = r->program.has_roles && is_in_kernel ? 0 : last;
    if (!is_in_kernel) {
        set_slack_in(r, hazard, hazard->at.phase == SWP_PROLOGUE ? -1 : r->passes);
        return;
    }
    for (int64_t pass = first; pass <= last; pass++)
        set_slack_in(r, hazard, pass);
}

static bool latency_matters(const swp_hazard *hazard)
{
    const swp_hazard_kind kind = hazard->kind;
    return hazard->has_other &&
           (kind == SWP_STALE_READ || kind == SWP_OVERWRITTEN || kind == SWP_WRITE_RACE ||
            kind == SWP_REGISTER_NOT_READY || kind == SWP_ACCUMULATOR_IN_FLIGHT);
}

swp_status swp_simulate_slack(swp_context *ctx, const swp_schedule *schedule, swp_verdict *verdict)
{
    SWP_REQUIRE(ctx, ctx && schedule && verdict);
    const swp_simulate_options published = {0};
    const swp_loop_shape *loop = &schedule->loop;
    bool unknown[SWP_SCHEDULE_TAGS];
    record r = {.ctx = ctx, .passes = -1};
    /* A run of output tiles, or beside other work groups, is not the one that is counted. */
    if (schedule->output_tiles || schedule->cluster > 1 ||
        swp_simulate_unknown_latencies(schedule, unknown))
        return SWP_OK;
    SWP_TRY(swp_simulate_program_build(ctx, schedule, &published, &r.program));
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        swp_hazard *hazard = &verdict->hazards.items[i];
        hazard->has_slack = false;
        /* Forms for other numbers of tiles have other lists. */
        if (swp_schedule_form_of(schedule, hazard->smallest_n) != 0)
            continue;
        const int passes = (hazard->smallest_n - loop->min_tiles) / loop->tiles_per_pass;
        if (!latency_matters(hazard) || passes < 0 || passes > MOST_PASSES)
            continue;
        SWP_TRY(record_run(&r, passes));
        if (r.count > 0)
            set_slack(&r, hazard);
    }
    return SWP_OK;
}
