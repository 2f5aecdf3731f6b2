/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What retires and orders accesses of counters does not do so for groups and mbarriers: each rule on the
 * least program that shows it. op_program.h has the notation.
 */
#include "fixture.h"
#include "op_program.h"

#include "swp/verify.h"

static void expect_safe(op_program *p)
{
    swp_verdict verdict = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    assert_int_equal(verdict.hazards.count, 0);
}

static void expect_only(op_program *p, swp_hazard_kind kind, int entry)
{
    swp_verdict verdict = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    assert_int_equal(verdict.hazards.count, 1);
    assert_int_equal(verdict.hazards.items[0].kind, kind);
    assert_int_equal(verdict.hazards.items[0].at.entry, entry);
}

/* One iteration, in the epilogue; in its kernel, which comes before it, as safe as can be. */
static void read_once(op_program *p, const char *safest, const char *words)
{
    op_program_read(p, SWP_KERNEL, safest);
    op_program_read(p, SWP_EPILOGUE, words);
}

static const swp_completion untracked_by_counters[] = {SWP_COMPLETION_GROUP,
                                                       SWP_COMPLETION_MBARRIER};
enum { SORTS = sizeof untracked_by_counters / sizeof untracked_by_counters[0] };

/* LOAD brings the tile that MMA reads, which makes a register that nobody reads. */
static void begin_matrix(op_program *p, swp_context *ctx, swp_completion completion)
{
    swp_loop_builder *l = swp_loop_new(ctx, "matrix");
    const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED);
    const int product = swp_value(l, "product", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOAD", .completion = SWP_COMPLETION_COUNTER, .writes = {tile});
    swp_work(l, "MMA", .completion = completion, .reads = {{.value = tile}}, .writes = {product});
    op_program_begin(p, ctx, l, 1, 1);
    p->schedule.machine.barrier = SWP_BARRIER_FENCED;
    p->schedule.machine.registers = SWP_REGISTERS_SCOREBOARD;
}

/* Another iteration of the kernel runs into what was left in flight before its barrier. */
static void a_fenced_barrier_retires_counters_only(void **state)
{
    static const char fenced[] = "| LOAD+0 v0 | MMA+0";
    static const char waited[] = "l0 | LOAD+0 v0 | MMA+0";
    op_program p;
    begin_matrix(&p, *state, SWP_COMPLETION_COUNTER);
    read_once(&p, fenced, fenced);
    expect_safe(&p);
    for (int i = 0; i < SORTS; i++) {
        begin_matrix(&p, *state, untracked_by_counters[i]);
        read_once(&p, waited, waited);
        expect_safe(&p);
        read_once(&p, waited, fenced);
        swp_verdict verdict = {0};
        assert_ok(*state, swp_verify(*state, &p.schedule, NULL, 0, &verdict));
        assert_false(verdict.safe);
        assert_int_equal(verdict.hazards.items[0].kind, SWP_OVERWRITTEN);
        assert_int_equal(verdict.hazards.items[0].at.entry, 1);
    }
}

/* COPY brings what USE reads, STORE writes a register to global memory. */
static void begin_copy(op_program *p, swp_context *ctx, swp_completion completion)
{
    swp_loop_builder *l = swp_loop_new(ctx, "copy");
    const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED);
    const int result = swp_value(l, "result", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "COPY", .completion = completion, .writes = {tile});
    swp_work(l, "USE", .reads = {{.value = tile}}, .writes = {result});
    swp_work(l, "STORE", .completion = SWP_COMPLETION_COUNTER, .reads = {{.value = result, 1}});
    op_program_begin(p, ctx, l, 1, 1);
}

static void one_object_counts_no_access_of_another(void **state)
{
    static const char safest[] = "| COPY+0 STORE+0 v0 | USE+0";
    op_program p;
    begin_copy(&p, *state, SWP_COMPLETION_COUNTER);
    read_once(&p, safest, "| COPY+0 STORE+0 v1 | USE+0");
    expect_safe(&p);
    for (int i = 0; i < SORTS; i++) {
        begin_copy(&p, *state, untracked_by_counters[i]);
        read_once(&p, safest, safest);
        expect_safe(&p);
        op_program_read(&p, SWP_EPILOGUE, "| COPY+0 STORE+0 v1 | USE+0");
        expect_only(&p, SWP_STALE_READ, 5);
    }
}

static swp_completion in_lds(swp_completion kind)
{
    return kind == SWP_COMPLETION_COUNTER ? SWP_COMPLETION_LGKMCNT
           : kind == SWP_COMPLETION_GROUP ? SWP_COMPLETION_MATRIX_GROUP
                                          : SWP_COMPLETION_MATRIX_MBARRIER;
}

/* PUT writes to shared memory what GET reads. */
static void begin_put(op_program *p, swp_context *ctx, swp_completion completion)
{
    swp_loop_builder *l = swp_loop_new(ctx, "put");
    const int x = swp_value(l, "x", .space = SWP_SPACE_REGISTERS);
    const int place = swp_value(l, "place", .space = SWP_SPACE_SHARED);
    const int y = swp_value(l, "y", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "MAKE", .writes = {x});
    swp_work(l, "PUT", .completion = in_lds(completion), .reads = {{.value = x}},
             .writes = {place});
    swp_work(l, "GET", .completion = completion, .reads = {{.value = place}}, .writes = {y});
    op_program_begin(p, ctx, l, 1, 1);
    p->schedule.machine.waves_per_group = 1;
}

static void only_what_a_counter_counts_is_in_order(void **state)
{
    static const char safest[] = "l0 MAKE+0 PUT+0 l0 GET+0 l0";
    op_program p;
    begin_put(&p, *state, SWP_COMPLETION_COUNTER);
    read_once(&p, safest, "MAKE+0 PUT+0 GET+0");
    expect_safe(&p);
    for (int i = 0; i < SORTS; i++) {
        begin_put(&p, *state, untracked_by_counters[i]);
        read_once(&p, safest, safest);
        expect_safe(&p);
        op_program_read(&p, SWP_EPILOGUE, "MAKE+0 PUT+0 GET+0");
        expect_only(&p, SWP_STALE_READ, 2);
    }
}

/* Two copies, of which the first is read behind a wait that leaves one. */
static void begin_two(op_program *p, swp_context *ctx, swp_completion completion)
{
    swp_loop_builder *l = swp_loop_new(ctx, "two");
    const int first = swp_value(l, "first", .space = SWP_SPACE_SHARED);
    const int second = swp_value(l, "second", .space = SWP_SPACE_SHARED);
    swp_work(l, "FIRST", .completion = completion, .writes = {first});
    swp_work(l, "SECOND", .completion = completion, .writes = {second});
    swp_work(l, "USE", .reads = {{.value = first}});
    op_program_begin(p, ctx, l, 1, 1);
    p->schedule.machine.vm_max = 1;
}

static void groups_have_no_largest_count(void **state)
{
    static const char safest[] = "v0 | FIRST+0 v0 SECOND+0 v0 | USE+0";
    static const char two[] = "v0 | FIRST+0 SECOND+0 | USE+0 v0";
    op_program p;
    begin_two(&p, *state, SWP_COMPLETION_COUNTER);
    read_once(&p, safest, two); /* the second waits until the first is done */
    expect_safe(&p);
    p.schedule.machine.counter_full = SWP_COUNTER_WRAPS;
    op_program_read(&p, SWP_EPILOGUE, "v0 | FIRST+0 SECOND+0 v0 | USE+0");
    expect_only(&p, SWP_COUNTER, 3);
    for (int i = 0; i < SORTS; i++) {
        begin_two(&p, *state, untracked_by_counters[i]);
        read_once(&p, safest, two);
        expect_only(&p, SWP_STALE_READ, 5);
        p.schedule.machine.counter_full = SWP_COUNTER_WRAPS;
        op_program_read(&p, SWP_EPILOGUE, "v0 | FIRST+0 SECOND+0 v0 | USE+0");
        expect_safe(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_fenced_barrier_retires_counters_only),
        CONTEXT_TEST(one_object_counts_no_access_of_another),
        CONTEXT_TEST(only_what_a_counter_counts_is_in_order),
        CONTEXT_TEST(groups_have_no_largest_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
