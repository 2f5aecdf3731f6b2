/* SPDX-License-Identifier: Apache-2.0 */
/* compile_schedule: the trait, its defaults and its two paths (docs/schedules.md). */
#include "fixture.h"
#include "ops.h"
#include "swp/compile.h"
#include "swp/target.h"

/* What the schedule under test answers, and what it was asked. */
typedef struct trait {
    swp_pipeline_config config;
    swp_op_list body;
    int transformed;
    int asked_for_blocks;
    swp_status failure;
} trait;

static swp_status config_of(const void *self, swp_context *ctx, swp_pipeline_config *out)
{
    (void)ctx;
    *out = ((const trait *)self)->config;
    return SWP_OK;
}

static swp_status body_of(const void *self, swp_context *ctx, swp_op_list *out)
{
    const trait *t = self;
    for (size_t i = 0; i < t->body.count; i++)
        if (swp_op_list_push(ctx, out, t->body.items[i]) != SWP_OK)
            return SWP_OUT_OF_MEMORY;
    return t->failure;
}

static swp_status transform(const void *self, swp_context *ctx, const swp_op_list *body,
                            swp_entry_list *kernel)
{
    (void)body;
    ((trait *)(uintptr_t)self)->transformed++;
    const swp_entry extra = {swp_op_schedule_barrier(), 0, SWP_KERNEL, false};
    return swp_entry_list_push(ctx, kernel, extra);
}

static swp_status own_edges(const void *self, swp_context *ctx, const swp_op_list *body,
                            swp_edge_list *out)
{
    (void)self;
    (void)body;
    return swp_edge_list_push(ctx, out, (swp_edge){0, 1, SWP_OUTPUT, 2});
}

static swp_status manual_waits(const void *self, swp_context *ctx, swp_schedule_config *out)
{
    (void)self;
    (void)ctx;
    out->auto_waits = false;
    out->wait_vm_last = 1;
    return SWP_OK;
}

static swp_status lagging_machine(const void *self, swp_context *ctx, swp_machine *out)
{
    (void)self;
    (void)ctx;
    out->groups = 2;
    out->lag = 1;
    return SWP_OK;
}

static const char *name_of(const void *user, int tag)
{
    (void)user;
    return tag == TAG_MMA ? "MULTIPLY" : NULL;
}

static swp_pipeline_schedule definition_of(const trait *t)
{
    return (swp_pipeline_schedule){
        .self = t, .name = "test", .config = config_of, .build_body = body_of};
}

static trait double_buffer(swp_op ops[6])
{
    const swp_op body[6] = {load_op(0, 1, 0, SWP_K_PREV), frag_op(0, 0, 0), mma_op(0, 0),
                            load_op(0, 0, 0, SWP_K0),     frag_op(0, 1, 0), mma_op(0, 0)};
    for (int i = 0; i < 6; i++)
        ops[i] = body[i];
    trait t = {.config = swp_pipeline_config_default(), .body = {ops, 6, 6}};
    t.config.m_mmas = t.config.n_mmas = 1;
    return t;
}

static trait single_buffer(swp_op ops[6])
{
    const swp_op body[6] = {mma_op(0, 0),      swp_op_barrier(),
                            store_op(0, 0, 0), load_op(0, 0, 0, SWP_K_NONE),
                            swp_op_barrier(),  frag_op(0, 0, 0)};
    for (int i = 0; i < 6; i++)
        ops[i] = body[i];
    return (trait){.config = swp_mi355x_single_buffer(), .body = {ops, 6, 6}};
}

static swp_schedule *compile(swp_context *ctx, const swp_pipeline_schedule *definition)
{
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_compile_schedule(ctx, definition, &schedule));
    return schedule;
}

static void two_functions_are_enough(void **state)
{
    swp_op ops[6];
    const trait t = double_buffer(ops);
    const swp_pipeline_schedule definition = definition_of(&t);
    swp_schedule *s = compile(*state, &definition);
    assert_string_equal(s->name, "test");
    assert_string_equal(s->target, "");
    assert_int_equal(s->schedule.scheduling, SWP_IDENTITY);
    assert_int_equal(s->machine.groups, 1);
    assert_int_equal(s->machine.barrier, SWP_BARRIER_RAW);
    assert_int_equal(s->machine.registers, SWP_REGISTERS_MANAGED);
    assert_entries(&s->streams[0].prologue, "LA00@k0 vm0 bar vm0");
    /* Own-stage loads: none of 4 in half 0 nor half 1; the mask fences blocks 0, 2, ... */
    assert_entries(&s->streams[0].kernel, "FA00 LA10@k_prev vm0 bar lgkm0 prio1 M00 prio0 bar sb "
                                          "FA10 LA00@k0* vm0 bar lgkm0 prio1 M00 prio0 bar");
    assert_entries(&s->streams[0].epilogue, "lgkm0 FA00 LA10@k_prev bar lgkm0 prio1 M00 prio0 bar "
                                            "lgkm0 FA10 bar lgkm0 prio1 M00 prio0 bar bar");
    assert_edges(&s->kernel_deps, "2>6 flow0, 4>6 flow0, 12>16 flow0, 14>16 flow0");
    assert_int_equal(s->warp_stagger_index, 5);
    assert_int_equal(s->order.count, 6);
    assert_string_equal(swp_schedule_op_name(s, TAG_MMA), "op5");
    swp_schedule_free(s);
}

static void every_function_is_asked_where_there_is_one(void **state)
{
    swp_op ops[6];
    trait t = double_buffer(ops);
    swp_pipeline_schedule definition = definition_of(&t);
    t.config.warp_stagger = swp_warp_stagger_fixed(3);
    definition.derive_edges = own_edges;
    definition.schedule_config = manual_waits;
    definition.machine = lagging_machine;
    definition.op_namer = (swp_op_namer){name_of, NULL};
    definition.target = "somewhere";
    swp_schedule *s = compile(*state, &definition);
    assert_edges(&s->edges, "0>1 output2");
    assert_int_equal(s->metrics.wait_vm_last, 1);
    assert_int_equal(s->schedule.wait_lgkm_first, 8);
    assert_int_equal(s->machine.lag, 1);
    assert_int_equal(s->machine.lag_prologue_index, 3);
    assert_int_equal(s->warp_stagger_index, 3);
    assert_string_equal(swp_schedule_op_name(s, TAG_MMA), "MULTIPLY");
    assert_string_equal(s->target, "somewhere");
    swp_schedule_free(s);
}

static swp_status machine_without_counters(const void *self, swp_context *ctx, swp_machine *out)
{
    (void)self;
    (void)ctx;
    out->vm_max = 0;
    return SWP_OK;
}

/* A machine's lag is no less a lag where the pipeline has no stagger: the default rule has its place. */
static void a_lag_without_a_stagger_begins_where_auto_would(void **state)
{
    swp_op ops[6];
    const trait t = double_buffer(ops);
    swp_pipeline_schedule definition = definition_of(&t);
    definition.machine = lagging_machine;
    swp_schedule *none = compile(*state, &definition);
    trait staggered = t;
    staggered.config.warp_stagger = swp_warp_stagger_auto();
    definition = definition_of(&staggered);
    definition.machine = lagging_machine;
    swp_schedule *automatic = compile(*state, &definition);
    assert_int_equal(none->machine.lag, 1);
    assert_int_equal(none->machine.lag_prologue_index, automatic->warp_stagger_index);
    swp_schedule_free(none);
    swp_schedule_free(automatic);
}

static void transform_kernel_is_for_the_single_buffer_alone(void **state)
{
    swp_op ops[6];
    trait t = double_buffer(ops);
    swp_pipeline_schedule definition = definition_of(&t);
    definition.transform_kernel = transform;
    swp_schedule_free(compile(*state, &definition));
    assert_int_equal(t.transformed, 0);
    t = single_buffer(ops);
    swp_schedule *s = compile(*state, &definition);
    assert_int_equal(t.transformed, 1);
    assert_entries(&s->streams[0].kernel, "M00 bar S00 LA00 bar FA00 sb");
    swp_schedule_free(s);
}

static void the_single_buffer_kernel_is_the_body_and_its_deps_the_edges(void **state)
{
    swp_op ops[6];
    const trait t = single_buffer(ops);
    const swp_pipeline_schedule definition = definition_of(&t);
    swp_schedule *s = compile(*state, &definition);
    assert_entries(&s->streams[0].kernel, "M00 bar S00 LA00 bar FA00");
    assert_edges(&s->kernel_deps,
                 "1>2 flow0, 2>4 flow0, 4>5 flow0, 5>0 flow1, 3>2 flow1, 5>2 anti1");
    assert_int_equal(s->program.blocks.count, 0);
    assert_int_equal(s->metrics.makespan, -1);
    assert_int_equal(s->warp_stagger_index, 7);
    swp_schedule_free(s);
}

static swp_status lists_of(swp_context *ctx, const swp_program *program, size_t count, size_t lost,
                           swp_op_lists *out)
{
    for (size_t i = 0; i < count; i++) {
        swp_op_list ops = {0};
        if (swp_emit_minimal_barrier_block(ctx, &program->blocks.items[i], false, false, &ops) !=
            SWP_OK)
            return SWP_OUT_OF_MEMORY;
        if (i == 0)
            ops.count -= lost;
        if (swp_op_lists_push(ctx, out, ops) != SWP_OK)
            return SWP_OUT_OF_MEMORY;
    }
    return SWP_OK;
}

#define BLOCKS(name, count, lost)                                                                  \
    static swp_status name(const void *self, swp_context *ctx, const swp_op_list *body,            \
                           const swp_program *program, swp_op_lists *out)                          \
    {                                                                                              \
        (void)body;                                                                                \
        ((trait *)(uintptr_t)self)->asked_for_blocks++;                                            \
        return lists_of(ctx, program, count, lost, out);                                           \
    }
BLOCKS(both_blocks, 2, 0)
BLOCKS(no_blocks, 0, 0)
BLOCKS(one_block, 1, 0)
BLOCKS(a_lost_mma, 2, 1)

static void explicit_blocks_replace_the_template_in_the_kernel_only(void **state)
{
    swp_op ops[6];
    trait t = double_buffer(ops);
    swp_pipeline_schedule definition = definition_of(&t);
    definition.build_explicit_blocks = both_blocks;
    swp_schedule *s = compile(*state, &definition);
    assert_entries(&s->streams[0].kernel,
                   "FA00 sb LA10@k_prev vm0 bar lgkm0 M00 FA10 sb LA00@k0 vm0 bar lgkm0 M00");
    assert_int_equal(t.asked_for_blocks, 1);
    assert_entries(&s->streams[0].epilogue, "lgkm0 FA00 LA10@k_prev bar lgkm0 prio1 M00 prio0 bar "
                                            "lgkm0 FA10 bar lgkm0 prio1 M00 prio0 bar bar");
    swp_schedule_free(s);
    definition.build_explicit_blocks = no_blocks;
    s = compile(*state, &definition);
    assert_int_equal(s->streams[0].kernel.count, 19);
    swp_schedule_free(s);
}

static void expect_refused(swp_context *ctx, const swp_pipeline_schedule *definition,
                           swp_status status, const char *code, const char *text)
{
    swp_schedule *s = (swp_schedule *)ctx;
    assert_status(ctx, swp_compile_schedule(ctx, definition, &s), status);
    assert_null(s);
    if (code)
        assert_diag(ctx, code, text);
}

static void explicit_blocks_are_one_per_block_and_lose_nothing(void **state)
{
    swp_op ops[6];
    trait t = double_buffer(ops);
    swp_pipeline_schedule definition = definition_of(&t);
    definition.build_explicit_blocks = one_block;
    expect_refused(*state, &definition, SWP_INVALID, "E0505", "1 explicit");
    definition.build_explicit_blocks = a_lost_mma;
    expect_refused(*state, &definition, SWP_INVALID, "E0505", "block 0");
}

static void a_failure_of_the_definition_is_handed_on(void **state)
{
    swp_op ops[6];
    trait t = double_buffer(ops);
    const swp_pipeline_schedule definition = definition_of(&t);
    t.failure = SWP_STOPPED;
    expect_refused(*state, &definition, SWP_STOPPED, NULL, NULL);
    t.failure = SWP_OK;
    t.config.depth = t.config.num_partitions = 3;
    expect_refused(*state, &definition, SWP_INVALID, "E0202", "3");
    t.config = swp_pipeline_config_default();
    t.body.count = 2;
    expect_refused(*state, &definition, SWP_INVALID, "E0306", NULL);
}

/* Fields out of the range of docs/settings.md are all refused. vmcnt's largest value is 1 or more. */
static void a_machine_out_of_its_range_is_refused(void **state)
{
    swp_op ops[6];
    const trait t = double_buffer(ops);
    swp_pipeline_schedule definition = definition_of(&t);
    definition.machine = machine_without_counters;
    expect_refused(*state, &definition, SWP_INVALID, "E0201", "vm_max");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(two_functions_are_enough),
        CONTEXT_TEST(every_function_is_asked_where_there_is_one),
        CONTEXT_TEST(a_lag_without_a_stagger_begins_where_auto_would),
        CONTEXT_TEST(transform_kernel_is_for_the_single_buffer_alone),
        CONTEXT_TEST(the_single_buffer_kernel_is_the_body_and_its_deps_the_edges),
        CONTEXT_TEST(explicit_blocks_replace_the_template_in_the_kernel_only),
        CONTEXT_TEST(explicit_blocks_are_one_per_block_and_lose_nothing),
        CONTEXT_TEST(a_machine_out_of_its_range_is_refused),
        CONTEXT_TEST(a_failure_of_the_definition_is_handed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
