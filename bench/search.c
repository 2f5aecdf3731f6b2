/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The exact search: the hardest ping-pong (every LDS penalty, register budget and load limit), and
 * how it grows with the size of random bodies. Ratios are to greedy on the same body in the same run.
 */
#include "measure.h"

#include <inttypes.h>

enum { MOST_PENALTY = 40, BODIES_PER_SIZE = 20 };
static const double seconds_per_body = 10;

typedef struct tally {
    int runs;
    int proven;
    double worst;
    uint64_t work; /* of the worst */
} tally;

static void add(tally *t, double seconds, const swp_solution *solution)
{
    t->runs++;
    t->proven += solution->outcome == SWP_OPTIMAL;
    if (seconds > t->worst) {
        t->worst = seconds;
        t->work = solution->work;
    }
}

/* Ping-pong's body; with `kills`, each MMA of the second row releases its fragments' registers. */
static void pingpong_graph(swp_context *ctx, int max_globals, bool kills, swp_loop_body *graph)
{
    swp_pingpong kernel;
    swp_pipeline_config config;
    swp_op_list body = {0};
    swp_edge_list edges = {0};
    swp_pingpong_init(&kernel);
    kernel.options.target.pipeline.block_sizing.max_globals = max_globals;
    const swp_pipeline_schedule definition = swp_pingpong_schedule(&kernel);
    stop_on("config", definition.config(definition.self, ctx, &config));
    stop_on("body", definition.build_body(definition.self, ctx, &body));
    for (size_t i = 0; i < body.count && kills; i++)
        if (body.items[i].role == SWP_COMPUTE)
            body.items[i].vgpr_kill = body.items[i].subtile == 1 ? 12 : 4;
    stop_on("edges", swp_derive_edges_from_ops(ctx, body.items, body.count, &config, &edges));
    stop_on("graph", swp_loop_body_init(ctx, body.items, body.count, &edges, graph));
}

/* Least budget first: the hardest ones lie where orders begin to exist. */
static void pingpong_row(int max_globals, bool kills)
{
    tally t = {0};
    for (int penalty = 1; penalty <= MOST_PENALTY; penalty++)
        for (int vgpr = kills ? 24 : 96; vgpr <= 96; vgpr += 4) {
            swp_context *ctx = swp_context_new(NULL);
            swp_loop_body graph;
            swp_solution solution = {.outcome = SWP_OPTIMAL};
            pingpong_graph(ctx, max_globals, kills, &graph);
            const double began = seconds_now();
            /* A budget that nothing meets is an answer too. */
            (void)swp_optimal_schedule_with_halves(ctx, &graph, max_globals, penalty, vgpr, 4,
                                                   &solution);
            add(&t, seconds_now() - began, &solution);
            swp_context_free(ctx);
        }
    (void)printf(
        "ping-pong, max_globals %d%s: %d of %d proven, slowest %.3f ms (%" PRIu64 " nodes)\n",
        max_globals, kills ? ", registers released" : "", t.proven, t.runs, t.worst * 1e3, t.work);
}

static uint64_t random_state;

static int random_below(int n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((random_state >> 33) % (uint64_t)n);
}

/* Loads, fragments, vector ops and MMAs with a few edges each to earlier ops. */
static void random_graph(swp_context *ctx, int count, swp_loop_body *graph)
{
    static const swp_op_cost kinds[] = {{SWP_GLOBAL_MEM, 200, SWP_GLOBAL_LOAD, 4, 0},
                                        {SWP_LDS, 20, SWP_FRAGMENT_LOAD, 8, 0},
                                        {SWP_VALU, 12, SWP_VALU_COMPUTE, 2, 2},
                                        {SWP_MMA_UNIT, 16, SWP_COMPUTE, 4, 8}};
    swp_op_list body = {0};
    swp_edge_list edges = {0};
    for (int i = 0; i < count; i++) {
        const swp_op_cost *kind = &kinds[random_below(4)];
        swp_op op = swp_op_logical(0, 0, 0, i, SWP_K_NONE);
        op.resource = kind->resource;
        op.latency = kind->latency + random_below(8);
        op.role = kind->role;
        op.vgpr_def = kind->vgpr_def;
        op.vgpr_kill = kind->vgpr_kill;
        stop_on("op", swp_op_list_push(ctx, &body, op));
        for (int e = 0; e < 2 && i > 0; e++) {
            const swp_edge edge = {random_below(i), i, SWP_FLOW, 0};
            stop_on("edge", swp_edge_list_push(ctx, &edges, edge));
        }
    }
    stop_on("graph", swp_loop_body_init(ctx, body.items, body.count, &edges, graph));
}

static void size_row(int count, int penalty)
{
    tally exact = {0};
    double exact_sum = 0;
    double greedy_sum = 0;
    random_state = (uint64_t)count;
    for (int i = 0; i < BODIES_PER_SIZE; i++) {
        swp_context *ctx = swp_context_new(NULL);
        const swp_limits limits = {.seconds = seconds_per_body};
        swp_loop_body graph;
        swp_order order = {0};
        swp_solution solution = {.outcome = SWP_FEASIBLE};
        const swp_search search = {.lds_contention_penalty = penalty,
                                   .max_vgpr = SWP_NO_VGPR_LIMIT};
        random_graph(ctx, count, &graph);
        swp_context_set_limits(ctx, &limits);
        double began = seconds_now();
        stop_on("greedy", swp_simple_greedy_schedule(ctx, &graph, &order));
        greedy_sum += seconds_now() - began;
        began = seconds_now();
        (void)swp_solve(ctx, &graph, &search, &solution);
        add(&exact, seconds_now() - began, &solution);
        exact_sum += seconds_now() - began;
        swp_context_free(ctx);
    }
    (void)printf("%4d ops, penalty %2d: %2d of %d proven, mean %9.3f ms, slowest %9.3f ms (%" PRIu64
                 " nodes), %.0fx greedy\n",
                 count, penalty, exact.proven, exact.runs, exact_sum * 1e3 / exact.runs,
                 exact.worst * 1e3, exact.work, exact_sum / greedy_sum);
    (void)fflush(stdout);
}

int main(void)
{
    for (int max_globals = 0; max_globals <= 3; max_globals++)
        pingpong_row(max_globals, false);
    for (int max_globals = 0; max_globals <= 3; max_globals++)
        pingpong_row(max_globals, true);
    for (int count = 12; count <= 96; count *= 2)
        for (int penalty = 0; penalty <= 8; penalty += 4)
            size_row(count, penalty);
    return EXIT_SUCCESS;
}
