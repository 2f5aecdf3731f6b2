/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bodies of 24 ops of the published kernels, ordered exactly as the strategy csp does: microseconds
 * where the seed meets the bound. The ratio is to greedy, which proves nothing.
 */
#include "measure.h"

#include <inttypes.h>

enum { RUNS = 301, TILES = 10 };

/* The body and its settings, in the context's memory. */
static void body_of(swp_context *ctx, const char *name, const swp_pipeline_schedule *definition,
                    swp_pipeline_config *config, swp_loop_body *graph)
{
    swp_op_list body = {0};
    swp_edge_list edges = {0};
    stop_on(name, definition->config(definition->self, ctx, config));
    stop_on(name, definition->build_body(definition->self, ctx, &body));
    stop_on(name, swp_derive_edges_from_ops(ctx, body.items, body.count, config, &edges));
    stop_on(name, swp_loop_body_init(ctx, body.items, body.count, &edges, graph));
}

static void row(const char *name, const swp_pipeline_schedule *definition, bool halves)
{
    static double exact[RUNS];
    static double greedy[RUNS];
    swp_solution solution = {.outcome = SWP_FEASIBLE};
    size_t ops = 0;
    for (int i = 0; i < RUNS; i++) {
        swp_context *ctx = swp_context_new(NULL);
        swp_pipeline_config config;
        swp_loop_body graph;
        swp_order order = {0};
        body_of(ctx, name, definition, &config, &graph);
        double began = seconds_now();
        stop_on(name, swp_simple_greedy_schedule(ctx, &graph, &order));
        greedy[i] = seconds_now() - began;
        solution = (swp_solution){.outcome = SWP_FEASIBLE};
        began = seconds_now();
        stop_on(name, halves ? swp_optimal_schedule_with_halves(
                                   ctx, &graph, config.block_sizing.max_globals, 0,
                                   SWP_NO_VGPR_LIMIT, swp_blocks_per_partition(&config), &solution)
                             : swp_optimal_schedule(ctx, &graph, SWP_NO_VGPR_LIMIT, &solution));
        exact[i] = seconds_now() - began;
        ops = graph.count;
        swp_context_free(ctx);
    }
    const double seconds = median(exact, RUNS);
    (void)printf(
        "%-14s %3zu ops, makespan %" PRId64 ", bound %" PRId64 ", %s: %8.1f us, %.0fx greedy\n",
        name, ops, solution.evaluation.makespan, solution.lower_bound,
        solution.is_seed ? "the seed" : "searched", seconds * 1e6, seconds / median(greedy, RUNS));
}

int main(void)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_pingpong pingpong;
    swp_pipeline_4wave fourwave;
    swp_single_buffer single_buffer;
    const swp_kernel_geometry geometry = {0};
    swp_pingpong_init(&pingpong);
    swp_single_buffer_init(&single_buffer, TILES);
    stop_on("fourwave", swp_pipeline_4wave_init(ctx, &fourwave, &geometry, NULL, NULL));
    const swp_pipeline_schedule definitions[] = {swp_pingpong_schedule(&pingpong),
                                                 swp_pipeline_4wave_schedule(&fourwave),
                                                 swp_single_buffer_schedule(&single_buffer)};
    row("pingpong", &definitions[0], true);
    row("fourwave", &definitions[1], false);
    row("single_buffer", &definitions[2], false);
    swp_context_free(ctx);
    return EXIT_SUCCESS;
}
