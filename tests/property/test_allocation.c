/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that runs out at any allocation (faulty.h): of what builds, searches, compiles and certifies. */
#include "faulty.h"
#include "fixture.h"
#include "ops.h"
#include "random_body.h"
#include "swp/certificate.h"
#include "swp/certify_loop.h"
#include "swp/describe.h"
#include "swp/emit.h"
#include "swp/reference.h"

#include <stdio.h>
#include <string.h>

static swp_status take(swp_context *ctx)
{
    for (size_t bytes = 1; bytes < 200000; bytes *= 3)
        if (!swp_context_take(ctx, bytes))
            return SWP_OUT_OF_MEMORY;
    return SWP_OK;
}

static swp_status many_diagnostics(swp_context *ctx)
{
    static char text[2000];
    memset(text, 'z', sizeof text - 1);
    const swp_diag diag = {.severity = SWP_WARNING, .code = "W0001", .message = text, .hint = text};
    for (int i = 0; i < 60; i++) {
        const swp_status status = swp_context_report(ctx, &diag);
        if (status != SWP_OK)
            return status;
    }
    return SWP_OK;
}

static swp_status body_and_pipe(swp_context *ctx)
{
    swp_body *body = swp_body_new(ctx);
    swp_pipe *pipe = swp_pipe_new(ctx);
    swp_op_list ops = {0};
    swp_entry_list entries = {0};
    if (!body || !pipe)
        return SWP_OUT_OF_MEMORY;
    for (int i = 0; i < 200; i++) {
        swp_load(body, 1, .channel = 1, .stage = 1);
        swp_fan(body, 4, 3, .channel = 0);
        swp_grid(body, 2, 2, 5);
        pipe = swp_pipe_then(pipe, mma_op(i, i));
    }
    pipe = swp_pipe_join(pipe, pipe);
    swp_status status = swp_body_done(body, &ops);
    if (status == SWP_OK)
        status = swp_pipe_entries(pipe, SWP_KERNEL, 0, &entries);
    return status;
}

/* A body of 240 ops, so that lists outgrow the first chunk of memory. */
static swp_status derive_edges(swp_context *ctx)
{
    swp_op ops[240];
    swp_edge_list edges = {0};
    swp_loop_body graph;
    const swp_pipeline_config config = swp_pipeline_config_default();
    for (int i = 0; i < 240; i++)
        ops[i] = i % 3 == 0   ? frag_op(0, 0, 0)
                 : i % 3 == 1 ? load_op(0, 0, 0, SWP_K0)
                              : mma_op(0, 0);
    swp_status status = swp_derive_edges_from_ops(ctx, ops, 240, &config, &edges);
    if (status == SWP_OK)
        status = swp_derive_cross_stage_rotation_edges(ctx, ops, 240, &edges);
    if (status == SWP_OK)
        status = swp_loop_body_init(ctx, ops, 240, &edges, &graph);
    return status;
}

/* A random body whose seed is off the bound, stopped by a work limit. */
static swp_status search(swp_context *ctx)
{
    test_random random = random_for_case(7, 3);
    const body_shape shape = {32, true, 8};
    const swp_limits limits = {.work = 3000};
    swp_context *own = swp_context_new(NULL);
    const swp_loop_body body = random_body(own, &random, &shape);
    const swp_search problem = {.lds_contention_penalty = 9,
                                .max_vgpr = SWP_NO_VGPR_LIMIT,
                                .halves = true,
                                .blocks_per_half = 16};
    swp_solution solution = {0};
    swp_context_set_limits(ctx, &limits);
    const swp_status status = swp_solve(ctx, &body, &problem, &solution);
    if (status == SWP_OK)
        assert_true(solution.work > 0);
    swp_context_free(own);
    return status;
}

static swp_status reorder_single_buffer(swp_context *ctx)
{
    swp_op ops[160];
    swp_op_list reordered = {0}, out = {0};
    const swp_pipeline_config config = swp_mi355x_single_buffer();
    for (int i = 0; i < 160; i++)
        ops[i] = i % 2 == 0 ? frag_op(0, 0, i / 2) : mma_op(0, i / 2);
    swp_status status = swp_single_buffer_reorder(ctx, ops, 160, &config, &reordered);
    if (status == SWP_OK)
        status = swp_optimize_within_barriers(ctx, reordered.items, reordered.count, &config, &out);
    return status;
}

static swp_status describe(swp_context *ctx, const char *name, const char *path, const char *value,
                           swp_schedule **schedule)
{
    static const swp_place nowhere = {NULL, 0, 0};
    swp_description *description = NULL;
    swp_status status = swp_description_from_builtin(ctx, name, &description);
    if (status == SWP_OK)
        status = swp_description_set(ctx, description, path, value, nowhere);
    if (status == SWP_OK)
        status = swp_description_compile(ctx, description, schedule);
    return status;
}

static swp_status described_pingpong(swp_context *ctx)
{
    swp_schedule *schedule = NULL;
    const swp_status status =
        describe(ctx, "pingpong", "schedule.lds_contention_penalty", "21", &schedule);
    assert_int_equal(schedule != NULL, status == SWP_OK);
    swp_schedule_free(schedule);
    return status;
}

/* Under a name as long as the padding, which stands first in the schedule's own memory. */
static swp_status compile(swp_context *ctx, swp_pipeline_schedule definition)
{
    static char name[FAULTY_MOST_PADDING + 1];
    swp_schedule *schedule = NULL;
    memset(name, 'n', faulty_padding());
    name[faulty_padding()] = '\0';
    definition.name = name;
    const swp_status status = swp_compile_schedule(ctx, &definition, &schedule);
    assert_int_equal(schedule != NULL, status == SWP_OK);
    swp_schedule_free(schedule);
    return status;
}

static swp_status compiled_pingpong(swp_context *ctx)
{
    swp_pingpong kernel;
    swp_pingpong_init(&kernel);
    return compile(ctx, swp_pingpong_schedule(&kernel));
}

static swp_status compiled_fourwave(swp_context *ctx)
{
    swp_pipeline_4wave kernel;
    const swp_kernel_geometry geometry = {
        .vm_per_load_a = 4, .vm_per_load_b = 4, .lgkm_per_load_a = 4, .lgkm_per_load_b = 4};
    const swp_status status = swp_pipeline_4wave_init(ctx, &kernel, &geometry, NULL, NULL);
    return status == SWP_OK ? compile(ctx, swp_pipeline_4wave_schedule(&kernel)) : status;
}

static swp_status compiled_single_buffer(swp_context *ctx)
{
    swp_single_buffer kernel;
    swp_single_buffer_init(&kernel, 5);
    return compile(ctx, swp_single_buffer_schedule(&kernel));
}

/* Three of five ops follow one another in one of two lanes, which no bound sees: a formula refutes 8 cycles. */
static swp_status exact_search(swp_context *ctx)
{
    static const swp_problem_resource resources[] = {{"lanes", 2}};
    static const swp_problem_use uses[] = {{0, 1, 3}};
    static const swp_problem_op ops[] = {{"a", 3, uses, 1},
                                         {"b", 3, uses, 1},
                                         {"c", 3, uses, 1},
                                         {"d", 3, uses, 1},
                                         {"e", 3, uses, 1}};
    const swp_problem problem = {.name = "lanes",
                                 .kind = SWP_PROBLEM_MAKESPAN,
                                 .resources = resources,
                                 .resource_count = 1,
                                 .ops = ops,
                                 .op_count = 5};
    swp_answer answer;
    const swp_status status = swp_solve_problem(ctx, &problem, &answer);
    if (status != SWP_OK)
        return status;
    assert_int_equal(answer.status, SWP_ANSWER_OPTIMAL);
    assert_int_equal(answer.value, 9);
    assert_int_equal(answer.bound_kind, SWP_BOUND_REFUTATION);
    FILE *stream = tmpfile();
    assert_non_null(stream);
    const swp_status written = swp_certificate_write(ctx, &problem, &answer, stream);
    (void)fclose(stream);
    return written;
}

/* What the stream holds, in the context's memory. */
static swp_status read_back(swp_context *ctx, FILE *stream, swp_problem_text *out)
{
    const long length = ftell(stream);
    char *text = swp_context_take(ctx, (size_t)length + 1);
    if (!text)
        return SWP_OUT_OF_MEMORY;
    rewind(stream);
    assert_int_equal(fread(text, 1, (size_t)length, stream), length);
    *out = (swp_problem_text){text, (size_t)length, {"certificate", 1, 1}};
    return SWP_OK;
}

/* With roles where the loop leaves them open, and shifts where it has `shift_count`. */
static swp_status check_pipeline(swp_context *ctx, const swp_loop *loop, const swp_pipeline *p,
                                 size_t shift_count, FILE *stream)
{
    int roles[8] = {0};
    for (size_t i = 0; i < p->loop->op_count; i++)
        roles[i] = p->loop->ops[i].role;
    swp_loop_answer answer = {.interval = p->answer.value,
                              .bound = p->answer.bound,
                              .times = p->answer.times,
                              .time_count = p->loop->op_count,
                              .slots = p->slots,
                              .slot_count = p->loop->value_count,
                              .roles = roles,
                              .shifts = p->shifts,
                              .shift_count = shift_count,
                              .costs = {p->bytes[0], p->bytes[1], p->stages},
                              .least = {true, true, true}};
    swp_problem_text text;
    swp_loop_certificate certificate;
    swp_certificate_report report;
    swp_status status = swp_loop_certificate_write(ctx, p, stream);
    if (status == SWP_OK)
        status = read_back(ctx, stream, &text);
    if (status == SWP_OK)
        status = swp_loop_certificate_read(ctx, &text, &certificate);
    if (status == SWP_OK)
        status = swp_loop_certificate_check(ctx, loop, &answer, &certificate, &report);
    if (status == SWP_OK)
        assert_int_equal(report.verdict, SWP_CERTIFICATE_ACCEPTED);
    return status;
}

/* A budget keeps it from the two slots a value that its load would fill. */
static swp_status certified_pipeline(swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "budget");
    if (!l)
        return SWP_OUT_OF_MEMORY;
    const int unit = swp_loop_add_unit(l, "unit", 1);
    const int a = swp_value(l, "a", .space = SWP_SPACE_SHARED, .bytes = 1);
    const int b = swp_value(l, "b", .space = SWP_SPACE_SHARED, .bytes = 2);
    swp_loop loop;
    swp_pipeline pipeline;
    swp_work(l, "load", .latency = 6, .completion = SWP_COMPLETION_COUNTER,
             .uses = {{.unit = unit, .cycles = 2}}, .writes = {a, b});
    swp_work(l, "use", .latency = 1, .uses = {{.unit = unit, .cycles = 1}},
             .reads = {{.value = a}, {.value = b}});
    swp_status status = swp_loop_done(l, &loop);
    loop.shared_budget = 5;
    if (status == SWP_OK)
        status = swp_pipeline_loop(ctx, &loop, &pipeline);
    if (status != SWP_OK)
        return status;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    status = check_pipeline(ctx, &loop, &pipeline, 0, stream);
    (void)fclose(stream);
    return status;
}

/* An op of either role, and two instances that are shifted. */
static swp_status certified_roles(swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "shifts");
    if (!l)
        return SWP_OUT_OF_MEMORY;
    const int one = swp_loop_add_role(l, (swp_loop_role){.name = "one", .warps = 1});
    const int two = swp_loop_add_role(
        l, (swp_loop_role){.name = "two", .warps = 1, .instances = 2, .registers = 24});
    const int unit = swp_loop_add_unit(l, "unit", 1);
    const int x = swp_value(l, "x", .space = SWP_SPACE_SHARED, .most_slots = 1);
    const int s = swp_value(l, "s", .space = SWP_SPACE_REGISTERS);
    swp_loop loop;
    swp_pipeline pipeline;
    swp_work(l, "make", .roles = {one, two}, .latency = 1, .completion = SWP_COMPLETION_NONE,
             .uses = {{.unit = unit, .cycles = 1}}, .writes = {x});
    swp_work(l, "use", .role = two, .latency = 1, .uses = {{.unit = unit, .cycles = 1}},
             .reads = {{.value = x}}, .updates = {s});
    swp_status status = swp_loop_done(l, &loop);
    if (status == SWP_OK)
        status = swp_pipeline_loop(ctx, &loop, &pipeline);
    if (status != SWP_OK)
        return status;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    status = check_pipeline(ctx, &loop, &pipeline, 1, stream);
    (void)fclose(stream);
    return status;
}

static swp_status emit(swp_context *ctx, const char *format)
{
    const swp_emit_format *row = swp_emit_format_find(format);
    swp_schedule *schedule = NULL;
    char *text = NULL;
    size_t length = 0;
    swp_status status = describe(ctx, "pingpong", "schedule.wait_vm_last", "6", &schedule);
    if (status == SWP_OK)
        status = row->emit(ctx, schedule, &text, &length);
    if (status == SWP_OK)
        status = swp_dump_program_blocks(ctx, &schedule->program, NULL, &text);
    swp_schedule_free(schedule);
    return status;
}

static swp_status emit_text(swp_context *ctx)
{
    return emit(ctx, "text");
}

static swp_status emit_dot(swp_context *ctx)
{
    return emit(ctx, "dot");
}

#define ALLOCATION_TEST(path)                                                                      \
    static void every_allocation_of_##path##_may_fail(void **state)                                \
    {                                                                                              \
        (void)state;                                                                               \
        faulty_each(path, 50);                                                                     \
    }
ALLOCATION_TEST(take)
ALLOCATION_TEST(many_diagnostics)
ALLOCATION_TEST(body_and_pipe)
ALLOCATION_TEST(derive_edges)
ALLOCATION_TEST(search)
ALLOCATION_TEST(reorder_single_buffer)
ALLOCATION_TEST(compiled_pingpong)
ALLOCATION_TEST(compiled_fourwave)
ALLOCATION_TEST(compiled_single_buffer)
ALLOCATION_TEST(described_pingpong)
ALLOCATION_TEST(emit_text)
ALLOCATION_TEST(emit_dot)
ALLOCATION_TEST(exact_search)
ALLOCATION_TEST(certified_pipeline)
ALLOCATION_TEST(certified_roles)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_take_may_fail),
        cmocka_unit_test(every_allocation_of_many_diagnostics_may_fail),
        cmocka_unit_test(every_allocation_of_body_and_pipe_may_fail),
        cmocka_unit_test(every_allocation_of_derive_edges_may_fail),
        cmocka_unit_test(every_allocation_of_search_may_fail),
        cmocka_unit_test(every_allocation_of_reorder_single_buffer_may_fail),
        cmocka_unit_test(every_allocation_of_compiled_pingpong_may_fail),
        cmocka_unit_test(every_allocation_of_compiled_fourwave_may_fail),
        cmocka_unit_test(every_allocation_of_compiled_single_buffer_may_fail),
        cmocka_unit_test(every_allocation_of_described_pingpong_may_fail),
        cmocka_unit_test(every_allocation_of_emit_text_may_fail),
        cmocka_unit_test(every_allocation_of_emit_dot_may_fail),
        cmocka_unit_test(every_allocation_of_exact_search_may_fail),
        cmocka_unit_test(every_allocation_of_certified_pipeline_may_fail),
        cmocka_unit_test(every_allocation_of_certified_roles_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
