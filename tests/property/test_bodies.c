/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies of a user's own through swp_compile_schedule(), most of them nonsense: the answer is a
 * schedule whose phases are sound in themselves, or an error with a diagnostic.
 */
#include "fixture.h"
#include "ops.h"
#include "random_pipeline.h"
#include "swp/compile.h"
#include "swp/fields.h"

#include <string.h>

static uint64_t seed;

typedef struct user_kernel {
    random_pipeline pipeline;
    swp_edge_list edges;
    bool own_edges;
    swp_op_list bootstrap;
    int explicit_lists; /* 0: none; 1: minimal blocks; 2: too few; 3: one that loses its MMA */
} user_kernel;

static swp_status config_of(const void *self, swp_context *ctx, swp_pipeline_config *out)
{
    (void)ctx;
    *out = ((const user_kernel *)self)->pipeline.config;
    return SWP_OK;
}

static swp_status schedule_config_of(const void *self, swp_context *ctx, swp_schedule_config *out)
{
    (void)ctx;
    *out = ((const user_kernel *)self)->pipeline.sched;
    return SWP_OK;
}

static swp_status body_of(const void *self, swp_context *ctx, swp_op_list *out)
{
    const random_pipeline *pipeline = &((const user_kernel *)self)->pipeline;
    for (size_t i = 0; i < pipeline->count; i++) {
        const swp_status status = swp_op_list_push(ctx, out, pipeline->ops[i]);
        if (status != SWP_OK)
            return status;
    }
    return SWP_OK;
}

static swp_status edges_of(const void *self, swp_context *ctx, const swp_op_list *body,
                           swp_edge_list *out)
{
    (void)body;
    const swp_edge_list *edges = &((const user_kernel *)self)->edges;
    for (size_t i = 0; i < edges->count; i++) {
        const swp_status status = swp_edge_list_push(ctx, out, edges->items[i]);
        if (status != SWP_OK)
            return status;
    }
    return SWP_OK;
}

static swp_status bootstrap_of(const void *self, swp_context *ctx, swp_op_list *out)
{
    const swp_op_list *bootstrap = &((const user_kernel *)self)->bootstrap;
    for (size_t i = 0; i < bootstrap->count; i++) {
        const swp_status status = swp_op_list_push(ctx, out, bootstrap->items[i]);
        if (status != SWP_OK)
            return status;
    }
    return SWP_OK;
}

/* A list of the MMA alone would be empty then, which means the template: a barrier takes its place. */
static swp_status lose_the_mma(swp_context *ctx, swp_op_list *ops)
{
    ops->count--;
    return swp_op_list_push(ctx, ops, swp_op_barrier());
}

static swp_status blocks_of(const void *self, swp_context *ctx, const swp_op_list *body,
                            const swp_program *program, swp_op_lists *out)
{
    (void)body;
    const user_kernel *kernel = self;
    const size_t count = program->blocks.count - (kernel->explicit_lists == 2);
    for (size_t i = 0; i < count; i++) {
        swp_op_list ops = {0};
        swp_status status =
            swp_emit_minimal_barrier_block(ctx, &program->blocks.items[i], true, false, &ops);
        if (kernel->explicit_lists == 3 && i == 0 && status == SWP_OK)
            status = lose_the_mma(ctx, &ops);
        if (status == SWP_OK)
            status = swp_op_lists_push(ctx, out, ops);
        if (status != SWP_OK)
            return status;
    }
    return SWP_OK;
}

/* Any number in any field, mostly near the sensible ones. */
static int wild(test_random *random, int least, int most)
{
    static const int extremes[] = {-1, 0, 127, 128, 255, 256, 65536, INT32_MAX, INT32_MIN};
    if (random_chance(random, 3))
        return extremes[random_int(random, 0, (int)COUNT_OF(extremes) - 1)];
    return random_int(random, least, most);
}

static swp_op wild_op(test_random *random)
{
    static const swp_role roles[] = {SWP_GLOBAL_LOAD,  SWP_SHARED_STORE, SWP_FRAGMENT_LOAD,
                                     SWP_COMPUTE,      SWP_COMPUTE,      SWP_SYNC,
                                     SWP_VALU_COMPUTE, SWP_ROLE_NONE};
    swp_op op = swp_op_none();
    op.tag = wild(random, 0, 8);
    op.stage = wild(random, 0, 1);
    op.subtile = wild(random, 0, 2);
    op.k_offset = (swp_k_offset)(random_chance(random, 20) ? 255 : random_int(random, 0, 3));
    op.vm_cost = wild(random, 0, 2);
    op.lgkm_cost = wild(random, 0, 2);
    op.latency = wild(random, 0, 50);
    op.resource = (swp_resource)random_int(random, 0, 4);
    op.role = roles[random_int(random, 0, (int)COUNT_OF(roles) - 1)];
    op.channel = wild(random, -1, 1);
    op.vgpr_def = wild(random, 0, 8);
    op.vgpr_kill = wild(random, 0, 8);
    return op;
}

/* Some integer fields of the tables at random, in or out of their range. */
static void wild_settings(test_random *random, random_pipeline *out)
{
    size_t count = 0;
    const swp_field *fields = swp_fields(&count);
    swp_settings settings = swp_settings_default();
    settings.pipeline = out->config;
    settings.schedule = out->sched;
    for (int i = random_int(random, 0, 3); i > 0; i--) {
        const swp_field *field = &fields[random_int(random, 0, (int)count - 1)];
        const int value = wild(random, 0, 4);
        if (field->kind == SWP_FIELD_INT)
            memcpy((char *)&settings + field->offset, &value, sizeof value);
    }
    out->config = settings.pipeline;
    out->sched = settings.schedule;
}

static void wild_edges(test_random *random, swp_context *ctx, user_kernel *kernel)
{
    const int count = (int)kernel->pipeline.count;
    kernel->own_edges = random_chance(random, 30);
    for (int i = random_int(random, 0, 6); i > 0; i--) {
        const swp_edge edge = {wild(random, 0, count - 1), wild(random, 0, count - 1),
                               (swp_dep_kind)random_int(random, 0, 2),
                               random_chance(random, 5) ? -1 : random_int(random, 0, 2)};
        assert_ok(ctx, swp_edge_list_push(ctx, &kernel->edges, edge));
    }
}

static void fill(test_random *random, swp_context *ctx, user_kernel *kernel)
{
    random_pipeline *pipeline = &kernel->pipeline;
    random_pipeline_fill(random, pipeline);
    if (random_chance(random, 40)) {
        pipeline->config.depth = pipeline->config.num_partitions = 1;
        pipeline->config.loop_carried = swp_loop_carried_fragment_zero();
    }
    for (int i = random_int(random, 0, random_chance(random, 50) ? 0 : 6); i > 0; i--)
        pipeline->ops[random_int(random, 0, (int)pipeline->count - 1)] = wild_op(random);
    if (random_chance(random, 30))
        wild_settings(random, pipeline);
    wild_edges(random, ctx, kernel);
    pipeline->sched.partial_prologue_drain = random_chance(random, 30);
    for (int i = random_int(random, 0, 5); i > 0; i--)
        assert_ok(ctx, swp_op_list_push(ctx, &kernel->bootstrap, frag_op(i % 2, 0, 0)));
    kernel->explicit_lists = random_chance(random, 25) ? random_int(random, 1, 3) : 0;
}

static void check_phase(const swp_entry_list *entries, swp_phase phase)
{
    for (size_t i = 0; i < entries->count; i++) {
        assert_int_equal(entries->items[i].time_slot, i);
        assert_int_equal(entries->items[i].phase, phase);
        assert_true(entries->items[i].op.wait_value >= 0);
    }
}

static void check_schedule(const user_kernel *kernel, const swp_schedule *schedule)
{
    check_phase(&schedule->streams[0].prologue, SWP_PROLOGUE);
    check_phase(&schedule->streams[0].kernel, SWP_KERNEL);
    check_phase(&schedule->streams[0].epilogue, SWP_EPILOGUE);
    assert_int_equal(schedule->body.count, kernel->pipeline.count);
    assert_int_equal(schedule->order.count, kernel->pipeline.count);
    for (size_t i = 0; i < schedule->kernel_deps.count; i++) {
        const size_t limit =
            schedule->config.depth == 1 ? schedule->body.count : schedule->streams[0].kernel.count;
        assert_in_range(schedule->kernel_deps.items[i].producer, 0, limit - 1);
        assert_in_range(schedule->kernel_deps.items[i].consumer, 0, limit - 1);
    }
    assert_true(kernel->explicit_lists < 2 || schedule->config.depth == 1);
}

static bool compile_one(test_random *random)
{
    static const swp_limits limits = {.work = 500};
    user_kernel kernel = {0};
    swp_context *ctx = swp_context_new(NULL);
    assert_non_null(ctx);
    fill(random, ctx, &kernel);
    swp_context_set_limits(ctx, &limits);
    const swp_pipeline_schedule definition = {.self = &kernel,
                                              .name = "user",
                                              .config = config_of,
                                              .build_body = body_of,
                                              .schedule_config = schedule_config_of,
                                              .derive_edges = kernel.own_edges ? edges_of : NULL,
                                              .bootstrap_frags = bootstrap_of,
                                              .build_explicit_blocks =
                                                  kernel.explicit_lists ? blocks_of : NULL};
    swp_schedule *schedule = NULL;
    const swp_status status = swp_compile_schedule(ctx, &definition, &schedule);
    assert_int_equal(schedule != NULL, status == SWP_OK);
    assert_int_equal(has_error(ctx), status != SWP_OK);
    swp_context_free(ctx);
    /* A schedule outlives its context. */
    if (schedule)
        check_schedule(&kernel, schedule);
    swp_schedule_free(schedule);
    return status == SWP_OK;
}

static void any_body_is_compiled_or_refused_with_a_diagnostic(void **state)
{
    (void)state;
    const size_t cases = random_sample(6000);
    size_t compiled = 0;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        compiled += compile_one(&random);
    }
    print_message("%zu of %zu compiled\n", compiled, cases);
    if (cases >= 1000)
        assert_true(compiled * 10 > cases && compiled * 10 < cases * 9);
}

int main(void)
{
    seed = random_seed(20240904);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_body_is_compiled_or_refused_with_a_diagnostic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
