/* SPDX-License-Identifier: Apache-2.0 */
/* What is aligned with what, on phases short enough to align by hand. */
#include "pairs.h"

static void assert_rows(swp_context *ctx, const char *a, const char *b, const char *wanted)
{
    pair p = kernels(a, b);
    const swp_diff diff = compared(ctx, &p);
    char text[512];
    write_rows(&diff.roles[0].phases[SWP_KERNEL], text, sizeof text);
    assert_string_equal(text, wanted);
    pair_free(&p);
}

static void the_same_is_alike(void **state)
{
    assert_rows(*state, "", "", "");
    assert_rows(*state, "A0.0:k0 v4 | a0.0 m0.0", "A0.0:k0 v4 | a0.0 m0.0", "0=0 1=1 2=2 3=3 4=4");
}

static void one_side_alone_is_removed_or_added(void **state)
{
    assert_rows(*state, "v4 |", "", "0- 1-");
    assert_rows(*state, "", "v4 |", "+0 +1");
    assert_rows(*state, "a0.0 | m0.0", "a0.0 m0.0", "0=0 1- 2=1");
    assert_rows(*state, "a0.0 m0.0", "a0.0 l0 m0.0", "0=0 +1 1=2");
}

static void other_numbers_are_a_change(void **state)
{
    assert_rows(*state, "a0.0 v4 m0.0", "a0.0 v2 m0.0", "0=0 1~1 2=2");
    assert_rows(*state, "A0.0:k0 |", "A1.0:k0 |", "0~0 1=1");
    assert_rows(*state, "A0.0:k0 |", "A0.1:k0 |", "0~0 1=1");
    assert_rows(*state, "A0.0:k0 |", "A0.0:k_prev |", "0~0 1=1");
    assert_rows(*state, "m0.0 m0.1", "m0.0 m1.1", "0=0 1~1");
}

static void another_op_is_no_change(void **state)
{
    assert_rows(*state, "A0.0:k0", "B0.0:k0", "0- +0");
    assert_rows(*state, "v4", "l4", "0- +0");
    assert_rows(*state, "a0.0", "A0.0:k0", "0- +0");
}

/* Both have both loads: neither turned into the other. */
static void a_data_op_that_both_have_has_moved(void **state)
{
    assert_rows(*state, "A0.0:k0 A1.0:k0", "A1.0:k0 A0.0:k0", "0<1 1=0 0>1");
    assert_rows(*state, "A0.0:k0 m0.0 m0.1 B0.0:k0", "m0.0 m0.1 A0.0:k0 B0.0:k0",
                "0<2 1=0 2=1 0>2 3=3");
    assert_rows(*state, "m0.0 m0.1 A0.0:k0", "A0.0:k0 m0.0 m0.1", "2>0 0=1 1=2 2<0");
    /* Two changes would weigh less than two moves. */
    assert_rows(*state, "A0.0:k0 A0.1:k0 A1.0:k0", "A1.0:k0 A0.1:k0 A0.0:k0",
                "0<2 1<1 2=0 1>1 0>2");
}

static void data_ops_stay_where_only_synchronisation_moves(void **state)
{
    assert_rows(*state, "v1 v2 l3 | A0.0:k0", "A0.0:k0 v1 v2 l3 |",
                "0<1 1<2 2<3 3<4 4=0 0>1 1>2 2>3 3>4");
}

static void synchronisation_moves_up_to_the_next_mma(void **state)
{
    assert_rows(*state, "| A0.0:k0 m0.0", "A0.0:k0 | m0.0", "0<1 1=0 0>1 2=2");
    assert_rows(*state, "| A0.0:k0 m0.0", "A0.0:k0 m0.0 |", "0- 1=0 2=1 +2");
    assert_rows(*state, "m0.0 A0.0:k0 |", "| m0.0 A0.0:k0", "+0 0=1 1=2 2-");
}

static void the_nearest_of_several_has_moved(void **state)
{
    assert_rows(*state, "| A0.0:k0 B0.0:k0", "A0.0:k0 | B0.0:k0 |", "0<1 1=0 0>1 2=2 +3");
    assert_rows(*state, "B0.0:k0 A0.0:k0 |", "| B0.0:k0 | A0.0:k0", "+0 0=1 2>2 1=3 2<2");
    assert_rows(*state, "A0.0:k0 B0.0:k0 | A1.0:k0", "| A0.0:k0 B0.0:k0 A1.0:k0 |",
                "+0 0=1 1=2 2<4 3=3 2>4");
}

/* Two copies in A, one in B: one of them is what B changed. */
static void a_copy_too_many_may_change(void **state)
{
    assert_rows(*state, "A0.0:k0 A0.0:k0", "A0.0:k0 A1.0:k0", "0=0 1~1");
}

static void both_rows_of_a_move_know_each_other(void **state)
{
    pair p = kernels("A0.0:k0 m0.0", "m0.0 A0.0:k0");
    const swp_diff diff = compared(*state, &p);
    const swp_diff_phase *rows = &diff.roles[0].phases[SWP_KERNEL];
    assert_int_equal(rows->count, 3);
    assert_int_equal(rows->differences, 1);
    assert_int_equal(rows->items[0].other, 2);
    assert_int_equal(rows->items[2].other, 0);
    assert_int_equal(rows->items[1].other, -1);
    pair_free(&p);
}

/* A tag is a number of the file; the op is told by its name. */
static void names_tell_ops_apart_not_tags(void **state)
{
    pair p = kernels("A0.0:k0 B0.0:k0", "A0.0:k0 B0.0:k0");
    const char *names[SWP_SCHEDULE_TAGS];
    memcpy(names, p.b.schedule.op_names, sizeof names);
    names[100] = "LOAD_A";
    names[SWP_LOAD_A] = "unused";
    names[SWP_LOAD_B] = "fetch";
    p.b.schedule.op_names = names;
    p.b.schedule.streams[0].kernel.items[0].op.tag = 100;
    const swp_diff diff = compared(*state, &p);
    char text[64];
    write_rows(&diff.roles[0].phases[SWP_KERNEL], text, sizeof text);
    assert_string_equal(text, "0=0 1- +1");
    pair_free(&p);
}

static void a_phase_beyond_the_limit_is_refused(void **state)
{
    swp_context *ctx = *state;
    pair p = kernels("", "m0.0");
    swp_diff diff;
    for (int i = 0; i < 8192; i++)
        program_insert(&p.a, SWP_KERNEL, i, swp_op_barrier());
    assert_ok(ctx, swp_diff_schedules(ctx, &p.a.schedule, &p.b.schedule, NULL, &diff));
    program_insert(&p.a, SWP_KERNEL, 0, swp_op_barrier());
    assert_status(ctx, swp_diff_schedules(ctx, &p.a.schedule, &p.b.schedule, NULL, &diff),
                  SWP_INVALID);
    assert_diag(ctx, "E0740", "a kernel of 8193 entries");
    pair_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_same_is_alike),
        CONTEXT_TEST(one_side_alone_is_removed_or_added),
        CONTEXT_TEST(other_numbers_are_a_change),
        CONTEXT_TEST(another_op_is_no_change),
        CONTEXT_TEST(a_data_op_that_both_have_has_moved),
        CONTEXT_TEST(data_ops_stay_where_only_synchronisation_moves),
        CONTEXT_TEST(synchronisation_moves_up_to_the_next_mma),
        CONTEXT_TEST(the_nearest_of_several_has_moved),
        CONTEXT_TEST(a_copy_too_many_may_change),
        CONTEXT_TEST(both_rows_of_a_move_know_each_other),
        CONTEXT_TEST(names_tell_ops_apart_not_tags),
        CONTEXT_TEST(a_phase_beyond_the_limit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
