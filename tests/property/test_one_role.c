/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random loops of tensor copies that name no roles: each becomes one role with mbarriers. It and some of what one small edit makes of it are
 * judged by the proof, by the judge that writes runs out, and by the executor. SWP_SEED replays a run, SWP_CASES scales it.
 */
#include "fixture.h"

#include "agree.h"
#include "executed.h"
#include "random.h"
#include "roles_mutants.h"
#include "roles_unrolled.h"

#include "ir/roles.h"
#include "swp/loop_compile.h"

enum { LOOPS = 9, MOST_TILE_SLOTS = 3 };

typedef struct tally {
    test_random random;
    size_t judged, unsafe, differ;
    roles_executions executions;
} tally;

/* --- Loops --- */

/* One or two copies, sums by a wgmma or by ordinary instructions, perhaps with a condition, and perhaps a store. */
static swp_loop random_copies(swp_context *ctx, test_random *random)
{
    swp_loop_builder *l = swp_loop_new(ctx, "copies");
    const int tma = swp_loop_add_unit(l, "tma", 1);
    const int copies = random_int(random, 1, 2);
    const bool is_wgmma = random_chance(random, 50);
    const bool stores = random_chance(random, 30);
    const int sum =
        swp_value(l, "sum", .space = SWP_SPACE_REGISTERS, .bytes = 512, .most_slots = 1);
    int tiles[2] = {0, 0};
    swp_loop loop;
    for (int i = 0; i < copies; i++) {
        tiles[i] = swp_value(l, i ? "B" : "A", .space = SWP_SPACE_SHARED, .bytes = 1024,
                             .most_slots = random_int(random, 1, MOST_TILE_SLOTS));
        swp_work(l, i ? "LOAD_B" : "LOAD_A", .latency = random_int(random, 20, 200),
                 .uses = {{.unit = tma, .cycles = random_int(random, 1, 40)}},
                 .completion = SWP_COMPLETION_COPY_MBARRIER, .writes = {tiles[i]});
    }
    for (int i = 0; i < copies; i++)
        swp_work(l, i ? "SUM_B" : "SUM_A", .latency = random_int(random, 1, 60),
                 .completion = is_wgmma ? SWP_COMPLETION_MATRIX_GROUP : SWP_COMPLETION_NONE,
                 .reads = {{.value = tiles[i]}}, .updates = {sum});
    if (random_chance(random, 30))
        swp_work(l, "SCALE", .latency = 4, .updates = {sum}, .when = {.kind = SWP_WHEN_USER});
    if (stores) {
        const int out = swp_value(l, "D", .space = SWP_SPACE_SHARED, .bytes = 512,
                                  .most_slots = random_int(random, 1, 2));
        swp_work(l, "STAGE", .latency = 8, .completion = SWP_COMPLETION_NONE,
                 .reads = {{.value = sum}}, .writes = {out});
        swp_work(l, "STORE", .latency = random_int(random, 20, 90),
                 .uses = {{.unit = tma, .cycles = 8}}, .completion = SWP_COMPLETION_STORE_GROUP,
                 .reads = {{.value = out}}, .writes_global = true);
    }
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

/* --- Judging --- */

static bool is_agreed(swp_context *ctx, const swp_schedule *schedule, tally *t)
{
    const int most_n = roles_most_n(schedule);
    swp_verdict verdict = {0};
    judgement judged;
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    roles_unrolled_judge(schedule, most_n, &judged);
    const bool agree = verdict.safe == (judged.count == 0) &&
                       roles_differences(&verdict, &judged, most_n, stdout) == 0;
    judgement_free(&judged);
    t->judged++;
    t->unsafe += !verdict.safe;
    return agree && roles_run_as_proven(ctx, schedule, &t->executions);
}

/* As it is where JSON is read: no wgmma has its accumulator in turning slots. */
static bool is_accepted(swp_context *ctx, const swp_schedule *schedule)
{
    return swp_ir_check_roles(ctx, schedule) == SWP_OK &&
           swp_ir_check_role_hardware(ctx, schedule) == SWP_OK;
}

static void judge_some(const role_mutant *m, void *user)
{
    tally *t = user;
    if (!random_chance(&t->random, 5))
        return;
    swp_context *ctx = swp_context_new(NULL);
    if (is_accepted(ctx, m->schedule) && !is_agreed(ctx, m->schedule, t)) {
        print_message("%s, %s\n", role_mutant_kind_name(m->kind), m->what);
        t->differ++;
    }
    swp_context_free(ctx);
}

static void a_loop_without_roles_is_proven_judged_and_run_alike(void **state)
{
    const uint64_t seed = random_seed(41);
    const size_t cases = random_sample(LOOPS);
    tally t = {.differ = 0};
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        const swp_loop_options options = {.target = "sm_90",
                                          .machine = {.groups = 1, .waves_per_group = 4}};
        swp_context *ctx = swp_context_new(NULL);
        swp_schedule *schedule = NULL;
        const swp_limits limits = {.work = 1000};
        const size_t before = t.differ;
        t.random = random_for_case(seed, i);
        swp_context_set_limits(ctx, &limits);
        const swp_loop loop = random_copies(ctx, &t.random);
        assert_ok(ctx, swp_compile_loop(ctx, &loop, &options, &schedule));
        assert_int_equal(schedule->stream_count, 1);
        assert_true(schedule->object_count > 0);
        t.differ += !is_agreed(ctx, schedule, &t);
        role_mutants_visit(schedule, judge_some, &t);
        if (t.differ > before)
            print_message("case %zu\n", i);
        swp_schedule_free(schedule);
        swp_context_free(ctx);
    }
    print_message("%zu programs, %zu of them unsafe, %zu hazards shown, %zu runs right\n", t.judged,
                  t.unsafe, t.executions.hazards, t.executions.runs);
    assert_int_equal(t.differ, 0);
    assert_true(t.unsafe * 10 >= t.judged * 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_without_roles_is_proven_judged_and_run_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
