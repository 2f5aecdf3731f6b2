/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steady state of output tiles: tiles of as many passes are followed until the state at the start of one has been
 * seen before, by Brent's method as with passes (simulate.c).
 */
#include "simulate/tiles.h"

#include "base/diag.h"
#include "simulate/deadlock.h"
#include "simulate/engine.h"
#include "simulate/patience.h"
#include "simulate/snapshot.h"

enum { MOST_TILES = 1 << 10 };

typedef struct follower {
    swp_context *ctx;
    swp_sim_engine engine;
    swp_sim_patience patience;
} follower;

static swp_status report_no_steady_state(const follower *f)
{
    return swp_error(f->ctx, SWP_E0720, SWP_NOWHERE,
                     "an access that nothing waits for may take longer than all these tiles",
                     "no state of the machine came back within %d output tiles of %d passes",
                     swp_simulate_lead(&f->engine)->tile, f->engine.passes);
}

/* Goes on until the lead begins the tile. */
static swp_status run_to(follower *f, int tile)
{
    const swp_sim_group *lead = swp_simulate_lead(&f->engine);
    bool moved = true;
    bool left = true;
    while (moved && !lead->ended && lead->tile < tile) {
        SWP_TRY(swp_simulate_engine_step(&f->engine, &moved));
        SWP_TRY(swp_simulate_count_step(&f->patience, &left));
        if (!left)
            return report_no_steady_state(f);
    }
    return moved ? SWP_OK : swp_simulate_report_deadlock(&f->engine);
}

static bool is_power_of_two(int number)
{
    return (number & (number - 1)) == 0;
}

swp_status swp_simulate_output_tiles(swp_context *ctx, const swp_sim_program *program, int passes,
                                     swp_simulation *out)
{
    follower f = {.ctx = ctx, .patience = swp_simulate_patience(ctx)};
    swp_sim_snapshot kept = {0};
    swp_sim_snapshot now = {0};
    int kept_tile = 0;
    int64_t kept_at = 0;
    out->tile_passes = passes;
    SWP_TRY(swp_simulate_engine_new(ctx, program, passes, MOST_TILES + 1, &f.engine));
    SWP_TRY(swp_simulate_snapshot_take(&f.engine, &kept));
    for (int tile = 1; tile <= MOST_TILES; tile++) {
        SWP_TRY(run_to(&f, tile));
        SWP_TRY(swp_simulate_snapshot_take(&f.engine, &now));
        out->tiles = tile - kept_tile;
        out->tile_cycles = swp_simulate_lead(&f.engine)->ready - kept_at;
        if (swp_simulate_snapshot_equal(&now, &kept))
            return SWP_OK;
        if (!is_power_of_two(tile))
            continue;
        const swp_sim_snapshot spare = kept;
        kept = now;
        now = spare;
        kept_tile = tile;
        kept_at = swp_simulate_lead(&f.engine)->ready;
    }
    return report_no_steady_state(&f);
}
