/* SPDX-License-Identifier: Apache-2.0 */
/* How the bytes that a phase expects are shared among its tensor copies, whose boxes PTX does not show. */
#include "runs.h"

enum { UNSIZED = -1, MOST = 4 };

typedef struct box {
    int64_t to;
    int64_t bytes; /* UNSIZED: its map says */
    uint64_t map;
} box;

static void add_place(swp_context *ctx, ptx_world *w, int64_t at)
{
    assert_ok(ctx, SWP_PUSH(ctx, &w->places, at));
}

/* The copies of a phase that expects so many bytes; sorted by their places afterwards. */
static const swp_ptx_copy *size_boxes(swp_context *ctx, ptx_world *w, int64_t expected,
                                      const box *boxes, size_t count)
{
    swp_ptx_mbarrier *mbarrier = NULL;
    assert_ok(ctx, SWP_TAKE(ctx, 1, &mbarrier));
    mbarrier->expected = expected;
    for (size_t i = 0; i < count; i++) {
        const swp_ptx_copy copy = {.to = boxes[i].to,
                                   .bytes = boxes[i].bytes,
                                   .is_tensor = boxes[i].bytes < 0,
                                   .map = boxes[i].map};
        assert_ok(ctx, SWP_PUSH(ctx, &mbarrier->copies, copy));
    }
    assert_ok(ctx, swp_ptx_size_boxes(&w->run, mbarrier));
    return mbarrier->copies.items;
}

static ptx_world *make_empty(swp_context *ctx)
{
    return make_world(ctx, KERNEL(32, "bar.sync 0;"));
}

static void one_box_brings_all(void **state)
{
    static const box boxes[] = {{0, UNSIZED, 1}};
    ptx_world *w = make_empty(*state);
    assert_int_equal(size_boxes(*state, w, 8192, boxes, 1)[0].bytes, 8192);
    assert_int_equal(w->run.outcome, SWP_PTX_GOES_ON);
}

static void boxes_of_one_map_are_equal(void **state)
{
    static const box boxes[] = {{4096, UNSIZED, 1}, {0, UNSIZED, 1}};
    ptx_world *w = make_empty(*state);
    const swp_ptx_copy *copies = size_boxes(*state, w, 8192, boxes, 2);
    assert_int_equal(copies[0].to, 0);
    assert_int_equal(copies[0].bytes, 4096);
    assert_int_equal(copies[1].bytes, 4096);
}

static void boxes_of_one_map_that_cannot_be_equal_are_a_fault(void **state)
{
    static const box boxes[] = {{0, UNSIZED, 1}, {4096, UNSIZED, 1}};
    ptx_world *w = make_empty(*state);
    (void)size_boxes(*state, w, 8208, boxes, 2);
    assert_int_equal(w->run.outcome, SWP_PTX_FAULT);
    assert_int_equal(w->run.finding.kind, SWP_ARRIVALS);
}

static void what_has_a_size_is_taken_off(void **state)
{
    static const box boxes[] = {{0, 1024, 9}, {1024, UNSIZED, 1}};
    ptx_world *w = make_empty(*state);
    const swp_ptx_copy *copies = size_boxes(*state, w, 3072, boxes, 2);
    assert_int_equal(copies[0].bytes, 1024);
    assert_int_equal(copies[1].bytes, 2048);
}

static void sizes_that_are_given_must_add_up(void **state)
{
    static const box boxes[] = {{0, 1024, 9}, {1024, 1024, 9}};
    static const int64_t expected[] = {2048, 2032, 2064};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        ptx_world *w = make_empty(*state);
        (void)size_boxes(*state, w, expected[i], boxes, 2);
        assert_int_equal(w->run.outcome, i == 0 ? SWP_PTX_GOES_ON : SWP_PTX_FAULT);
    }
}

static void boxes_of_two_maps_fill_their_room(void **state)
{
    static const box boxes[] = {{0, UNSIZED, 1}, {2048, UNSIZED, 2}};
    ptx_world *w = make_empty(*state);
    add_place(*state, w, 0);
    add_place(*state, w, 2048);
    const swp_ptx_copy *copies = size_boxes(*state, w, 10240, boxes, 2);
    assert_int_equal(copies[0].bytes, 2048);
    assert_int_equal(copies[1].bytes, 8192);
}

/* The first one does not reach into the second one's place. */
static void the_last_box_has_what_others_leave(void **state)
{
    static const box boxes[] = {{0, UNSIZED, 1}, {2048, UNSIZED, 2}};
    static const struct {
        int64_t expected;
        int64_t certain;
    } phases[] = {{10240, 8192}, {2048 + 32, 32}, {2048, 16}, {1024, 16}};
    for (size_t i = 0; i < COUNT_OF(phases); i++) {
        ptx_world *w = make_empty(*state);
        add_place(*state, w, 0);
        add_place(*state, w, 2048);
        const swp_ptx_copy *copies = size_boxes(*state, w, phases[i].expected, boxes, 2);
        assert_int_equal(copies[0].certain, 16);
        assert_int_equal(copies[1].certain, phases[i].certain);
    }
}

/* Of boxes that share bytes by a guess the least that there is. */
static void what_is_certain_depends_on_no_guess(void **state)
{
    static const box two_maps[] = {{0, UNSIZED, 1}, {2048, UNSIZED, 2}, {8192, 64, 9}};
    static const box one_map[] = {{0, UNSIZED, 1}, {2048, UNSIZED, 1}, {8192, 64, 9}};
    ptx_world *w = make_empty(*state);
    const swp_ptx_copy *copies = size_boxes(*state, w, 4096 + 64, two_maps, 3);
    assert_int_equal(copies[0].certain, 16);
    assert_int_equal(copies[1].certain, 16);
    assert_int_equal(copies[2].certain, 64);
    w = make_empty(*state);
    copies = size_boxes(*state, w, 4096 + 64, one_map, 3);
    assert_int_equal(copies[0].certain, 2048);
    assert_int_equal(copies[1].certain, 2048);
    assert_int_equal(copies[2].certain, 64);
    /* Now the size of one map is known, so that of the other one follows. */
    copies = size_boxes(*state, w, 4096 + 64, two_maps, 3);
    assert_int_equal(copies[0].certain, 2048);
    assert_int_equal(copies[1].certain, 2048);
}

static void boxes_that_cannot_fill_their_room_are_equal_or_in_doubt(void **state)
{
    static const box boxes[] = {{0, UNSIZED, 1}, {8192, UNSIZED, 2}};
    ptx_world *w = make_empty(*state);
    add_place(*state, w, 8192);
    const swp_ptx_copy *copies = size_boxes(*state, w, 4096, boxes, 2);
    assert_int_equal(copies[0].bytes, 2048);
    assert_int_equal(copies[1].bytes, 2048);
    w = make_empty(*state);
    add_place(*state, w, 8192);
    (void)size_boxes(*state, w, 4112, boxes, 2);
    assert_int_equal(w->run.outcome, SWP_PTX_INCONCLUSIVE);
    /* The last one would reach into another copy's place. */
    w = make_empty(*state);
    add_place(*state, w, 8192);
    add_place(*state, w, 10240);
    (void)size_boxes(*state, w, 8192 + 4096, boxes, 2);
    assert_int_equal(w->run.outcome, SWP_PTX_INCONCLUSIVE);
}

static void bytes_are_multiples_of_16(void **state)
{
    static const box boxes[] = {{0, UNSIZED, 1}, {4096, UNSIZED, 2}};
    static const int64_t wrong[] = {8200, 8, 0};
    for (size_t count = 1; count <= 2; count++)
        for (size_t i = 0; i < COUNT_OF(wrong); i++) {
            ptx_world *w = make_empty(*state);
            (void)size_boxes(*state, w, wrong[i], boxes, count);
            assert_int_equal(w->run.outcome, SWP_PTX_FAULT);
        }
}

/* Phases of one kernel, or of several runs of it. */
static void a_map_brings_the_same_each_time(void **state)
{
    static const box one[] = {{0, UNSIZED, 1}};
    static const box both[] = {{0, UNSIZED, 1}, {4096, UNSIZED, 2}};
    ptx_world *w = make_empty(*state);
    (void)size_boxes(*state, w, 4096, one, 1);
    (void)size_boxes(*state, w, 4096, one, 1);
    assert_int_equal(w->run.outcome, SWP_PTX_GOES_ON);
    (void)size_boxes(*state, w, 4112, one, 1);
    assert_int_equal(w->run.outcome, SWP_PTX_FAULT);
    w = make_empty(*state);
    add_place(*state, w, 4096);
    (void)size_boxes(*state, w, 4096, one, 1);
    (void)size_boxes(*state, w, 6144, both, 2);
    assert_int_equal(w->run.outcome, SWP_PTX_GOES_ON);
    w = make_empty(*state);
    (void)size_boxes(*state, w, 4096, one, 1);
    (void)size_boxes(*state, w, 4096, both, 2);
    assert_int_equal(w->run.outcome, SWP_PTX_FAULT);
}

/* x + y = 6144 and x + z = 5120: then y + 2 z + x = 7168 says what each brings, and all have to go on bringing that. */
static void what_maps_bring_together_agrees_in_all_phases(void **state)
{
    static const box x_y[] = {{0, UNSIZED, 1}, {8192, UNSIZED, 2}};
    static const box x_z[] = {{0, UNSIZED, 1}, {16384, UNSIZED, 3}};
    static const box all[] = {
        {0, UNSIZED, 1}, {8192, UNSIZED, 2}, {16384, UNSIZED, 3}, {24576, UNSIZED, 3}};
    static const box z[] = {{16384, UNSIZED, 3}};
    static const struct {
        int64_t of_all;
        int64_t of_z;
        swp_ptx_outcome outcome;
    } cases[] = {{8192, 1024, SWP_PTX_GOES_ON},
                 {8192, 1040, SWP_PTX_FAULT},
                 /* Two of z would be nothing, or less. */
                 {6144, 1024, SWP_PTX_FAULT},
                 {6128, 1024, SWP_PTX_FAULT}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ptx_world *w = make_empty(*state);
        for (int64_t at = 0; at <= 32768; at += 8192)
            add_place(*state, w, at);
        w->run.is_dry = true; /* shares are asked for when all has been said */
        (void)size_boxes(*state, w, 6144, x_y, 2);
        (void)size_boxes(*state, w, 5120, x_z, 2);
        w->run.is_dry = false;
        (void)size_boxes(*state, w, cases[i].of_all, all, 4);
        if (w->run.outcome == SWP_PTX_GOES_ON)
            assert_int_equal(size_boxes(*state, w, cases[i].of_z, z, 1)[0].bytes, 1024);
        assert_int_equal(w->run.outcome, cases[i].outcome);
    }
}

/* What is computed contradicts nothing for certain, and nothing follows from it. */
static void computed_bytes_are_a_doubt(void **state)
{
    static const box one[] = {{0, UNSIZED, 1}};
    ptx_world *w = make_empty(*state);
    swp_ptx_mbarrier mbarrier = {.expected = 4096, .computed = true};
    const swp_ptx_copy copy = {.bytes = UNSIZED, .is_tensor = true, .map = 1};
    assert_ok(*state, SWP_PUSH((swp_context *)*state, &mbarrier.copies, copy));
    assert_ok(*state, swp_ptx_size_boxes(&w->run, &mbarrier));
    (void)size_boxes(*state, w, 8192, one, 1);
    assert_int_equal(w->run.outcome, SWP_PTX_FAULT);
    assert_true(w->run.finding.unsure);
}

static void a_run_that_looks_for_places_judges_no_bytes(void **state)
{
    static const box boxes[] = {{0, UNSIZED, 1}, {4096, UNSIZED, 2}};
    ptx_world *w = make_empty(*state);
    w->run.is_dry = true;
    const swp_ptx_copy *copies = size_boxes(*state, w, 100, boxes, 2);
    assert_int_equal(w->run.outcome, SWP_PTX_GOES_ON);
    assert_int_equal(copies[0].bytes, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(one_box_brings_all),
        CONTEXT_TEST(boxes_of_one_map_are_equal),
        CONTEXT_TEST(boxes_of_one_map_that_cannot_be_equal_are_a_fault),
        CONTEXT_TEST(what_has_a_size_is_taken_off),
        CONTEXT_TEST(sizes_that_are_given_must_add_up),
        CONTEXT_TEST(boxes_of_two_maps_fill_their_room),
        CONTEXT_TEST(what_is_certain_depends_on_no_guess),
        CONTEXT_TEST(the_last_box_has_what_others_leave),
        CONTEXT_TEST(boxes_that_cannot_fill_their_room_are_equal_or_in_doubt),
        CONTEXT_TEST(bytes_are_multiples_of_16),
        CONTEXT_TEST(a_map_brings_the_same_each_time),
        CONTEXT_TEST(what_maps_bring_together_agrees_in_all_phases),
        CONTEXT_TEST(computed_bytes_are_a_doubt),
        CONTEXT_TEST(a_run_that_looks_for_places_judges_no_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
