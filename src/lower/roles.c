/* SPDX-License-Identifier: Apache-2.0 */
/* From a loop with warp roles to streams: what completes each op, who runs each role, and what orders them. */
#include "lower/roles.h"

#include "base/diag.h"
#include "base/text.h"
#include "ir/completions.h"
#include "ir/loop_assignments.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "ir/loop_registers.h"
#include "ir/roles.h"
#include "swp/simulate.h"
#include "swp/target.h"
#include "sync/roles.h"
#include "target/role_figures.h"
#include "target/roles.h"

static swp_status check_count(swp_context *ctx, const swp_loop *loop)
{
    if (loop->role_count <= SWP_MOST_STREAMS)
        return SWP_OK;
    return swp_error(ctx, SWP_E0327, loop->place, NULL,
                     "%zu roles are more than the %d that a schedule takes", loop->role_count,
                     SWP_MOST_STREAMS);
}

static void name_stream(const swp_loop *loop, int number, swp_stream *stream)
{
    const swp_loop_role *role = &loop->roles[number];
    stream->name = role->name;
    stream->warps = swp_ir_loop_role_warps(loop, number);
    stream->instances = swp_ir_loop_role_instances(loop, number);
    stream->registers = role->registers;
}

/* The check counts the warps of streams, which are not written yet. */
static swp_status check_warps(swp_context *ctx, const swp_loop *loop)
{
    swp_schedule *named = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &named));
    named->stream_count = loop->role_count;
    for (int i = 0; i < (int)loop->role_count; i++)
        name_stream(loop, i, &named->streams[i]);
    return swp_ir_check_all_warps(ctx, named);
}

swp_status swp_lower_role_completions(swp_context *ctx, swp_loop *loop)
{
    swp_loop_op *ops = NULL;
    int *roles = NULL;
    SWP_TRY(check_count(ctx, loop));
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &ops));
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &roles));
    for (size_t i = 0; i < loop->op_count; i++) {
        ops[i] = loop->ops[i];
        ops[i].completion = swp_ir_loop_role_completion(loop, &loop->ops[i]);
        roles[i] = ops[i].role;
    }
    loop->ops = ops;
    if (loop->output_tiles)
        SWP_TRY(swp_ir_check_tile_dataflow(ctx, loop));
    /* Roles that are to be found are such that they pass. */
    if (swp_ir_loop_has_choice(loop))
        return SWP_OK;
    SWP_TRY(swp_ir_check_role_dataflow(ctx, loop, roles));
    SWP_TRY(swp_ir_check_loop_hardware(ctx, loop));
    return check_warps(ctx, loop);
}

/* Synchronised cycles, where there is a steady state: else no passes. */
static swp_status count(const swp_loop_writer *w, const swp_simulate_options *options,
                        swp_counted_cycles *out)
{
    enum { DIAGS = 4 };
    swp_diag items[DIAGS];
    swp_diags unsaid = {.items = items, .capacity = DIAGS, .arena = w->ctx->arena};
    swp_context own = *w->ctx;
    swp_simulation counted = {0};
    own.diags = &unsaid;
    *out = (swp_counted_cycles){0};
    const swp_status status = swp_simulate(&own, w->out, options, &counted);
    if (status == SWP_OK)
        *out = (swp_counted_cycles){.cycles = counted.cycles, .passes = counted.passes};
    return status == SWP_OUT_OF_MEMORY ? swp_out_of_memory(w->ctx) : SWP_OK;
}

/* Whether a file says what loads take, as it was measured of one alone. */
static bool is_measured(const swp_target *target)
{
    return target && target != swp_target_find(target->name) && swp_target_has_role_figures(target);
}

/* No bound is known but the interval's. */
static swp_status count_cycles(const swp_loop_writer *w)
{
    const swp_simulate_options late = {.load_latency_percent = SWP_PIPELINE_LATE};
    swp_counted_cycles counted;
    SWP_TRY(count(w, NULL, &counted));
    w->out->sync = (swp_sync_result){.cycles = counted.cycles, .passes = counted.passes};
    if (is_measured(w->options->limits) && counted.passes > 0)
        SWP_TRY(count(w, &late, &w->written->late));
    return SWP_OK;
}

swp_status swp_lower_role_streams(swp_loop_writer *w)
{
    w->out->stream_count = w->loop->role_count;
    w->out->cluster = w->loop->cluster;
    for (int i = 0; i < (int)w->loop->role_count; i++)
        name_stream(w->loop, i, &w->out->streams[i]);
    SWP_TRY(swp_ir_check_loop_hardware(w->ctx, w->loop));
    SWP_TRY(swp_sync_derive_roles(w->ctx, w->out, &w->phases, w->waits));
    SWP_TRY(swp_ir_check_role_hardware(w->ctx, w->out));
    SWP_TRY(swp_target_check_roles(w->ctx, w->out));
    return count_cycles(w);
}
