/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches the times of a core's nodes depth first. The node with the fewest times left comes next.
 * A component's first node may be anywhere in one interval; its others then have windows.
 */
#include "solve/modulo_place.h"

/* Chooses the node to place next, with its times; returns false if a node has none left. */
static bool choose(const swp_modulo_placer *placer, swp_modulo_level *chosen)
{
    int64_t fewest = INT64_MAX;
    chosen->node = -1;
    for (int i = 0; i < placer->decisive; i++) {
        const int node = placer->ranking[i];
        int64_t low = 0;
        int64_t high = 0;
        int64_t first = 0;
        if (placer->placed[node])
            continue;
        (void)swp_solve_modulo_window(placer, node, &low, &high);
        if (!swp_solve_profile_first_fit(&placer->profile, placer->core->ops[node], low, high,
                                         &first))
            return false;
        if (high - first >= fewest)
            continue;
        fewest = high - first;
        *chosen = (swp_modulo_level){node, first, high};
    }
    return true;
}

/* Puts the node of a level at its next time with room; `*put` is false if there is none. */
static swp_status advance(swp_context *ctx, swp_modulo_placer *placer, swp_modulo_level *level,
                          bool *put)
{
    int64_t time = 0;
    *put = level->next <= level->high &&
           swp_solve_profile_first_fit(&placer->profile, placer->core->ops[level->node],
                                       level->next, level->high, &time);
    if (!*put)
        return SWP_OK;
    level->next = time + 1;
    return swp_solve_modulo_put(ctx, placer, level->node, time);
}

/*
 * Places the nodes that are bound to nothing and take one cell. The load of the resource says that
 * cells are left.
 */
static swp_status place_fillers(swp_context *ctx, swp_modulo_placer *placer)
{
    for (int i = placer->decisive; i < placer->core->count; i++) {
        const int node = placer->ranking[i];
        int64_t low = 0;
        int64_t high = 0;
        int64_t time = 0;
        (void)swp_solve_modulo_window(placer, node, &low, &high);
        (void)swp_solve_profile_first_fit(&placer->profile, placer->core->ops[node], low, high,
                                          &time);
        SWP_TRY(swp_solve_modulo_put(ctx, placer, node, time));
    }
    return SWP_OK;
}

swp_status swp_solve_modulo_branch(swp_context *ctx, swp_modulo_placer *placer, uint64_t most_nodes,
                                   swp_decision *decision)
{
    int depth = 0; /* levels that are open */
    swp_solve_modulo_clear(placer);
    *decision = SWP_UNDECIDED;
    for (uint64_t nodes = 0; nodes < most_nodes && swp_budget_spend(placer->budget); nodes++) {
        swp_modulo_level *level = &placer->levels[depth];
        bool put = choose(placer, level);
        if (put && level->node < 0) {
            *decision = SWP_FOUND;
            return place_fillers(ctx, placer);
        }
        if (put) {
            /* The table is still empty, so any slot is as good as another. */
            if (depth == 0)
                level->high = level->next;
            depth++;
            SWP_TRY(advance(ctx, placer, level, &put));
        }
        while (!put && depth > 0) {
            level = &placer->levels[depth - 1];
            SWP_TRY(swp_solve_modulo_take_out(ctx, placer, level->node));
            SWP_TRY(advance(ctx, placer, level, &put));
            depth -= put ? 0 : 1;
        }
        if (depth == 0) {
            *decision = SWP_REFUTED;
            return SWP_OK;
        }
    }
    return SWP_OK;
}
