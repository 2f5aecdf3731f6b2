/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random phases aligned: no alignment of less weight exists, by trying them all; with none of the
 * differences the one schedule comes back, with all of them the other.
 */
#include "../unit/diff/composed.h"
#include "random.h"

enum { MOST_WORDS = 6, WORK = 1000, SYNC = 2 };

static uint64_t seed;

static void read_random(test_random *random, program *p, swp_phase phase)
{
    static const char *const words[] = {"A0.0:k0", "A1.0:k0", "A0.0:k1", "B0.0:k0", "a0.0", "m0.0",
                                        "m0.1",    "|",       "v0",      "v4",      "l0",   "l2"};
    for (int left = random_int(random, 0, MOST_WORDS); left > 0; left--)
        program_read(p, phase, words[random_int(random, 0, (int)COUNT_OF(words) - 1)]);
}

static bool is_work(const swp_op *op)
{
    return op->tag < SWP_KERNEL_TAGS;
}

static int weight_of(const swp_op *op)
{
    return is_work(op) ? WORK : SYNC;
}

static bool same(const swp_op *x, const swp_op *y)
{
    return x->tag == y->tag && x->stage == y->stage && x->subtile == y->subtile &&
           x->k_offset == y->k_offset && x->wait_value == y->wait_value;
}

static int copies(const swp_entry_list *entries, const swp_op *op)
{
    int count = 0;
    for (size_t i = 0; i < entries->count; i++)
        count += same(&entries->items[i].op, op);
    return count;
}

/* Whether the two may stand for each other though they differ. */
static bool may_change(const swp_entry_list *a, const swp_entry_list *b, const swp_op *x,
                       const swp_op *y)
{
    if (x->tag != y->tag)
        return false;
    return !is_work(x) || (copies(a, x) > copies(b, x) && copies(b, y) > copies(a, y));
}

static int least_of(int a, int b)
{
    return a < b ? a : b;
}

/* The least weight of aligning what is left of both, from all ways to do so. */
static int least_weight(const swp_entry_list *a, size_t i, const swp_entry_list *b, size_t j)
{
    const swp_op *x = i < a->count ? &a->items[i].op : NULL;
    const swp_op *y = j < b->count ? &b->items[j].op : NULL;
    int least = x || y ? 1 << 30 : 0;
    if (x)
        least = least_of(least, weight_of(x) + least_weight(a, i + 1, b, j));
    if (y)
        least = least_of(least, weight_of(y) + least_weight(a, i, b, j + 1));
    if (x && y && same(x, y))
        least = least_of(least, least_weight(a, i + 1, b, j + 1));
    else if (x && y && may_change(a, b, x, y))
        least = least_of(least, weight_of(x) * 3 / 2 + least_weight(a, i + 1, b, j + 1));
    return least;
}

/* Both places of an op that moved count, as if it were removed and added. */
static int weight_of_rows(const swp_diff *diff, swp_phase phase)
{
    const swp_diff_phase *rows = &diff->roles[0].phases[phase];
    int weight = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const swp_diff_row *row = &rows->items[i];
        const swp_schedule *of = row->a >= 0 ? diff->a.schedule : diff->b.schedule;
        const int entry = row->a >= 0 ? row->a : row->b;
        const int own = weight_of(&swp_schedule_phase(of, phase)->items[entry].op);
        if (row->difference == SWP_DIFF_CHANGED)
            weight += own * 3 / 2;
        else if (row->difference != SWP_DIFF_ALIKE)
            weight += own;
    }
    return weight;
}

/* Each entry of both has its row, in order. */
static void assert_whole(const swp_diff *diff, swp_phase phase)
{
    const swp_diff_phase *rows = &diff->roles[0].phases[phase];
    int a = 0;
    int b = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const swp_difference difference = rows->items[i].difference;
        if (difference != SWP_DIFF_ADDED && difference != SWP_DIFF_MOVED)
            assert_int_equal(rows->items[i].a, a++);
        if (difference != SWP_DIFF_REMOVED && difference != SWP_DIFF_LEFT)
            assert_int_equal(rows->items[i].b, b++);
    }
    assert_int_equal(a, swp_schedule_phase(diff->a.schedule, phase)->count);
    assert_int_equal(b, swp_schedule_phase(diff->b.schedule, phase)->count);
}

static void try_case(size_t index)
{
    test_random random = random_for_case(seed, index);
    swp_context *ctx = swp_context_new(NULL);
    pair p = {program_double_buffer(), program_double_buffer()};
    assert_non_null(ctx);
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        read_random(&random, &p.a, phase);
        read_random(&random, &p.b, phase);
    }
    p.a.schedule.machine.lag_prologue_index = random_int(&random, 0, MOST_WORDS);
    p.b.schedule.machine.lag_prologue_index = random_int(&random, 0, MOST_WORDS);
    const swp_diff diff = compared(ctx, &p);
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *a = swp_schedule_phase(&p.a.schedule, phase);
        const swp_entry_list *b = swp_schedule_phase(&p.b.schedule, phase);
        const int weight = weight_of_rows(&diff, phase);
        assert_whole(&diff, phase);
        if (weight != least_weight(a, 0, b, 0))
            fail_msg("case %zu: %s aligned with weight %d, not %d", index, swp_phase_name(phase),
                     weight, least_weight(a, 0, b, 0));
    }
    assert_ends(ctx, &p.a.schedule, &p.b.schedule);
    pair_free(&p);
    swp_context_free(ctx);
}

static void alignments_have_the_least_weight(void **state)
{
    (void)state;
    const size_t cases = random_sample(300);
    for (size_t i = 0; i < cases; i++)
        try_case(i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alignments_have_the_least_weight),
    };
    seed = random_seed(1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
