/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof and the executor: time of swp_verify() for the built-ins and for larger loops, as a ratio
 * to compiling the same schedule, and kernel passes a second of the executor.
 */
#include "measure.h"

enum { RUNS = 51 };

enum { TAG_LOAD_A, TAG_LOAD_B, TAG_FRAG_A, TAG_FRAG_B, TAG_MMA };

/* A double buffer like ping-pong's with side x side MMAs a half. */
typedef struct square {
    int side;
} square;

static swp_status square_config(const void *self, swp_context *ctx, swp_pipeline_config *out)
{
    const square *s = self;
    (void)ctx;
    *out = swp_mi355x_double_buffer(4, 4, 1);
    out->m_mmas = s->side;
    out->n_mmas = s->side;
    out->lgkm_per_load_a = 8;
    out->lgkm_per_load_b = 8;
    return SWP_OK;
}

/* Row 0's load of the other stage is late by half a pass, as in ping-pong. */
static void declare_half(swp_body *b, int side, int half)
{
    const swp_k_offset k = half == 0 ? SWP_K0 : SWP_K1;
    for (int i = 0; i < side; i++) {
        const bool late = i == side - 1;
        swp_load(b, TAG_LOAD_A, .channel = 0, .stage = late ? 1 - half : half, .subtile = i,
                 .k_offset = !late       ? k
                             : half == 0 ? SWP_K_PREV
                                         : SWP_K0);
    }
    for (int i = 0; i < side; i++)
        swp_load(b, TAG_LOAD_B, .channel = 1, .stage = half, .subtile = i, .k_offset = k);
    swp_fan(b, side, TAG_FRAG_A, .channel = 0, .stage = half);
    swp_fan(b, side, TAG_FRAG_B, .channel = 1, .stage = half);
    swp_grid(b, side, side, TAG_MMA);
}

static swp_status square_body(const void *self, swp_context *ctx, swp_op_list *out)
{
    const square *s = self;
    swp_cost_model costs = swp_cost_model_none();
    swp_pipeline_config config;
    swp_op_list ops = {0};
    swp_body *b = swp_body_new(ctx);
    costs.costs[TAG_LOAD_A] = (swp_op_cost){SWP_GLOBAL_MEM, 200, SWP_GLOBAL_LOAD, 0, 0};
    costs.costs[TAG_LOAD_B] = costs.costs[TAG_LOAD_A];
    costs.costs[TAG_FRAG_A] = (swp_op_cost){SWP_LDS, 20, SWP_FRAGMENT_LOAD, 8, 0};
    costs.costs[TAG_FRAG_B] = costs.costs[TAG_FRAG_A];
    costs.costs[TAG_MMA] = (swp_op_cost){SWP_MMA_UNIT, 16, SWP_COMPUTE, 4, 0};
    declare_half(b, s->side, 0);
    declare_half(b, s->side, 1);
    stop_on("body", swp_body_done(b, &ops));
    swp_annotate_ops(ops.items, ops.count, &costs);
    stop_on("config", square_config(self, ctx, &config));
    return swp_double_buffer_reorder(ctx, ops.items, ops.count, &config, out);
}

static double verify_median(const swp_schedule *schedule, swp_verdict *verdict)
{
    static double runs[RUNS];
    for (int i = 0; i < RUNS; i++) {
        swp_context *ctx = swp_context_new(NULL);
        const double began = seconds_now();
        stop_on("verify", swp_verify(ctx, schedule, NULL, 0, verdict));
        runs[i] = seconds_now() - began;
        verdict->hazards.items = NULL; /* the context's */
        swp_context_free(ctx);
    }
    return median(runs, RUNS);
}

static void print_row(const char *name, const swp_schedule *schedule, double compile_seconds)
{
    swp_verdict verdict;
    const double seconds = verify_median(schedule, &verdict);
    (void)printf("%-24s %5zu ops  verify %9.3f ms  %7.1fx compiling  %s, %zu hazards, %d passes\n",
                 name, schedule->body.count, seconds * 1e3, seconds / compile_seconds,
                 verdict.safe ? "safe" : "unsafe", verdict.hazards.count, verdict.passes_explored);
}

static void verify_builtin(const char *name)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    stop_on(name, swp_description_from_builtin(ctx, name, &description));
    const double began = seconds_now();
    stop_on(name, swp_description_compile(ctx, description, &schedule));
    print_row(name, schedule, seconds_now() - began);
    swp_schedule_free(schedule);
    swp_context_free(ctx);
}

static void verify_square(int side)
{
    swp_context *ctx = swp_context_new(NULL);
    const square self = {side};
    const swp_pipeline_schedule definition = {
        .self = &self, .name = "square", .config = square_config, .build_body = square_body};
    swp_schedule *schedule = NULL;
    char name[48];
    (void)snprintf(name, sizeof name, "%dx%d MMAs a half", side, side);
    const double began = seconds_now();
    stop_on(name, swp_compile_schedule(ctx, &definition, &schedule));
    print_row(name, schedule, seconds_now() - began);
    swp_schedule_free(schedule);
    swp_context_free(ctx);
}

static void execute_builtin(const char *name)
{
    enum { TILES = 64, REPEATS = 20 };
    swp_context *ctx = swp_context_new(NULL);
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    stop_on(name, swp_description_from_builtin(ctx, name, &description));
    stop_on(name, swp_description_compile(ctx, description, &schedule));
    const int passes = (TILES - schedule->loop.min_tiles) / schedule->loop.tiles_per_pass;
    const double began = seconds_now();
    for (int i = 0; i < REPEATS; i++) {
        swp_run_outcome outcome = {0};
        const swp_run_options options = {.n = TILES, .seed = (uint64_t)i};
        swp_context *scratch = swp_context_new(NULL);
        stop_on(name, swp_run(scratch, schedule, &options, &outcome));
        swp_context_free(scratch);
    }
    (void)printf("%-24s executes %.0f kernel passes a second (%d waves)\n", name,
                 passes * REPEATS / (seconds_now() - began),
                 schedule->machine.groups * (schedule->machine.waves_per_group > 1 ? 2 : 1));
    swp_schedule_free(schedule);
    swp_context_free(ctx);
}

int main(void)
{
    static const char *const builtins[] = {"single_buffer", "pingpong", "fourwave"};
    for (int i = 0; i < 3; i++)
        verify_builtin(builtins[i]);
    for (int side = 2; side <= 8; side += 2)
        verify_square(side);
    for (int i = 0; i < 3; i++)
        execute_builtin(builtins[i]);
    return EXIT_SUCCESS;
}
