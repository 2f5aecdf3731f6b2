/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each rule of loops without warp roles is needed: taken away, the proof says something else of some random loop than the judge
 * that unrolls it, or of one by hand. Counts that fill a counter late are told with the number of iterations that arithmetic gives. SWP_SEED replays a run.
 */
#include "fixture.h"

#include "loop_agreement.h"
#include "loop_programs.h"
#include "op_program.h"
#include "verify/roles_prove.h"

/* More than it takes to fill the counters. */
enum { PASSES = 8, MOST_LOOPS = 10000 };

/* Loops of the standard seed that show a rule which none before them does. */
static const size_t known[] = {1, 2, 5, 16, 18, 22, 30, 41, 52, 58, 62};

/* --- The loops --- */

/* Derived lags begin in front of the prologue. Behind its end no group comes to one. */
static void move_lag(swp_schedule *schedule, test_random *random)
{
    const int end = (int)schedule->streams[0].prologue.count;
    if (random_chance(random, 30))
        schedule->machine.lag_prologue_index = random_int(random, 0, end + 1);
}

/* Counters that some passes fill, and waits that leave more in them. */
static void count_more(swp_schedule *schedule, test_random *random)
{
    enum { MOST = 6, CHANCE = 30 };
    swp_machine *m = &schedule->machine;
    const int percent = random_chance(random, 50) ? 100 : CHANCE;
    if (!random_chance(random, CHANCE))
        return;
    m->vm_max = random_int(random, 1, MOST);
    m->lgkm_max = random_int(random, 1, MOST);
    if (m->registers != SWP_REGISTERS_SCOREBOARD) /* its counters do not wrap */
        m->counter_full = SWP_COUNTER_WRAPS;
    for (size_t i = 0; i < schedule->streams[0].kernel.count; i++) {
        swp_op *op = &schedule->streams[0].kernel.items[i].op;
        if ((op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM) &&
            random_chance(random, percent))
            op->wait_value += random_int(random, 1, 2 * MOST);
    }
}

static bool make_loop(loop_program *p, test_random *random)
{
    if (!loop_program_new(p, random))
        return false;
    move_lag(&p->schedule, random);
    count_more(&p->schedule, random);
    return true;
}

/* --- Rules that few random loops turn on --- */

static bool tells(const op_program *p, swp_happens_rule without, swp_hazard_kind kind)
{
    enum { ALL_FORMS = -1 };
    swp_verdict verdict = {0};
    bool told = false;
    assert_ok(p->ctx, swp_verify_roles_without(p->ctx, &p->schedule, ALL_FORMS, without, &verdict));
    for (size_t i = 0; i < verdict.hazards.count; i++)
        told = told || verdict.hazards.items[i].kind == kind;
    return told;
}

/* With the rule the hazard is told, or is not; without it, it is the other way round. */
static void expect_rule(op_program *p, const char *pass, swp_happens_rule rule,
                        swp_hazard_kind kind, bool is_told)
{
    op_program_read(p, SWP_KERNEL, pass);
    op_program_read(p, SWP_EPILOGUE, pass);
    print_message("  by hand, without \"%s\"\n", swp_happens_rule_meaning(rule));
    assert_int_equal(tells(p, SWP_HAPPENS_NO_RULE, kind), is_told);
    assert_int_equal(tells(p, rule, kind), !is_told);
}

static int shared(swp_loop_builder *l, const char *name)
{
    return swp_value(l, name, .space = SWP_SPACE_SHARED);
}

static int in_register(swp_loop_builder *l, const char *name)
{
    return swp_value(l, name, .space = SWP_SPACE_REGISTERS);
}

/* Of three loads in a counter for two, a stall would retire the first. */
static void a_counter_that_wraps_retires_nothing(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "wraps");
    const int tile = shared(l, "tile");
    swp_work(l, "LOAD", .completion = SWP_COMPLETION_COUNTER, .writes = {tile});
    swp_work(l, "FILL_A", .completion = SWP_COMPLETION_COUNTER, .writes = {shared(l, "a")});
    swp_work(l, "FILL_B", .completion = SWP_COMPLETION_COUNTER, .writes = {shared(l, "b")});
    swp_work(l, "READ", .reads = {{.value = tile}});
    op_program_begin(&p, *state, l, 1, 1);
    p.schedule.machine.vm_max = 2;
    p.schedule.machine.counter_full = SWP_COUNTER_WRAPS;
    expect_rule(&p, "LOAD+0 FILL_A+0 FILL_B+0 | READ+0 |", SWP_HAPPENS_WRAP, SWP_STALE_READ, true);
}

/* MAKE writes what the group before it may still read. */
static void a_group_reads_its_registers_until_it_is_retired(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "reads");
    const int a = in_register(l, "a");
    swp_work(l, "MAKE", .writes = {a});
    swp_work(l, "MMA", .completion = SWP_COMPLETION_GROUP,
             .reads = {{.value = a}, {.value = shared(l, "tile")}},
             .updates = {in_register(l, "sum")});
    op_program_begin(&p, *state, l, 1, 1);
    expect_rule(&p, "MAKE+0 MMA+0", SWP_HAPPENS_READ_UNTIL_RETIRED, SWP_REGISTER_NOT_READY, true);
}

/* Both are on vmcnt; the scoreboard waits for x alone. */
static void a_scoreboard_retires_nothing_else(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "two loads");
    const int y = shared(l, "y");
    const int x = in_register(l, "x");
    swp_work(l, "LOAD_Y", .completion = SWP_COMPLETION_COUNTER, .writes = {y});
    swp_work(l, "LOAD_X", .completion = SWP_COMPLETION_COUNTER, .writes = {x});
    swp_work(l, "USE_X", .reads = {{.value = x}});
    swp_work(l, "USE_Y", .reads = {{.value = y}});
    op_program_begin(&p, *state, l, 1, 1);
    p.schedule.machine.registers = SWP_REGISTERS_SCOREBOARD;
    expect_rule(&p, "LOAD_Y+0 LOAD_X+0 USE_X+0 | USE_Y+0 |", SWP_HAPPENS_SCOREBOARD, SWP_STALE_READ,
                true);
}

/* READ has read when USE holds what OTHER makes: both are on lgkmcnt. */
static void a_scoreboard_retires_older_lds_operations(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "two reads");
    const int tile = shared(l, "tile");
    const int b = in_register(l, "b");
    swp_work(l, "LOAD", .completion = SWP_COMPLETION_COUNTER, .writes = {tile});
    swp_work(l, "READ", .completion = SWP_COMPLETION_COUNTER, .reads = {{.value = tile}},
             .writes = {in_register(l, "a")});
    swp_work(l, "OTHER", .completion = SWP_COMPLETION_COUNTER, .reads = {{.value = tile}},
             .writes = {b});
    swp_work(l, "USE", .reads = {{.value = b}});
    op_program_begin(&p, *state, l, 1, 1);
    p.schedule.machine.registers = SWP_REGISTERS_SCOREBOARD;
    expect_rule(&p, "| LOAD+0 v0 | READ+0 OTHER+0 USE+0", SWP_HAPPENS_SCOREBOARD_OF_LDS,
                SWP_OVERWRITTEN, false);
}

/* The counter is full when the order of the passes has long come back. */
static void a_count_that_grows_is_followed(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "grows");
    swp_work(l, "LOAD", .completion = SWP_COMPLETION_COUNTER, .writes = {shared(l, "tile")});
    op_program_begin(&p, *state, l, 1, 1);
    p.schedule.machine.counter_full = SWP_COUNTER_WRAPS;
    expect_rule(&p, "LOAD+0", SWP_HAPPENS_LATER_COUNTS, SWP_COUNTER, true);
}

static bool has_witness(int rule)
{
    static const swp_happens_rule by_hand[] = {
        SWP_HAPPENS_WRAP, SWP_HAPPENS_READ_UNTIL_RETIRED, SWP_HAPPENS_SCOREBOARD,
        SWP_HAPPENS_SCOREBOARD_OF_LDS, SWP_HAPPENS_LATER_COUNTS};
    for (size_t i = 0; i < COUNT_OF(by_hand); i++)
        if (rule == (int)by_hand[i])
            return true;
    return false;
}

/* --- The others --- */

/* Whether the judge says what the proof says without a rule. What comes to no end is no answer. */
static bool agrees(const swp_schedule *schedule, int form, const judgement *judged,
                   swp_happens_rule without)
{
    swp_context *ctx = swp_context_new(NULL);
    const swp_schedule one = swp_schedule_form(schedule, form);
    const int most = one.loop.min_tiles + PASSES * one.loop.tiles_per_pass;
    swp_verdict verdict = {0};
    assert_non_null(ctx);
    const swp_status status = swp_verify_roles_without(ctx, schedule, form, without, &verdict);
    if (status != SWP_OK)
        assert_diag(ctx, "E0702", "");
    const bool same = status == SWP_OK && loop_judges_agree(judged, &verdict, most) == LOOP_AGREES;
    swp_context_free(ctx);
    return same;
}

/* @return how many rules it shows for the first time */
static int try_form(const swp_schedule *schedule, int form, size_t number,
                    bool shown[SWP_HAPPENS_ALL_RULES])
{
    const swp_schedule one = swp_schedule_form(schedule, form);
    judgement judged = loop_judge(&one, PASSES);
    int count = 0;
    assert_true(agrees(schedule, form, &judged, SWP_HAPPENS_NO_RULE));
    for (int rule = SWP_HAPPENS_BEFORE_FLAT + 1; rule < SWP_HAPPENS_ALL_RULES; rule++) {
        if (shown[rule] || has_witness(rule) ||
            agrees(schedule, form, &judged, (swp_happens_rule)rule))
            continue;
        shown[rule] = true;
        count++;
        print_message("  loop %4zu, without \"%s\"\n", number,
                      swp_happens_rule_meaning((swp_happens_rule)rule));
    }
    judgement_free(&judged);
    return count;
}

static int try_loop(const loop_program *p, size_t number, bool shown[SWP_HAPPENS_ALL_RULES])
{
    int count = 0;
    for (int form = 0; form < swp_schedule_forms(&p->schedule); form++)
        count += try_form(&p->schedule, form, number, shown);
    return count;
}

static void every_rule_of_loops_is_needed(void **state)
{
    bool shown[SWP_HAPPENS_ALL_RULES] = {false};
    const uint64_t seed = random_seed(91);
    int missing = 0;
    (void)state;
    for (int rule = SWP_HAPPENS_BEFORE_FLAT + 1; rule < SWP_HAPPENS_ALL_RULES; rule++)
        missing += !has_witness(rule);
    for (size_t i = 0; i < COUNT_OF(known) + MOST_LOOPS && missing > 0; i++) {
        const size_t number = i < COUNT_OF(known) ? known[i] : i - COUNT_OF(known);
        test_random random = random_for_case(seed, number);
        loop_program p;
        if (make_loop(&p, &random))
            missing -= try_loop(&p, number, shown);
        loop_program_free(&p);
    }
    for (int rule = SWP_HAPPENS_BEFORE_FLAT + 1; rule < SWP_HAPPENS_ALL_RULES; rule++)
        if (!shown[rule] && !has_witness(rule))
            print_message("  NO LOOP needs \"%s\"\n",
                          swp_happens_rule_meaning((swp_happens_rule)rule));
    assert_int_equal(missing, 0);
}

/* --- Counts that are too large only after many iterations --- */

static int least_n(const swp_verdict *verdict, swp_phase phase)
{
    for (size_t i = 0; i < verdict->hazards.count; i++)
        if (verdict->hazards.items[i].kind == SWP_COUNTER &&
            verdict->hazards.items[i].at.phase == phase)
            return verdict->hazards.items[i].smallest_n;
    return 0;
}

/* With `accesses` an iteration, and none of them waited for, that of number most / accesses is one too many. */
static void a_late_count_is_told_of_the_iteration_that_fills_the_counter(void **state)
{
    enum { LOOPS = 40, MOST_ACCESSES = 9, MOST = 60000 };
    test_random random = random_for_case(random_seed(92), 0);
    (void)state;
    for (int i = 0; i < LOOPS; i++) {
        op_program p;
        swp_verdict verdict = {0};
        swp_context *ctx = swp_context_new(NULL);
        swp_loop_builder *l = swp_loop_new(ctx, "late");
        const int accesses = random_int(&random, 1, MOST_ACCESSES);
        const int most = random_int(&random, MOST / 100, MOST);
        const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED);
        swp_work(l, "LOAD", .completion = SWP_COMPLETION_COUNTER, .writes = {tile},
                 .accesses = accesses);
        op_program_begin(&p, ctx, l, 1, 1);
        p.schedule.machine.vm_max = most;
        p.schedule.machine.counter_full = SWP_COUNTER_WRAPS;
        op_program_read(&p, SWP_KERNEL, "LOAD+0");
        op_program_read(&p, SWP_EPILOGUE, "LOAD+0");
        assert_ok(ctx, swp_verify(ctx, &p.schedule, NULL, 0, &verdict));
        assert_int_equal(least_n(&verdict, SWP_EPILOGUE), most / accesses + 1);
        assert_int_equal(least_n(&verdict, SWP_KERNEL), most / accesses + 2);
        swp_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_counter_that_wraps_retires_nothing),
        CONTEXT_TEST(a_group_reads_its_registers_until_it_is_retired),
        CONTEXT_TEST(a_scoreboard_retires_nothing_else),
        CONTEXT_TEST(a_scoreboard_retires_older_lds_operations),
        CONTEXT_TEST(a_count_that_grows_is_followed),
        cmocka_unit_test(every_rule_of_loops_is_needed),
        cmocka_unit_test(a_late_count_is_told_of_the_iteration_that_fills_the_counter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
