/* SPDX-License-Identifier: Apache-2.0 */
/* Records the run that a picture shows: up to the steady state, some passes of it, and the end. */
#include "swp/timeline.h"

#include "base/diag.h"
#include "base/require.h"
#include "ir/roles.h"
#include "simulate/latencies.h"
#include "simulate/record.h"

/* Steady passes that a picture shows at least, so that what comes again is seen to; and passes at the most. */
enum { LEAST_STEADY = 3, MOST_PASSES = 24 };

typedef struct recording {
    swp_context *ctx;
    const swp_schedule *schedule;
    const swp_simulate_options *machine;
    swp_effects *effects;
    swp_sim_program program;
    swp_group_load *groups;
    bool has_steady_state;
    swp_simulation simulation; /* its figures; what it points to is gone */
} recording;

static swp_status lower(recording *r)
{
    const swp_schedule *schedule = r->schedule;
    SWP_TRY(SWP_TAKE(r->ctx, schedule->stream_count, &r->effects));
    for (size_t i = 0; i < schedule->stream_count; i++)
        SWP_TRY(swp_ir_effects_of_stream(r->ctx, schedule, &schedule->streams[i], &r->effects[i]));
    return swp_simulate_program_build(r->ctx, schedule, r->machine, &r->program);
}

/* A schedule without a steady state has a beginning all the same, so that this is no error. */
static swp_status find_steady_state(recording *r)
{
    swp_context *scratch = swp_context_within(r->ctx);
    if (!scratch)
        return swp_out_of_memory(r->ctx);
    const swp_status status = swp_simulate(scratch, r->schedule, r->machine, &r->simulation);
    r->has_steady_state = status == SWP_OK && r->simulation.cycles > 0;
    for (size_t i = 0; i < r->program.unit_count && r->has_steady_state; i++)
        r->program.units[i].busy = r->simulation.units[i].busy;
    swp_context_free(scratch);
    return swp_ends_work(status) ? swp_pass_on(r->ctx, status) : SWP_OK;
}

static int passes_behind(const recording *r, int warm_up)
{
    const int again = r->simulation.passes == 1 ? 1 : 2 * r->simulation.passes;
    const int steady = again > LEAST_STEADY ? again : LEAST_STEADY;
    return warm_up + steady < MOST_PASSES ? warm_up + steady : MOST_PASSES;
}

/* A unit that is never idle; -1: none. */
static int full_unit(const recording *r)
{
    for (size_t i = 0; i < r->program.unit_count && r->has_steady_state; i++)
        if (r->program.units[i].busy == r->simulation.cycles * r->program.units[i].capacity)
            return (int)i;
    return -1;
}

static swp_status record(const recording *r, int passes, swp_timeline *out)
{
    *out = (swp_timeline){.schedule = r->schedule,
                          .passes = passes,
                          .full_unit = full_unit(r),
                          .groups = r->groups,
                          .group_count = (size_t)r->program.group_count,
                          .units = r->program.units,
                          .unit_count = r->program.unit_count,
                          .steady_passes = r->has_steady_state ? r->simulation.passes : 0};
    swp_sim_record run = {.ctx = r->ctx, .program = r->program, .effects = r->effects, .out = out};
    return swp_simulate_record(&run);
}

/* By pass, group and entry: when the group came to it. */
typedef struct arrivals {
    int64_t *times;
    size_t *first; /* by group */
    size_t count;
} arrivals;

static swp_status take_arrivals(const recording *r, const swp_timeline *t, arrivals *all)
{
    const size_t groups = (size_t)r->program.group_count;
    SWP_TRY(SWP_TAKE(r->ctx, groups, &all->first));
    all->count = 0;
    for (size_t g = 0; g < groups; g++) {
        all->first[g] = all->count;
        all->count += (size_t)r->effects[r->program.groups[g].stream].lengths[SWP_KERNEL];
    }
    SWP_TRY(SWP_TAKE(r->ctx, all->count * (size_t)t->passes, &all->times));
    for (size_t i = 0; i < t->events.count; i++) {
        const swp_timeline_event *event = &t->events.items[i];
        if (event->at.phase == SWP_KERNEL && event->at.entry >= 0)
            all->times[(size_t)event->pass * all->count + all->first[event->group] +
                       (size_t)event->at.entry] = event->ready;
    }
    return SWP_OK;
}

/* The first pass from which on all groups come to the same entries, so many cycles later, in the passes that follow. */
static swp_status first_steady(const recording *r, const swp_timeline *t, int *out)
{
    arrivals all;
    const int repeat = t->steady_passes;
    SWP_TRY(take_arrivals(r, t, &all));
    *out = 0;
    for (int pass = 0; pass + repeat < t->passes; pass++)
        for (size_t i = 0; i < all.count; i++) {
            const int64_t now = all.times[(size_t)pass * all.count + i];
            const int64_t then = all.times[(size_t)(pass + repeat) * all.count + i];
            if (then - now != r->simulation.cycles && (now != 0 || then != 0))
                *out = pass + 1;
        }
    return SWP_OK;
}

/* When the group whose passes are followed comes to a pass, or has left the last one. */
static int64_t begins(const recording *r, const swp_timeline *t, int pass)
{
    int64_t left = 0;
    for (size_t i = 0; i < t->events.count; i++) {
        const swp_timeline_event *event = &t->events.items[i];
        if (event->group != r->program.lead || event->at.phase != SWP_KERNEL)
            continue;
        if (event->pass == pass)
            return event->ready;
        left = event->left;
    }
    return left;
}

static swp_status mark_steady(const recording *r, swp_timeline *t, int first)
{
    const int end = first + t->steady_passes;
    if (!r->has_steady_state || end > t->passes || t->is_cut)
        return SWP_OK;
    t->steady_from = begins(r, t, first);
    t->steady_until = begins(r, t, end);
    t->is_steady = t->steady_until - t->steady_from == r->simulation.cycles;
    return t->is_steady ? swp_simulate_mark_critical(r->ctx, t) : SWP_OK;
}

/*
 * The simulation follows the passes of one group: the others may come to the same pass later, and the steady state may
 * have begun before it was known.
 */
static swp_status record_steady(const recording *r, swp_timeline *out)
{
    int first = 0;
    int passes = passes_behind(r, r->simulation.warm_up);
    if (!r->has_steady_state)
        return record(r, MOST_PASSES, out);
    for (int tried = 0; tried < passes;
         passes = 2 * passes < MOST_PASSES ? 2 * passes : MOST_PASSES) {
        tried = passes;
        SWP_TRY(record(r, passes, out));
        SWP_TRY(first_steady(r, out, &first));
        if (passes_behind(r, first) <= passes)
            break;
    }
    if (passes_behind(r, first) < out->passes)
        SWP_TRY(record(r, passes_behind(r, first), out));
    return mark_steady(r, out, first);
}

/* Whole passes alone: another N ends with other lists. */
static swp_status record_tiles(const recording *r, int tiles, swp_timeline *out)
{
    const swp_loop_shape *loop = &r->schedule->loop;
    int first = 0;
    if (tiles < loop->min_tiles || (tiles - loop->min_tiles) % loop->tiles_per_pass != 0)
        return swp_error(r->ctx, SWP_E0711, SWP_NOWHERE,
                         "give the least number of tiles and whole passes more",
                         "%d tiles are not %d and whole passes of %d", tiles, loop->min_tiles,
                         loop->tiles_per_pass);
    SWP_TRY(record(r, (tiles - loop->min_tiles) / loop->tiles_per_pass, out));
    SWP_TRY(first_steady(r, out, &first));
    return mark_steady(r, out, first);
}

static swp_status list_groups(recording *r)
{
    const size_t count = (size_t)r->program.group_count;
    SWP_TRY(SWP_TAKE(r->ctx, count, &r->groups));
    for (size_t i = 0; i < count; i++) {
        const swp_sim_stream *of = &r->program.groups[i];
        r->groups[i] = (swp_group_load){.role = swp_ir_role_name(r->schedule, of->stream),
                                        .stream = of->stream,
                                        .instance = of->instance};
    }
    return SWP_OK;
}

swp_status swp_timeline_record(swp_context *ctx, const swp_schedule *schedule,
                               const swp_timeline_options *options, swp_timeline *out)
{
    SWP_REQUIRE(ctx, ctx && schedule && out);
    const swp_timeline_options published = {0};
    const swp_timeline_options *asked = options ? options : &published;
    recording r = {.ctx = ctx, .schedule = schedule, .machine = &asked->machine};
    SWP_TRY(swp_schedule_check_loop(ctx, schedule));
    SWP_TRY(lower(&r));
    SWP_TRY(list_groups(&r));
    SWP_TRY(find_steady_state(&r));
    SWP_TRY(swp_simulate_warn_of_latencies(ctx, schedule));
    return asked->tiles > 0 ? record_tiles(&r, asked->tiles, out) : record_steady(&r, out);
}
