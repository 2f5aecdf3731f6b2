/* SPDX-License-Identifier: Apache-2.0 */
/* wgmmas in a run: which bytes their descriptors name, the groups that they retire in, and whose registers are whose. */
#include "runs.h"

#define DESCRIPTOR(swizzle, stride, leading, start)                                                \
    ((uint64_t)(swizzle) << 62 | (uint64_t)(stride) >> 4 << 32 | (uint64_t)(leading) >> 4 << 16 |  \
     (uint64_t)(start) >> 4)

typedef struct span {
    int64_t low;
    int64_t high;
} span;

/* The bytes from the first to the last one that the wgmma of a run has read. */
static span bytes_read(const swp_ptx_run *run, int insn)
{
    span all = {INT64_MAX, 0};
    for (int s = 0; s < SWP_PTX_ALL_SHELVES; s++)
        for (size_t i = 0; i < run->buckets[s].count; i++) {
            const swp_ptx_access *access = &run->buckets[s].items[i];
            if (access->insn != insn)
                continue;
            all.low = access->low < all.low ? access->low : all.low;
            all.high = access->high > all.high ? access->high : all.high;
        }
    return all;
}

static void assert_bytes(swp_context *ctx, int rows, bool transposed, uint64_t descriptor,
                         int64_t low, int64_t high)
{
    char text[1024];
    (void)snprintf(
        text, sizeof text,
        KERNEL(
            128,
            "wgmma.fence.sync.aligned;\n"
            "wgmma.mma_async.sync.aligned.m64n%dk16.f32.f16.f16 {%%f1}, {%%r1, %%r2, %%r3, %%r4}, "
            "%lld, 1, 1, 1, %d;\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned "
            "0;"),
        rows, (long long)descriptor, transposed);
    const swp_ptx_run *run = run_text(ctx, text);
    assert_int_equal(run->outcome, SWP_PTX_ENDED);
    const span read = bytes_read(
        run, (int)(insn_in_line(run->module, FIRST_LINE + 1) - run->module->insns.items));
    if (read.low != low || read.high != high)
        fail_msg("%llx: %lld to %lld, wanted %lld to %lld", (unsigned long long)descriptor,
                 (long long)read.low, (long long)read.high, (long long)low, (long long)high);
}

/* K x N of 16 x 64: 64 rows of 32 bytes. */
static void a_swizzled_tile_is_rows_of_its_pattern(void **state)
{
    assert_bytes(*state, 64, false, DESCRIPTOR(1, 1024, 16, 0), 0, 8192);
    assert_bytes(*state, 64, false, DESCRIPTOR(2, 512, 16, 0), 0, 4096);
    assert_bytes(*state, 64, false, DESCRIPTOR(3, 256, 16, 0), 0, 2048);
    assert_bytes(*state, 8, false, DESCRIPTOR(1, 1024, 16, 2048), 2048, 2048 + 1024);
}

/* A step along K within a swizzled row names the same rows. */
static void a_step_within_a_row_stays_in_its_rows(void **state)
{
    for (int step = 0; step < 4; step++)
        assert_bytes(*state, 64, false, DESCRIPTOR(1, 1024, 16, 1024 + 32 * step), 1024, 9216);
}

static void a_tile_that_begins_within_eight_rows_has_eight_from_there(void **state)
{
    assert_bytes(*state, 8, false, DESCRIPTOR(1, 1024, 16, 512), 512, 1024 + 512);
}

/* Core matrices of 8 x 16 bytes: two along K, at the leading offset; more along N, at the stride. */
static void a_tile_without_a_swizzle_is_core_matrices(void **state)
{
    assert_bytes(*state, 64, false, DESCRIPTOR(0, 256, 128, 0), 0, 2048);
    assert_bytes(*state, 64, false, DESCRIPTOR(0, 128, 2048, 512), 512, 3584);
}

/* On its side: blocks of 64 columns of two bytes, 16 rows each. */
static void a_tile_on_its_side_is_blocks_of_columns(void **state)
{
    assert_bytes(*state, 64, true, DESCRIPTOR(1, 1024, 4096, 0), 0, 2048);
    assert_bytes(*state, 128, true, DESCRIPTOR(1, 1024, 4096, 0), 0, 6144);
}

#define WGMMA(sums)                                                                                \
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {" sums "}, {%r1, %r2, %r3, %r4}, "         \
    "4611686293305360384, 1, 1, 1, 0;"
#define FENCE "wgmma.fence.sync.aligned;"
#define COMMIT "wgmma.commit_group.sync.aligned;"
#define WAIT(n) "wgmma.wait_group.sync.aligned " #n ";"

static void sums_are_the_groups_until_it_has_retired(void **state)
{
    assert_ends(*state, KERNEL(128, FENCE WGMMA("%f1") COMMIT WAIT(0) "\nadd.f32 %f5, %f1, %f1;"));
    assert_run_fault(*state,
                     KERNEL(128, FENCE WGMMA("%f1") COMMIT "\nadd.f32 %f5, %f1, %f1;\n" WAIT(0)),
                     SWP_ACCUMULATOR_IN_FLIGHT, FIRST_LINE + 1);
    assert_run_fault(*state,
                     KERNEL(128, FENCE WGMMA("%f1") COMMIT "\nadd.f32 %f1, %f5, %f5;\n" WAIT(0)),
                     SWP_ACCUMULATOR_IN_FLIGHT, FIRST_LINE + 1);
    assert_run_fault(
        *state, KERNEL(128, FENCE WGMMA("%f1") COMMIT "\nst.global.f32 [%rd1], %f1;\n" WAIT(0)),
        SWP_ACCUMULATOR_IN_FLIGHT, FIRST_LINE + 1);
    assert_ends(*state, KERNEL(128, FENCE WGMMA("%f1") COMMIT "add.f32 %f5, %f6, %f6;" WAIT(0)));
}

static void a_factor_in_registers_is_the_groups_too(void **state)
{
    assert_run_fault(*state,
                     KERNEL(128, FENCE WGMMA("%f1") COMMIT "\nadd.u32 %r2, %r2, 1;\n" WAIT(0)),
                     SWP_ACCUMULATOR_IN_FLIGHT, FIRST_LINE + 1);
    assert_ends(*state, KERNEL(128, FENCE WGMMA("%f1") COMMIT WAIT(0) "add.u32 %r2, %r2, 1;"));
}

static void a_wait_leaves_the_last_groups_in_flight(void **state)
{
    assert_ends(*state, KERNEL(128, FENCE WGMMA("%f1") COMMIT WGMMA("%f2")
                                        COMMIT WAIT(1) "add.f32 %f5, %f1, %f1;" WAIT(0)));
    assert_run_fault(*state,
                     KERNEL(128, FENCE WGMMA("%f1") COMMIT WGMMA("%f2")
                                     COMMIT WAIT(1) "\nadd.f32 %f5, %f2, %f2;\n" WAIT(0)),
                     SWP_ACCUMULATOR_IN_FLIGHT, FIRST_LINE + 1);
    /* What is not committed is not waited for. */
    assert_run_fault(*state, KERNEL(128, FENCE WGMMA("%f1") WAIT(0) "\nadd.f32 %f5, %f1, %f1;"),
                     SWP_ACCUMULATOR_IN_FLIGHT, FIRST_LINE + 1);
}

static void what_touches_a_register_before_needs_a_fence(void **state)
{
    assert_ends(*state, KERNEL(128, "add.f32 %f1, %f5, %f5;" FENCE WGMMA("%f1") WGMMA("%f1")
                                        COMMIT WAIT(0)));
    assert_run_fault(*state,
                     KERNEL(128, FENCE "add.f32 %f1, %f5, %f5;\n" WGMMA("%f1") COMMIT WAIT(0)),
                     SWP_UNFENCED, FIRST_LINE + 1);
    assert_run_fault(*state, KERNEL(128, WGMMA("%f1") COMMIT WAIT(0)), SWP_UNFENCED, FIRST_LINE);
}

/* ptxas removes them: the register that is waited for is the one that was named first. */
static void moves_give_other_names(void **state)
{
    assert_ends(*state, KERNEL(128, FENCE WGMMA("%f1") COMMIT
                               "mov.f32 %f7, %f1;" WAIT(0) "add.f32 %f5, %f7, %f7;"));
    assert_run_fault(*state,
                     KERNEL(128, FENCE WGMMA("%f1") COMMIT
                            "mov.f32 %f7, %f1;\nadd.f32 %f5, %f7, %f7;\n" WAIT(0)),
                     SWP_ACCUMULATOR_IN_FLIGHT, FIRST_LINE + 1);
    assert_run_fault(*state,
                     KERNEL(128, FENCE WGMMA("%f1") COMMIT
                            "mov.b64 %rd7, {%f9, %f1};\nst.global.b64 [%rd1], %rd7;\n" WAIT(0)),
                     SWP_ACCUMULATOR_IN_FLIGHT, FIRST_LINE + 1);
    assert_run_fault(*state,
                     KERNEL(128, FENCE WGMMA("%f1") COMMIT
                            "mov.b64 %rd7, {%f9, %f1}; mov.b64 {%f11, %f12}, "
                            "%rd7;\nadd.f32 %f5, %f12, %f12;\n" WAIT(0)),
                     SWP_ACCUMULATOR_IN_FLIGHT, FIRST_LINE + 1);
}

static void four_warps_issue_a_wgmma(void **state)
{
    assert_run_fault(*state, KERNEL(96, FENCE WGMMA("%f1") COMMIT "\n" WAIT(0)), SWP_DEADLOCK,
                     FIRST_LINE + 1);
    assert_run_fault(*state, KERNEL(128, FENCE WGMMA("%f1") COMMIT), SWP_LOST_PEER, FIRST_LINE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_swizzled_tile_is_rows_of_its_pattern),
        CONTEXT_TEST(a_step_within_a_row_stays_in_its_rows),
        CONTEXT_TEST(a_tile_that_begins_within_eight_rows_has_eight_from_there),
        CONTEXT_TEST(a_tile_without_a_swizzle_is_core_matrices),
        CONTEXT_TEST(a_tile_on_its_side_is_blocks_of_columns),
        CONTEXT_TEST(sums_are_the_groups_until_it_has_retired),
        CONTEXT_TEST(a_factor_in_registers_is_the_groups_too),
        CONTEXT_TEST(a_wait_leaves_the_last_groups_in_flight),
        CONTEXT_TEST(what_touches_a_register_before_needs_a_fence),
        CONTEXT_TEST(moves_give_other_names),
        CONTEXT_TEST(four_warps_issue_a_wgmma),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
