/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses a counterexample of another schedule, and compares what it claims with what its replay shows. */
#include "run/claims.h"

#include "base/context.h"
#include "base/diag.h"
#include "ir/roles.h"
#include "run/outcome.h"
#include "run/session.h"
#include "run/sync.h"
#include "swp/loop.h"

#include <string.h>

static const char edited[] =
    "an edited counterexample? `swp verify --counterexample` writes one anew";

static swp_status check_digest(swp_context *ctx, const swp_schedule *schedule, const char *wanted)
{
    char digest[SWP_DIGEST_SIZE];
    swp_schedule_digest(schedule, digest);
    if (strcmp(digest, wanted) == 0)
        return SWP_OK;
    return swp_error(ctx, SWP_E0712, SWP_NOWHERE,
                     "give the schedule, with the settings, that `swp verify` was given",
                     "the counterexample is of another schedule: its digest is %s, this one's %s",
                     wanted, digest);
}

/* The stream of a warp role, or the only one; NULL: there is none of this name. */
static const swp_stream *stream_of(const swp_schedule *schedule, const char *role)
{
    for (int i = 0; i < (int)schedule->stream_count; i++) {
        const char *own = swp_ir_role_name(schedule, i);
        if (own && role ? !strcmp(own, role) : own == role)
            return &schedule->streams[i];
    }
    return NULL;
}

static swp_status check_role(swp_context *ctx, const swp_schedule *schedule, const char *key,
                             const char *role)
{
    if (stream_of(schedule, role))
        return SWP_OK;
    return swp_error(ctx, SWP_E0716, SWP_NOWHERE, edited,
                     "%s.role is %s, which the schedule has not", key, role ? role : "not there");
}

/* Of output tiles the most that one of them has: each has a form of its own. */
static int entries_in(const swp_schedule *schedule, const swp_counterexample *c, const char *role,
                      swp_phase phase)
{
    const int own = swp_schedule_form_of(schedule, c->n);
    swp_schedule form = own < 0 || c->tiles ? *schedule : swp_schedule_form(schedule, own);
    size_t most = swp_stream_phase(stream_of(&form, role), phase)->count;
    for (int tile = 0; c->tiles && tile < c->tile_count; tile++) {
        const int number = swp_schedule_form_of(schedule, c->tiles[tile]);
        if (number < 0)
            continue;
        form = swp_schedule_form(schedule, number);
        const size_t count = swp_stream_phase(stream_of(&form, role), phase)->count;
        most = count > most ? count : most;
    }
    return (int)most;
}

/* What is wrong with a phase as a whole is reported at its end, one past the last entry. */
static swp_status check_entry(swp_context *ctx, const swp_schedule *schedule,
                              const swp_counterexample *c, const char *key, const char *role,
                              swp_entry_ref ref, bool may_be_end)
{
    SWP_TRY(check_role(ctx, schedule, key, role));
    const int count = entries_in(schedule, c, role, ref.phase);
    if (ref.entry >= 0 && ref.entry < count + may_be_end)
        return SWP_OK;
    return swp_error(ctx, SWP_E0716, SWP_NOWHERE, edited,
                     "%s.entry is %d, but the %s phase has %d %s", key, ref.entry,
                     swp_phase_name(ref.phase), count, count == 1 ? "entry" : "entries");
}

static swp_status check_range(swp_context *ctx, const char *key, int value, int count,
                              const char *of_what)
{
    if (value >= 0 && value < count)
        return SWP_OK;
    return swp_error(ctx, SWP_E0716, SWP_NOWHERE, edited, "%s is %d, but %s from 0 to %d", key,
                     value, of_what, count - 1);
}

static swp_status check_accumulator(swp_context *ctx, const swp_schedule *schedule,
                                    const swp_wrong_value *v)
{
    const bool is_grid = schedule->loop.placement == SWP_PLACE_K_OFFSET;
    SWP_TRY(check_range(ctx, "value.row", v->row, is_grid ? schedule->loop.m_mmas : 1,
                        "the rows of accumulators are"));
    SWP_TRY(check_range(ctx, "value.column", v->column, is_grid ? schedule->loop.n_mmas : 1,
                        "the columns of accumulators are"));
    SWP_TRY(check_range(ctx, "value.i", v->i, SWP_RUN_SIDE, "an accumulator has rows"));
    return check_range(ctx, "value.j", v->j, SWP_RUN_SIDE, "an accumulator has columns");
}

static swp_status check_value(swp_context *ctx, const swp_schedule *schedule,
                              const swp_counterexample *c)
{
    const swp_wrong_value *v = &c->value;
    SWP_TRY(check_role(ctx, schedule, "value", v->role));
    if (v->role) {
        SWP_TRY(check_range(ctx, "value.instance", v->instance,
                            stream_of(schedule, v->role)->instances, "the instances are"));
        SWP_TRY(check_range(ctx, "value.rank", v->rank, swp_ir_ranks(schedule), "the ranks are"));
        SWP_TRY(check_range(ctx, "value.thread", v->thread, SWP_RUN_LANES, "the threads are"));
    } else {
        SWP_TRY(check_range(ctx, "value.wave", v->wave,
                            c->waves_per_group * schedule->machine.groups, "the waves are"));
    }
    if ((v->kind == SWP_WRONG_ACCUMULATOR) == (schedule->dataflow != NULL))
        return swp_error(ctx, SWP_E0716, SWP_NOWHERE, edited, "value is of %s, but the schedule %s",
                         schedule->dataflow ? "an accumulator" : "an op",
                         schedule->dataflow ? "has a dataflow" : "has accumulators");
    if (v->kind == SWP_WRONG_ACCUMULATOR)
        return check_accumulator(ctx, schedule, v);
    const swp_loop *loop = schedule->dataflow->loop;
    SWP_TRY(check_range(ctx, "value.op", v->op, (int)loop->op_count, "the ops are"));
    const bool is_of_tiles = loop->ops[v->op].clock == SWP_TILE_CLOCK;
    return check_range(ctx, "value.iteration", v->iteration, is_of_tiles ? c->tile_count : c->n,
                       "the iterations are");
}

/* A schedule with output tiles has a sequence of them, and no other has. */
static swp_status check_tiles(swp_context *ctx, const swp_schedule *schedule,
                              const swp_counterexample *c)
{
    if ((c->tiles != NULL) != schedule->output_tiles)
        return swp_error(ctx, SWP_E0716, SWP_NOWHERE, edited,
                         "tiles %s there, but the schedule has %soutput tiles",
                         c->tiles ? "are" : "are not", schedule->output_tiles ? "" : "no ");
    const int sum = c->tiles ? swp_run_iterations(c->tiles, c->tile_count) : c->n;
    if (c->n == sum)
        return SWP_OK;
    return swp_error(ctx, SWP_E0716, SWP_NOWHERE, edited,
                     "n is %d, but the tiles have %d iterations in all", c->n, sum);
}

/* A prologue and an epilogue stand before and after the passes of the kernel phase. */
static swp_status check_passes(swp_context *ctx, const swp_schedule *schedule,
                               const swp_counterexample *c)
{
    const swp_loop_shape *loop = &schedule->loop;
    if (!c->has_other || c->tiles || loop->tiles_per_pass < 1 || c->n < loop->min_tiles)
        return SWP_OK;
    const int passes = (c->n - loop->min_tiles) / loop->tiles_per_pass;
    if (c->passes_before <= passes + 1)
        return SWP_OK;
    return swp_error(ctx, SWP_E0716, SWP_NOWHERE, edited,
                     "hazard.other.passes_before is %d, but %d %s %d %s", c->passes_before, c->n,
                     c->n == 1 ? "tile takes" : "tiles take", passes,
                     passes == 1 ? "pass" : "passes");
}

swp_status swp_run_check_claims(swp_context *ctx, const swp_schedule *schedule,
                                const swp_counterexample *c)
{
    const int most_waves = schedule->machine.waves_per_group;
    SWP_TRY(check_digest(ctx, schedule, c->digest));
    if (c->waves_per_group < 1 || c->waves_per_group > most_waves)
        return swp_error(ctx, SWP_E0716, SWP_NOWHERE, edited,
                         "waves_per_group is %d, but the machine has %d", c->waves_per_group,
                         most_waves);
    SWP_TRY(check_tiles(ctx, schedule, c));
    SWP_TRY(check_entry(ctx, schedule, c, "hazard", c->role, c->at, true));
    if (c->has_other)
        SWP_TRY(check_entry(ctx, schedule, c, "hazard.other", c->other_role, c->other, false));
    SWP_TRY(check_passes(ctx, schedule, c));
    return c->has_value ? check_value(ctx, schedule, c) : SWP_OK;
}

static bool is_same_role(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* Whether two are of the same wave, or of the same thread of warp roles. */
static bool is_of_same(const swp_wrong_value *a, const swp_wrong_value *b)
{
    if (!is_same_role(a->role, b->role))
        return false;
    return a->role ? a->instance == b->instance && a->rank == b->rank && a->thread == b->thread
                   : a->wave == b->wave;
}

static bool has_value(const swp_run_outcome *outcome, const swp_wrong_value *claimed)
{
    for (size_t i = 0; i < outcome->values.count; i++) {
        const swp_wrong_value *v = &outcome->values.items[i];
        if (v->kind == claimed->kind && is_of_same(v, claimed) && v->row == claimed->row &&
            v->column == claimed->column && v->i == claimed->i && v->j == claimed->j &&
            v->op == claimed->op && v->iteration == claimed->iteration && v->got == claimed->got &&
            v->expected == claimed->expected)
            return true;
    }
    return false;
}

static swp_status describe_value(swp_context *ctx, const swp_schedule *schedule,
                                 const swp_wrong_value *v, char **out)
{
    if (v->kind == SWP_WRONG_RESULT)
        return swp_format(ctx, out, "%s of iteration %d", schedule->dataflow->loop->ops[v->op].name,
                          v->iteration);
    return swp_format(ctx, out, "row %d, column %d, element %d,%d", v->row, v->column, v->i, v->j);
}

static swp_status describe_thread(swp_context *ctx, const swp_wrong_value *v, char **out)
{
    if (v->is_in_cluster)
        return swp_format(ctx, out, "role %s, instance %d of rank %d, thread %d", v->role,
                          v->instance, v->rank, v->thread);
    if (v->role)
        return swp_format(ctx, out, "role %s, instance %d, thread %d", v->role, v->instance,
                          v->thread);
    return swp_format(ctx, out, "wave %d", v->wave);
}

swp_status swp_run_compare_claims(swp_context *ctx, const swp_schedule *schedule,
                                  const swp_counterexample *c, const swp_run_outcome *outcome)
{
    char *what = NULL;
    char *who = NULL;
    if (!swp_run_has_symptom(outcome, c->symptom))
        return swp_warn(ctx, SWP_W0710, SWP_NOWHERE, edited,
                        "the counterexample says: %s; its execution shows: %s",
                        swp_run_meaning(schedule, outcome, c->symptom),
                        swp_run_meaning(schedule, outcome, outcome->symptom));
    if (!c->has_value || has_value(outcome, &c->value))
        return SWP_OK;
    SWP_TRY(describe_value(ctx, schedule, &c->value, &what));
    SWP_TRY(describe_thread(ctx, &c->value, &who));
    return swp_warn(
        ctx, SWP_W0710, SWP_NOWHERE, edited,
        "the execution shows other values than the counterexample, which says: %s, %s is "
        "%lld instead of %lld",
        who, what, (long long)c->value.got, (long long)c->value.expected);
}
