/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses loop shapes whose passes, grid or lists for other numbers of tiles have no meaning. */
#include "base/context.h"
#include "base/diag.h"
#include "base/require.h"
#include "ir/roles.h"
#include "ir/schedule.h"
#include "swp/loop.h"

/*
 * So that a grid of accumulators can be counted, and prologue and kernel followed once for each form. No
 * loop that is compiled comes near the latter (docs/loops.md, "Phases").
 */
enum { MOST_ACCUMULATORS = 1 << 20, MOST_FOLLOWED = 1 << 19 };

static swp_status check_passes(swp_context *ctx, const swp_loop_shape *loop)
{
    if (loop->tiles_per_pass >= 1 && loop->min_tiles >= 1 &&
        loop->multiple == loop->tiles_per_pass && loop->min_tiles % loop->multiple == 0)
        return SWP_OK;
    return swp_error(ctx, SWP_E0701, SWP_NOWHERE,
                     "every legal number of tiles is min_tiles and whole passes, and a multiple of "
                     "the tiles of a pass",
                     "tiles_per_pass %d, min_tiles %d and multiple %d describe no loop",
                     loop->tiles_per_pass, loop->min_tiles, loop->multiple);
}

static swp_status check_grid(swp_context *ctx, const swp_loop_shape *loop)
{
    const bool next_tile = loop->placement == SWP_PLACE_NEXT_TILE;
    if (next_tile && loop->first_base != 0)
        return swp_error(ctx, SWP_E0701, SWP_NOWHERE, "set it to 0",
                         "first_base is %d, but where each load takes the next tile there is no "
                         "base",
                         loop->first_base);
    if (!next_tile &&
        (loop->m_mmas < 1 || loop->n_mmas < 1 || loop->m_mmas > MOST_ACCUMULATORS / loop->n_mmas))
        return swp_error(ctx, SWP_E0701, SWP_NOWHERE, NULL,
                         "%d rows and %d columns are no grid of MMAs: it has 1 to %d of them",
                         loop->m_mmas, loop->n_mmas, MOST_ACCUMULATORS);
    return SWP_OK;
}

swp_status swp_loop_shape_check(swp_context *ctx, const swp_loop_shape *loop)
{
    SWP_REQUIRE(ctx, ctx && loop);
    SWP_TRY(check_passes(ctx, loop));
    return check_grid(ctx, loop);
}

swp_status swp_ir_check_one_stream(swp_context *ctx, const swp_schedule *schedule)
{
    if (swp_ir_has_roles(schedule))
        return swp_error(ctx, SWP_E0704, SWP_NOWHERE, "all but `swp audit` know them",
                         "the schedule has %zu warp roles, which cannot be judged here yet",
                         schedule->stream_count);
    if (schedule->stream_count == 1)
        return SWP_OK;
    return swp_error(ctx, SWP_E0704, SWP_NOWHERE, "a schedule of each role alone can be judged",
                     "the schedule has %zu streams, but the model knows only schedules of one",
                     schedule->stream_count);
}

/* Each N has a form: that of its remainder, or one of its own below min_tiles. */
static bool takes_any_n(const swp_schedule *schedule)
{
    const swp_loop_shape *loop = &schedule->loop;
    const swp_tails *tails = &schedule->streams[0].tails;
    return loop->tiles_per_pass >= 1 && loop->multiple == 1 && loop->min_tiles >= 0 &&
           tails->epilogue_count + 1 == (size_t)loop->tiles_per_pass &&
           tails->straight_count == (size_t)loop->min_tiles;
}

/* Forms with an epilogue of their own share prologue and kernel, which are judged with each. */
static swp_status check_forms(swp_context *ctx, const swp_schedule *schedule)
{
    const swp_stream *stream = &schedule->streams[0];
    const uint64_t forms = stream->tails.epilogue_count + UINT64_C(1);
    const uint64_t shared = stream->prologue.count + (uint64_t)stream->kernel.count;
    if (forms == 1 || shared <= MOST_FOLLOWED / forms)
        return SWP_OK;
    return swp_error(ctx, SWP_E0701, SWP_NOWHERE,
                     "give the values slots with a smaller least common multiple",
                     "%llu epilogues, each after the %llu entries of prologue and kernel, are more "
                     "than the %d entries that are followed",
                     (unsigned long long)forms, (unsigned long long)shared, MOST_FOLLOWED);
}

/* A thread's own: what one stream of whole waves would wait for has no meaning. */
swp_status swp_ir_check_store_groups(swp_context *ctx, const swp_loop *loop)
{
    for (size_t i = 0; loop && i < loop->op_count; i++)
        if (loop->ops[i].completion == SWP_COMPLETION_STORE_GROUP)
            return swp_error(ctx, SWP_E0705, loop->ops[i].place,
                             "give the loop roles, or name another completion",
                             "op %s: store_group is of schedules with warp roles",
                             loop->ops[i].name);
    return SWP_OK;
}

/* Refuses a loop without a meaning, however many streams run it. */
static swp_status check_shape(swp_context *ctx, const swp_schedule *schedule)
{
    SWP_TRY(check_forms(ctx, schedule));
    if (!takes_any_n(schedule))
        SWP_TRY(check_passes(ctx, &schedule->loop));
    return check_grid(ctx, &schedule->loop);
}

swp_status swp_ir_check_role_loop(swp_context *ctx, const swp_schedule *schedule)
{
    SWP_TRY(swp_ir_check_roles(ctx, schedule));
    return check_shape(ctx, schedule);
}

swp_status swp_schedule_check_loop(swp_context *ctx, const swp_schedule *schedule)
{
    SWP_REQUIRE(ctx, ctx && schedule);
    if (swp_ir_has_roles(schedule))
        return swp_ir_check_role_loop(ctx, schedule);
    SWP_TRY(swp_ir_check_one_stream(ctx, schedule));
    SWP_TRY(swp_ir_check_store_groups(ctx, schedule->dataflow ? schedule->dataflow->loop : NULL));
    return check_shape(ctx, schedule);
}

bool swp_loop_shape_takes(const swp_loop_shape *loop, int n)
{
    SWP_REQUIRE_OR(false, loop);
    if (loop->tiles_per_pass == 0) /* a run without passes */
        return n == loop->min_tiles;
    return loop->tiles_per_pass >= 1 && n >= loop->min_tiles &&
           (n - loop->min_tiles) % loop->tiles_per_pass == 0;
}
