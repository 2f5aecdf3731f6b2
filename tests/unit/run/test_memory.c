/* SPDX-License-Identifier: Apache-2.0 */
/* Each allocation of a run, a search and a replay fails once. */
#include "faulty.h"
#include "small_dataflow.h"

static const swp_hazard hazard_of_gemm = {.kind = SWP_STALE_READ,
                                          .at = {SWP_EPILOGUE, 1},
                                          .has_other = true,
                                          .other = {SWP_PROLOGUE, 1},
                                          .passes_before = 1,
                                          .smallest_n = 1};
static const swp_hazard hazard_of_dataflow = {.kind = SWP_STALE_READ,
                                              .at = {SWP_KERNEL, 2},
                                              .has_other = true,
                                              .other = {SWP_KERNEL, 0},
                                              .smallest_n = 1};

/* Everything that takes memory, until something fails. */
static swp_status do_everything(swp_context *ctx, const swp_schedule *loop)
{
    const swp_hazard *hazard = loop->dataflow ? &hazard_of_dataflow : &hazard_of_gemm;
    const swp_run_sweep sweep = {
        .least = 24, .most = 24, .seeds = 8, .timing = SWP_TIMING_ADVERSARIAL};
    swp_run_summary summary;
    swp_run_outcome outcome;
    swp_counterexample found;
    char *text = NULL;
    swp_status status = swp_run_many(ctx, loop, &sweep, &summary);
    if (status == SWP_OK)
        status = swp_run_summary_text(ctx, loop, &summary, &text, NULL);
    if (status == SWP_OK)
        status = swp_counterexample_find(ctx, loop, hazard, &found);
    if (status == SWP_OK)
        status = swp_counterexample_replay(ctx, loop, &found, &outcome);
    if (status == SWP_OK)
        status = swp_run_outcome_json(ctx, &outcome, &text, NULL);
    return status == SWP_OK ? swp_counterexample_write(ctx, &found, &text, NULL) : status;
}

static swp_status do_everything_within(faulty_memory *memory, const swp_schedule *loop)
{
    const swp_allocator allocator = faulty_allocator(memory);
    swp_context *ctx = swp_context_new(&allocator);
    if (!ctx)
        return SWP_OUT_OF_MEMORY;
    const swp_status status = do_everything(ctx, loop);
    if (status != SWP_OK)
        assert_true(has_diag(ctx, "E0001", NULL));
    swp_context_free(ctx);
    assert_int_equal(memory->live, 0);
    return status;
}

static void fail_everywhere(const swp_schedule *loop)
{
    faulty_memory enough = {0};
    assert_int_equal(do_everything_within(&enough, loop), SWP_OK);
    assert_true(enough.asked > 10);
    for (size_t n = 1; n <= enough.asked; n++) {
        faulty_memory memory = {.fail_at = n, .fail_once = true};
        assert_int_equal(do_everything_within(&memory, loop), SWP_OUT_OF_MEMORY);
    }
}

static void running_out_of_memory_anywhere_is_reported_and_leaks_nothing(void **state)
{
    const swp_schedule loop = small_loop(*state, "LA00@k0 LB00@k0", SAFE_KERNEL, SAFE_EPILOGUE);
    fail_everywhere(&loop);
}

static void so_it_is_with_a_dataflow(void **state)
{
    const swp_schedule loop =
        small_dataflow(*state, loop_of(*state, load_read_use), one_slot, "L0 vm0 R0 lgkm0 U0 bar");
    fail_everywhere(&loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(running_out_of_memory_anywhere_is_reported_and_leaks_nothing),
        CONTEXT_TEST(so_it_is_with_a_dataflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
