/* SPDX-License-Identifier: Apache-2.0 */
/* Programs on which the verifier and the unrolled judge once differed, the smallest of each sort. */
#include "fixture.h"

#include "agree.h"
#include "unrolled.h"
#include "words.h"

static program fill(program p, const char *prologue, const char *kernel, const char *epilogue)
{
    program_read(&p, SWP_PROLOGUE, prologue);
    program_read(&p, SWP_KERNEL, kernel);
    program_read(&p, SWP_EPILOGUE, epilogue);
    return p;
}

static bool agree(const swp_schedule *schedule)
{
    swp_context *ctx = swp_context_new(NULL);
    judgement judged = unrolled_judge(schedule, 12);
    swp_verdict verdict = {0};
    assert_non_null(ctx);
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    const bool same = !judges_disagree(&judged, &verdict, 12).found;
    judgement_free(&judged);
    swp_context_free(ctx);
    return same;
}

/* The judge says just this of the program; `kind` SWP_HAZARD_KINDS: it is safe. */
static void expect(program p, swp_hazard_kind kind, swp_phase phase, int entry, int n)
{
    judgement judged = unrolled_judge(&p.schedule, 12);
    assert_int_equal(judged.count, kind == SWP_HAZARD_KINDS ? 0 : 1);
    if (judged.count == 1) {
        assert_int_equal(judged.items[0].kind, kind);
        assert_int_equal(judged.items[0].phase, phase);
        assert_int_equal(judged.items[0].entry, entry);
        assert_int_equal(judged.items[0].smallest_n, n);
    }
    judgement_free(&judged);
    const bool same = agree(&p.schedule);
    program_free(&p);
    assert_true(same);
}

static program with_lag(program p, int index)
{
    p.schedule.machine.groups = 2;
    p.schedule.machine.waves_per_group = 1;
    p.schedule.machine.lag = 1;
    p.schedule.machine.lag_prologue_index = index;
    return p;
}

static program raw_registers(program p)
{
    p.schedule.machine.registers = SWP_REGISTERS_RAW;
    return p;
}

static program with_waves(program p, int waves)
{
    p.schedule.machine.waves_per_group = waves;
    return p;
}

/* "A fenced barrier is wait_lgkm(0), then the barrier": group 1's extra barrier is one too. */
static void the_lagging_barrier_is_fenced(void **state)
{
    (void)state;
    expect(fill(with_lag(program_single_buffer(), 2), "L S | L f0", "| | S L c0 | | f0",
                "| | S c0 | | f0 c0"),
           SWP_HAZARD_KINDS, SWP_PROLOGUE, 0, 0);
}

/* The COMPUTE says that its fragment is in flight; later readers and reloads do not repeat it. */
static void a_register_in_flight_is_reported_once(void **state)
{
    (void)state;
    expect(raw_registers(fill(program_double_buffer(), "A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0 |",
                              "a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 "
                              "m0.0 v0 |",
                              "a0.0 b0.0 m0.0 a1.0 b1.0 l0 m0.0")),
           SWP_REGISTER_NOT_READY, SWP_EPILOGUE, 2, 2);
}

/* The same with the staging register: the store says it, the next load does not. */
static void a_staging_register_in_flight_is_reported_once(void **state)
{
    (void)state;
    expect(raw_registers(fill(program_single_buffer(), "L v0 S | L f0", "l0 c0 | S L | f0",
                              "l0 c0 | v0 S | f0 l0 c0")),
           SWP_REGISTER_NOT_READY, SWP_KERNEL, 3, 3);
}

/* The issue of a0.0 stalls until what it reloads is done, and so comes after it. */
static void a_reload_that_stalls_is_ready(void **state)
{
    (void)state;
    program p = raw_registers(
        fill(program_double_buffer(), "A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0 | a0.0*8 b0.0*8",
             "a0.0*8 b0.0*8 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0 v0 |",
             "a0.0*8 b0.0*8 l0 m0.0 a1.0 b1.0 l0 m0.0"));
    expect(p, SWP_HAZARD_KINDS, SWP_PROLOGUE, 0, 0);
}

/* Likewise two loads of one place: the second is not issued before the first is done. */
static void a_load_that_stalls_does_not_race(void **state)
{
    (void)state;
    program p = fill(program_double_buffer(), "A0.0:k1 A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0",
                     "a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0 v0 |",
                     "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0");
    p.schedule.machine.vm_max = 1;
    expect(p, SWP_HAZARD_KINDS, SWP_PROLOGUE, 0, 0);
}

/* The load of the tile exists, and the read is not after it: stale, not another tile. */
static void a_load_after_its_read_makes_it_stale(void **state)
{
    (void)state;
    expect(fill(program_double_buffer(), "A0.0:k0 B0.0:k0 A1.0:k1 v0",
                "a0.0 b0.0 l0 | B1.0:k_prev A0.0:k0 B0.0:k0 m0.0 v0 | a1.0 b1.0 l0 | A1.0:k1 m0.0 "
                "v0 |",
                "a0.0 b0.0 m0.0 a1.0 b1.0 B1.0:k_prev m0.0"),
           SWP_STALE_READ, SWP_EPILOGUE, 4, 2);
}

static void a_store_after_its_read_makes_it_stale(void **state)
{
    (void)state;
    expect(fill(program_single_buffer(), "L S | L f0", "c0 | S L | f0", "c0 f0 | S c0"),
           SWP_STALE_READ, SWP_EPILOGUE, 1, 2);
}

/* "After a hazard the register counts as holding the right tile": m0.1 reads the same register. */
static void an_empty_register_is_reported_once(void **state)
{
    (void)state;
    program p = program_double_buffer();
    p.schedule.loop.n_mmas = 2;
    expect(fill(p, "A0.0:k0 B0.0:k0 B0.1:k0 A1.0:k1 B1.0:k1 B1.1:k1 v0",
                "a0.0 b0.0 b0.1 l0 | A0.0:k0 B0.0:k0 B0.1:k0 m0.0 m0.1 a1.0 b1.0 b1.1 l0 | A1.0:k1 "
                "B1.0:k1 B1.1:k1 m0.0 m0.1 v0 |",
                "b0.0 b0.1 m0.0 m0.1 a1.0 b1.0 b1.1 m0.0 m0.1"),
           SWP_WRONG_TILE, SWP_EPILOGUE, 2, 2);
}

/* The store of kernel entry 3 may come too early; then the place counts as holding its tile. */
static void an_overwriting_store_counts_as_done(void **state)
{
    (void)state;
    expect(fill(with_waves(program_single_buffer(), 2), "L S | L f0", "l0 c0 S L f0",
                "c0 | S | f0 c0"),
           SWP_OVERWRITTEN, SWP_KERNEL, 2, 3);
}

/* The judge says this among other things. */
static void expect_among(program p, swp_hazard_kind kind, swp_phase phase, int entry, int n)
{
    judgement judged = unrolled_judge(&p.schedule, 12);
    size_t found = 0;
    for (size_t i = 0; i < judged.count; i++) {
        const judged_hazard *h = &judged.items[i];
        found += h->kind == kind && h->phase == phase && h->entry == entry && h->smallest_n == n;
    }
    judgement_free(&judged);
    const bool same = agree(&p.schedule);
    program_free(&p);
    assert_int_equal(found, 1);
    assert_true(same);
}

/*
 * The only store is the epilogue's, of the last kernel pass's tile. That pass reads too early; the
 * passes before it want tiles that never come.
 */
static void what_is_wrong_depends_on_the_passes_left(void **state)
{
    (void)state;
    expect_among(fill(program_single_buffer(), "", "f0 L c0", "S"), SWP_STALE_READ, SWP_KERNEL, 0,
                 3);
    expect_among(fill(program_single_buffer(), "", "f0 L c0", "S"), SWP_WRONG_TILE, SWP_KERNEL, 2,
                 4);
}

/* Of three loads in flight together the first may land last, whatever the second brings. */
static void a_race_reaches_over_a_write_of_the_same_tile(void **state)
{
    (void)state;
    expect(fill(program_double_buffer(), "A0.0:k1 A0.0:k0 A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0",
                "a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0 v0 |",
                "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0"),
           SWP_WRITE_RACE, SWP_PROLOGUE, 2, 2);
}

/* v1 retires the first load before the third issues: these two do not race. */
static void a_race_is_between_writes_in_flight_together(void **state)
{
    (void)state;
    expect(fill(program_double_buffer(), "A0.0:k1 A0.0:k0 v1 A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0",
                "a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0 v0 |",
                "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0"),
           SWP_HAZARD_KINDS, SWP_PROLOGUE, 0, 0);
}

/* The one fragment is of tile 0. The COMPUTEs after the first one have another, however many. */
static void a_fragment_is_right_for_one_tile(void **state)
{
    (void)state;
    expect_among(fill(program_single_buffer(), "L S l0 | f0", "c0 L", "S c0"), SWP_WRONG_TILE,
                 SWP_KERNEL, 0, 4);
}

/* Tile 3 is stored in pass 0, after f0, and asked for when three passes are over. */
static void a_read_may_be_too_early_by_many_passes(void **state)
{
    (void)state;
    expect_among(fill(program_single_buffer(), "L L L f0", "| | L S", "c0"), SWP_STALE_READ,
                 SWP_PROLOGUE, 3, 5);
}

/* With raw registers it reads its register like any other. */
static void a_compute_too_many_reads_its_register(void **state)
{
    (void)state;
    expect_among(raw_registers(fill(program_double_buffer(), "A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0 |",
                                    "a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 "
                                    "B1.0:k1 m0.0 v0 |",
                                    "a0.0 b0.0 l0 m0.0 a1.0 b1.0 l0 m0.0 a0.0 m0.0")),
                 SWP_REGISTER_NOT_READY, SWP_EPILOGUE, 9, 2);
}

/* A counter that wraps lets the sixth access issue, and nothing is retired by it. */
static void a_counter_that_wraps_retires_nothing(void **state)
{
    (void)state;
    program p = fill(program_double_buffer(), "A0.0:k0*4 B0.0:k0*4 A1.0:k1*4 B1.0:k1*4 |",
                     "v0 | a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0",
                     "a0.0 b0.0 m0.0 v0 | a1.0 b1.0 m0.0");
    p.schedule.machine.vm_max = 4;
    p.schedule.machine.counter_full = SWP_COUNTER_WRAPS;
    expect_among(p, SWP_STALE_READ, SWP_EPILOGUE, 0, 2);
}

/* Group 1's last barrier is in the prologue if there is no pass, else in the last one. */
static void the_barrier_that_is_not_met_is_the_last(void **state)
{
    (void)state;
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_KERNEL; phase++) {
        program p =
            with_lag(fill(program_single_buffer(), "L S | L", "| f0 | S L c0", "f0 c0 S"), 1);
        p.schedule.machine.lag_end_barrier = false;
        expect_among(p, SWP_DEADLOCK, phase, 2, phase == SWP_PROLOGUE ? 2 : 3);
    }
}

/* Sixteen loads of one tile, and no wait before the epilogue's read: it may come before them all. */
static void many_loads_of_a_tile_are_as_late_as_one(void **state)
{
    (void)state;
    program p = fill(program_double_buffer(), "A1.0:k1 B0.0:k0 B1.0:k1",
                     "a0.0 v0 | b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0 "
                     "v0 |",
                     "a0.0 v0 | b0.0 m0.0 a1.0 b1.0 m0.0");
    for (int i = 0; i < 16; i++)
        program_read(&p, SWP_PROLOGUE, "A0.0:k0");
    expect_among(p, SWP_STALE_READ, SWP_EPILOGUE, 0, 2);
}

/* Two loads a pass and one tile: the first is out of range from three passes on, stored or not. */
static void loads_that_nothing_stores_run_out_of_range(void **state)
{
    (void)state;
    expect_among(fill(program_single_buffer(), "", "L v0 L", ""), SWP_OUT_OF_RANGE, SWP_KERNEL, 2,
                 5);
    expect_among(fill(program_single_buffer(), "", "L v0 L", ""), SWP_OUT_OF_RANGE, SWP_KERNEL, 0,
                 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lagging_barrier_is_fenced),
        cmocka_unit_test(a_register_in_flight_is_reported_once),
        cmocka_unit_test(a_staging_register_in_flight_is_reported_once),
        cmocka_unit_test(a_reload_that_stalls_is_ready),
        cmocka_unit_test(a_load_that_stalls_does_not_race),
        cmocka_unit_test(a_load_after_its_read_makes_it_stale),
        cmocka_unit_test(a_store_after_its_read_makes_it_stale),
        cmocka_unit_test(an_empty_register_is_reported_once),
        cmocka_unit_test(an_overwriting_store_counts_as_done),
        cmocka_unit_test(what_is_wrong_depends_on_the_passes_left),
        cmocka_unit_test(a_race_reaches_over_a_write_of_the_same_tile),
        cmocka_unit_test(a_race_is_between_writes_in_flight_together),
        cmocka_unit_test(a_fragment_is_right_for_one_tile),
        cmocka_unit_test(a_read_may_be_too_early_by_many_passes),
        cmocka_unit_test(a_compute_too_many_reads_its_register),
        cmocka_unit_test(a_counter_that_wraps_retires_nothing),
        cmocka_unit_test(the_barrier_that_is_not_met_is_the_last),
        cmocka_unit_test(many_loads_of_a_tile_are_as_late_as_one),
        cmocka_unit_test(loads_that_nothing_stores_run_out_of_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
