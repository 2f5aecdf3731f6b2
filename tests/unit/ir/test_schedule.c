/* SPDX-License-Identifier: Apache-2.0 */
/* What a compiled schedule hands out. */
#include "fixture.h"
#include "ir/schedule.h"
#include "ops.h"
#include "swp/kernels.h"

static void phases_and_names_are_found(void **state)
{
    swp_context *ctx = *state;
    swp_pingpong kernel;
    swp_schedule *s = NULL;
    swp_pingpong_init(&kernel);
    const swp_pipeline_schedule definition = swp_pingpong_schedule(&kernel);
    assert_ok(ctx, swp_compile_schedule(ctx, &definition, &s));
    assert_ptr_equal(swp_schedule_phase(s, SWP_PROLOGUE), &s->streams[0].prologue);
    assert_ptr_equal(swp_schedule_phase(s, SWP_KERNEL), &s->streams[0].kernel);
    assert_ptr_equal(swp_schedule_phase(s, SWP_EPILOGUE), &s->streams[0].epilogue);
    assert_ptr_equal(swp_stream_phase(&s->streams[0], SWP_KERNEL), &s->streams[0].kernel);
    assert_int_equal(s->stream_count, 1);
    assert_string_equal(swp_schedule_op_name(s, SWP_MMA), "MMA");
    assert_string_equal(swp_schedule_op_name(s, 99), "op99");
    assert_string_equal(swp_schedule_op_name(s, SWP_TAG_WAIT_LGKM), "wait_lgkm");
    assert_string_equal(swp_schedule_op_name(s, 200), "?");
    assert_string_equal(swp_schedule_op_name(s, -1), "?");
    swp_schedule_free(s);
}

/* A list that its count tells from others. */
#define LENGTH(n) ((swp_entry_list){.count = (n)})

static void a_form_is_one_of_every_stream(void **state)
{
    (void)state;
    swp_entry_list epilogues[2][1] = {{LENGTH(11)}, {LENGTH(21)}};
    swp_entry_list straight[2][2] = {{LENGTH(12), LENGTH(13)}, {LENGTH(22), LENGTH(23)}};
    swp_schedule s = {.loop = {.tiles_per_pass = 2, .min_tiles = 2, .multiple = 1},
                      .stream_count = 2};
    for (size_t i = 0; i < 2; i++)
        s.streams[i] = (swp_stream){.name = i ? "b" : "a",
                                    .prologue = LENGTH(1),
                                    .kernel = LENGTH(2),
                                    .epilogue = LENGTH(3),
                                    .tails = {epilogues[i], 1, straight[i], 2}};
    assert_int_equal(swp_schedule_forms(&s), 4);
    const swp_schedule odd = swp_schedule_form(&s, 1);
    const swp_schedule one = swp_schedule_form(&s, swp_schedule_form_of(&s, 1));
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(odd.streams[i].kernel.count, 2);
        assert_int_equal(odd.streams[i].epilogue.count, i ? 21 : 11);
        assert_int_equal(one.streams[i].prologue.count + one.streams[i].kernel.count, 0);
        assert_int_equal(one.streams[i].epilogue.count, i ? 23 : 13);
        assert_string_equal(one.streams[i].name, i ? "b" : "a");
    }
    assert_int_equal(odd.loop.min_tiles, 3);
    assert_int_equal(one.loop.tiles_per_pass, 0);
    assert_int_equal(swp_schedule_forms(&one), 1);
    assert_int_equal(s.streams[1].epilogue.count, 3);
}

static void the_lists_of_a_stream_are_all_there_once(void **state)
{
    (void)state;
    swp_entry_list epilogues[] = {LENGTH(7), LENGTH(8)};
    swp_entry_list straight[] = {LENGTH(9)};
    const swp_stream stream = {.prologue = LENGTH(1),
                               .kernel = LENGTH(2),
                               .epilogue = LENGTH(3),
                               .begin = LENGTH(4),
                               .end = LENGTH(5),
                               .drain = LENGTH(6),
                               .tails = {epilogues, 2, straight, 1}};
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(swp_ir_stream_list(&stream, i)->count, i + 1);
    assert_null(swp_ir_stream_list(&stream, 9));
}

static void no_schedule_is_freed_without_harm(void **state)
{
    (void)state;
    swp_schedule_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(phases_and_names_are_found),
        cmocka_unit_test(a_form_is_one_of_every_stream),
        cmocka_unit_test(the_lists_of_a_stream_are_all_there_once),
        cmocka_unit_test(no_schedule_is_freed_without_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
