/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For each kind of hazard a small schedule of a general loop that has it, and its one-step repair,
 * which is safe. op_program.h has the notation.
 */
#include "fixture.h"
#include "op_program.h"

#include "swp/report.h"

#include <string.h>

typedef struct told {
    swp_hazard_kind kind;
    swp_phase phase;
    int entry;
    int n;
} told;

static void expect_verdict(op_program *p, const told *expected, size_t count)
{
    swp_verdict verdict = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    assert_int_equal(verdict.hazards.count, count);
    assert_int_equal(verdict.safe, count == 0);
    for (size_t i = 0; i < count; i++) {
        const swp_hazard *h = &verdict.hazards.items[i];
        assert_int_equal(h->kind, expected[i].kind);
        assert_int_equal(h->at.phase, expected[i].phase);
        assert_int_equal(h->at.entry, expected[i].entry);
        assert_int_equal(h->smallest_n, expected[i].n);
    }
}

static void expect_only(op_program *p, swp_hazard_kind kind, swp_phase phase, int entry, int n)
{
    expect_verdict(p, &(told){kind, phase, entry, n}, 1);
}

static void expect_safe(op_program *p)
{
    expect_verdict(p, NULL, 0);
}

/* A tile is loaded to LDS, a fragment of it to a register, and that is added up. */
static void sums(op_program *p, swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "sums");
    const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED);
    const int frag = swp_value(l, "frag", .space = SWP_SPACE_REGISTERS);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOAD", .latency = 9, .completion = SWP_COMPLETION_COUNTER, .writes = {tile});
    swp_work(l, "FRAG", .latency = 9, .completion = SWP_COMPLETION_COUNTER,
             .reads = {{.value = tile}}, .writes = {frag});
    swp_work(l, "ADD", .latency = 9, .reads = {{.value = frag}}, .updates = {sum});
    op_program_begin(p, ctx, l, 1, 1);
    op_program_read(p, SWP_KERNEL, "| LOAD+0 v0 | FRAG+0 l0 ADD+0");
    op_program_read(p, SWP_EPILOGUE, "| LOAD+0 v0 | FRAG+0 l0 ADD+0");
}

static void the_schedule_before_its_edits_is_safe(void **state)
{
    op_program p;
    sums(&p, *state);
    expect_safe(&p);
    p.schedule.machine.registers = SWP_REGISTERS_RAW;
    expect_safe(&p);
}

static void stale_read(void **state)
{
    op_program p;
    sums(&p, *state);
    op_program_read(&p, SWP_EPILOGUE, "| LOAD+0 | FRAG+0 l0 ADD+0");
    expect_only(&p, SWP_STALE_READ, SWP_EPILOGUE, 3, 1);
    op_program_read(&p, SWP_EPILOGUE, "| LOAD+0 v0 FRAG+0 l0 ADD+0");
    expect_only(&p, SWP_STALE_READ, SWP_EPILOGUE, 3, 1);
    p.schedule.machine.waves_per_group = 1;
    expect_safe(&p);
}

/* The tile is written after the read. */
static void a_read_before_its_write_is_stale(void **state)
{
    op_program p;
    sums(&p, *state);
    op_program_read(&p, SWP_EPILOGUE, "| FRAG+0 l0 | LOAD+0 ADD+0");
    expect_only(&p, SWP_STALE_READ, SWP_EPILOGUE, 1, 1);
}

/* Another wave still reads the tile of the last pass. */
static void overwritten(void **state)
{
    op_program p;
    sums(&p, *state);
    op_program_read(&p, SWP_EPILOGUE, "LOAD+0 v0 | FRAG+0 l0 ADD+0");
    expect_only(&p, SWP_OVERWRITTEN, SWP_EPILOGUE, 0, 2);
    op_program_read(&p, SWP_KERNEL, "| LOAD+0 v0 | FRAG+0 ADD+0");
    op_program_read(&p, SWP_EPILOGUE, "l0 | LOAD+0 v0 | FRAG+0 ADD+0");
    expect_safe(&p);
}

/* The load of the last iteration and, once more, of the one before are in flight together. */
static void write_race(void **state)
{
    static const told both[] = {{SWP_DOUBLE_WORK, SWP_EPILOGUE, 1, 2},
                                {SWP_OUT_OF_RANGE, SWP_EPILOGUE, 1, 1},
                                {SWP_WRITE_RACE, SWP_EPILOGUE, 2, 1}};
    op_program p;
    sums(&p, *state);
    op_program_read(&p, SWP_EPILOGUE, "| LOAD-1 LOAD+0 v0 | FRAG+0 l0 ADD+0");
    expect_verdict(&p, both, 3);
    op_program_read(&p, SWP_EPILOGUE, "| LOAD-1 v0 LOAD+0 v0 | FRAG+0 l0 ADD+0");
    expect_verdict(&p, both, 2);
}

/* The register still has the fragment of the iteration before; before the first one, of version -1. */
static void wrong_tile(void **state)
{
    op_program p;
    sums(&p, *state);
    op_program_read(&p, SWP_EPILOGUE, "| LOAD+0 v0 | ADD+0 FRAG+0");
    expect_only(&p, SWP_WRONG_TILE, SWP_EPILOGUE, 4, 1);
}

static void missing_work(void **state)
{
    op_program p;
    sums(&p, *state);
    op_program_read(&p, SWP_EPILOGUE, "| LOAD+0 v0 | FRAG+0 l0");
    expect_only(&p, SWP_MISSING_WORK, SWP_EPILOGUE, 6, 1);
}

static void double_work(void **state)
{
    op_program p;
    sums(&p, *state);
    op_program_read(&p, SWP_EPILOGUE, "| LOAD+0 v0 | FRAG+0 FRAG+0 l0 ADD+0");
    expect_only(&p, SWP_DOUBLE_WORK, SWP_EPILOGUE, 5, 1);
}

static void out_of_range(void **state)
{
    op_program p;
    sums(&p, *state);
    op_program_read(&p, SWP_EPILOGUE, "| LOAD+0 v0 | FRAG+0 l0 ADD+0 | LOAD+1");
    expect_only(&p, SWP_OUT_OF_RANGE, SWP_EPILOGUE, 8, 1);
}

static void register_not_ready(void **state)
{
    op_program p;
    sums(&p, *state);
    p.schedule.machine.registers = SWP_REGISTERS_RAW;
    op_program_read(&p, SWP_EPILOGUE, "| LOAD+0 v0 | FRAG+0 ADD+0");
    expect_only(&p, SWP_REGISTER_NOT_READY, SWP_EPILOGUE, 5, 1);
    p.schedule.machine.registers = SWP_REGISTERS_MANAGED;
    expect_safe(&p);
}

static void lagging(op_program *p, swp_context *ctx, bool end_barrier)
{
    sums(p, ctx);
    p->schedule.machine.groups = 2;
    p->schedule.machine.lag = 1;
    p->schedule.machine.lag_end_barrier = end_barrier;
    op_program_read(p, SWP_KERNEL, "| | LOAD+0 v0 | | FRAG+0 l0 ADD+0");
    op_program_read(p, SWP_EPILOGUE, "| | LOAD+0 v0 | | FRAG+0 l0 ADD+0");
}

static void two_groups(void **state)
{
    op_program p;
    lagging(&p, *state, true);
    expect_safe(&p);
    op_program_read(&p, SWP_EPILOGUE, "| LOAD+0 v0 | | FRAG+0 l0 ADD+0");
    expect_only(&p, SWP_OVERWRITTEN, SWP_EPILOGUE, 1, 2);
    op_program_read(&p, SWP_EPILOGUE, "| | LOAD+0 v0 | FRAG+0 l0 ADD+0");
    expect_only(&p, SWP_STALE_READ, SWP_EPILOGUE, 5, 1);
}

static void deadlock(void **state)
{
    op_program p;
    lagging(&p, *state, false);
    expect_only(&p, SWP_DEADLOCK, SWP_EPILOGUE, 5, 1);
}

static void counter(void **state)
{
    op_program p;
    sums(&p, *state);
    p.schedule.machine.counter_full = SWP_COUNTER_WRAPS;
    p.schedule.machine.lgkm_max = 1;
    expect_safe(&p);
    op_program_read(&p, SWP_EPILOGUE, "| LOAD+0 v0 | FRAG+0 FRAG+0 l0 ADD+0");
    /* Nobody waits to load a register again, so both are in flight. */
    expect_verdict(
        &p, (told[]){{SWP_DOUBLE_WORK, SWP_EPILOGUE, 5, 1}, {SWP_COUNTER, SWP_EPILOGUE, 5, 1}}, 2);
    p.schedule.machine.registers = SWP_REGISTERS_RAW;
    expect_verdict(&p,
                   (told[]){{SWP_DOUBLE_WORK, SWP_EPILOGUE, 5, 1},
                            {SWP_REGISTER_NOT_READY, SWP_EPILOGUE, 5, 1},
                            {SWP_COUNTER, SWP_EPILOGUE, 5, 1}},
                   3);
}

static void expect_text(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no \"%s\" in:\n%s", part, text);
}

/* A report names values, slots, versions, iterations. */
static void reports_speak_of_values(void **state)
{
    op_program p;
    swp_verdict verdict = {0};
    char *text = NULL;
    size_t length = 0;
    sums(&p, *state);
    op_program_read(&p, SWP_EPILOGUE, "| LOAD+0 | FRAG+0 l0");
    assert_ok(*state, swp_verify(*state, &p.schedule, NULL, 0, &verdict));
    assert_ok(*state, swp_verdict_text(*state, &p.schedule, &verdict, &text, &length));
    expect_text(text, "epilogue entry 3: hazard[stale_read]: FRAG, LDS tile[0]\n");
    expect_text(text, "wants version 0, may find version -1");
    expect_text(text, "an op that is left out: ADD of iteration 0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_schedule_before_its_edits_is_safe),
        CONTEXT_TEST(stale_read),
        CONTEXT_TEST(a_read_before_its_write_is_stale),
        CONTEXT_TEST(overwritten),
        CONTEXT_TEST(write_race),
        CONTEXT_TEST(wrong_tile),
        CONTEXT_TEST(missing_work),
        CONTEXT_TEST(double_work),
        CONTEXT_TEST(out_of_range),
        CONTEXT_TEST(register_not_ready),
        CONTEXT_TEST(two_groups),
        CONTEXT_TEST(deadlock),
        CONTEXT_TEST(counter),
        CONTEXT_TEST(reports_speak_of_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
