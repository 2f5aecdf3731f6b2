/* SPDX-License-Identifier: Apache-2.0 */
/* The single-buffer matmul and its hints (docs/settings.md, "hints and num_k_tiles"). */
#include "fixture.h"
#include "ops.h"
#include "swp/kernels.h"

static swp_schedule *compile(swp_context *ctx, const swp_single_buffer *kernel)
{
    swp_schedule *schedule = NULL;
    const swp_pipeline_schedule definition = swp_single_buffer_schedule(kernel);
    assert_ok(ctx, swp_compile_schedule(ctx, &definition, &schedule));
    return schedule;
}

/* 32 MMAs, 8 reads, 2 MMAs a read; the other 16 over 4 stores. */
static void one_tile_is_the_published_schedule(void **state)
{
    swp_single_buffer kernel;
    swp_single_buffer_init(&kernel, 1);
    swp_schedule *s = compile(*state, &kernel);
    assert_ops(&s->body, "M00 bar S00 LA00 bar FA00");
    assert_edges(&s->edges, "1>2 flow0, 2>4 flow0, 4>5 flow0, 5>0 flow1, 3>2 flow1, 5>2 anti1");
    assert_entries(&s->streams[0].prologue, "LA00 S00 bar LA00 FA00 sb");
    assert_entries(&s->streams[0].epilogue, "sb bar S00 M00 sb bar FA00 M00 sb");
    assert_entries(&s->streams[0].kernel,
                   "M00 bar S00 LA00 bar FA00 "
                   "sgb1x1 sgb3x2 sgb2x1 sgb3x2 sgb1x1 sgb3x2 sgb2x1 sgb3x2 "
                   "sgb1x1 sgb3x2 sgb2x1 sgb3x2 sgb1x1 sgb3x2 sgb2x1 sgb3x2 "
                   "sgb0x1 sgb3x2 sgb0x1 sgb3x2 sgb0x1 sgb3x2 sgb0x1 sgb3x2 "
                   "sgb0x1 sgb3x2 sgb0x1 sgb3x2 sgb0x1 sgb3x2 sgb0x1 sgb3x2");
    assert_int_equal(s->kernel_deps.count, 6);
    assert_int_equal(s->warp_stagger_index, 7);
    swp_schedule_free(s);
}

/* 3 MMAs remain over 2 stores: the first takes 2, the second 1. 1 MMA a read of 32x32. */
static void the_first_stores_take_the_remainder(void **state)
{
    swp_single_buffer kernel;
    swp_single_buffer_init(&kernel, 2);
    kernel.hints = (swp_mma_hints){.m_mmas = 1,
                                   .n_mmas = 1,
                                   .k_mmas = 7,
                                   .mma_m = 32,
                                   .mma_n = 32,
                                   .a_loads = 1,
                                   .b_loads = 1};
    swp_schedule *s = compile(*state, &kernel);
    assert_ops(&s->body, "FA01 M00 bar S00 LA00 M01 bar FA00");
    assert_entries(&s->streams[0].kernel,
                   "FA01 M00 bar S00 LA00 M01 bar FA00 sgb0x1 sgb3x1 sgb0x1 sgb3x1 "
                   "sgb1x1 sgb3x1 sgb2x1 sgb3x1 sgb1x1 sgb3x0 sgb2x1 sgb3x1 "
                   "sgb0x1 sgb3x1 sgb0x1 sgb3x1");
    swp_schedule_free(s);
}

static void two_tiles_have_the_published_counts(void **state)
{
    swp_single_buffer kernel;
    swp_single_buffer_init(&kernel, 2);
    swp_schedule *s = compile(*state, &kernel);
    assert_int_equal(s->body.count, 8);
    assert_int_equal(s->edges.count, 8);
    assert_int_equal(s->streams[0].prologue.count, 6);
    assert_int_equal(s->streams[0].kernel.count, 56);
    assert_int_equal(s->streams[0].epilogue.count, 13);
    assert_int_equal(s->kernel_deps.count, 8);
    assert_int_equal(s->warp_stagger_index, 7);
    assert_int_equal(s->loop.tiles_per_pass, 1);
    assert_int_equal(s->loop.min_tiles, 2);
    assert_int_equal(s->loop.placement, SWP_PLACE_NEXT_TILE);
    assert_int_equal(s->machine.barrier, SWP_BARRIER_FENCED);
    assert_string_equal(swp_schedule_op_name(s, 2), "LOAD_FRAG");
    swp_schedule_free(s);
}

static void any_number_of_tiles_has_each_op_once(void **state)
{
    for (int tiles = 1; tiles <= 16; tiles++) {
        swp_single_buffer kernel;
        swp_single_buffer_init(&kernel, tiles);
        swp_schedule *s = compile(*state, &kernel);
        assert_int_equal(s->body.count, 4 + 2 * tiles);
        assert_int_equal(count_tag(&s->streams[0].kernel, SWP_LOAD_FRAG), tiles);
        assert_int_equal(count_tag(&s->streams[0].kernel, SWP_COMPUTE_FRAG), tiles);
        assert_int_equal(count_tag(&s->streams[0].epilogue, SWP_COMPUTE_FRAG), 2 * tiles);
        assert_int_equal(count_tag(&s->streams[0].epilogue, SWP_LOAD_FRAG), 2 * tiles - 1);
        assert_int_equal(count_tag(&s->streams[0].kernel, SWP_TAG_SCHED_GROUP_BARRIER),
                         16 * tiles + 16);
        swp_schedule_free(s);
    }
}

/* More reads than MMAs: none is left for a read, and the stores share all of them. */
static void fewer_mmas_than_reads_give_reads_without_mmas(void **state)
{
    swp_single_buffer kernel;
    swp_single_buffer_init(&kernel, 1);
    kernel.hints = (swp_mma_hints){.m_mmas = 1,
                                   .n_mmas = 1,
                                   .k_mmas = 1,
                                   .mma_m = 16,
                                   .mma_n = 16,
                                   .a_loads = 1,
                                   .b_loads = 0};
    swp_schedule *s = compile(*state, &kernel);
    assert_entries(&s->streams[0].kernel, "M00 bar S00 LA00 bar FA00 sgb1x1 sgb3x0 sgb2x1 sgb3x1 "
                                          "sgb0x1 sgb3x0 sgb0x1 sgb3x0");
    swp_schedule_free(s);
}

static void tiles_and_hints_out_of_range_are_refused(void **state)
{
    swp_context *ctx = *state;
    const int wrong[] = {0, -1, 1025, INT32_MIN};
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        for (int field = 0; field < 3; field++) {
            swp_single_buffer kernel;
            swp_schedule *schedule = NULL;
            swp_single_buffer_init(&kernel, field == 0 ? wrong[i] : 2);
            if (field == 1)
                kernel.hints.k_mmas = wrong[i];
            if (field == 2)
                kernel.hints.a_loads = wrong[i] ? wrong[i] : -1;
            const swp_pipeline_schedule definition = swp_single_buffer_schedule(&kernel);
            swp_context_clear_diags(ctx);
            assert_status(ctx, swp_compile_schedule(ctx, &definition, &schedule), SWP_INVALID);
            assert_true(has_error(ctx));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(one_tile_is_the_published_schedule),
        CONTEXT_TEST(the_first_stores_take_the_remainder),
        CONTEXT_TEST(two_tiles_have_the_published_counts),
        CONTEXT_TEST(any_number_of_tiles_has_each_op_once),
        CONTEXT_TEST(tiles_and_hints_out_of_range_are_refused),
        CONTEXT_TEST(fewer_mmas_than_reads_give_reads_without_mmas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
