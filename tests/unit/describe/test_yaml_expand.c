/* SPDX-License-Identifier: Apache-2.0 */
/* Variables and ranges of descriptions stand for what could be written out (docs/descriptions.md, "Variables"). */
#include "fixture.h"
#include "same_loop.h"

#include <string.h>

#define HEAD "swp: 1\nvariables: {n: 2, bm: 256}\nloop:\n  units: {mma_unit: 1}\n"
#define PLAIN "swp: 1\nloop:\n  units: {mma_unit: 1}\n"

static void assert_same(swp_context *ctx, const char *short_text, const char *long_text)
{
    const swp_loop a = loop_of_yaml(ctx, short_text);
    const swp_loop b = loop_of_yaml(ctx, long_text);
    assert_same_loop(&a, &b);
}

static const char long_text[] = PLAIN "  values:\n"
                                      "    - {value: c0_1, space: registers, bytes: 512}\n"
                                      "    - {value: c0_2, space: registers, bytes: 512}\n"
                                      "    - {value: c1_1, space: registers, bytes: 512}\n"
                                      "    - {value: c1_2, space: registers, bytes: 512}\n"
                                      "  ops:\n"
                                      "    - {op: MMA_0_1, latency: 1, updates: [c0_1]}\n"
                                      "    - {op: MMA_0_2, latency: 2, updates: [c0_2]}\n"
                                      "    - {op: MMA_1_1, latency: 2, updates: [c1_1]}\n"
                                      "    - {op: MMA_1_2, latency: 3, updates: [c1_2]}\n";

static void a_range_stands_for_its_steps_the_last_name_first(void **state)
{
    assert_same(*state,
                HEAD
                "  values:\n"
                "    - {for: {i: ${n}, j: [1, 2]}, value: c${i}_${j}, space: registers, bytes: "
                "${bm * n}}\n"
                "  ops:\n"
                "    - {for: {i: ${n}, j: [1, ${n}]}, op: MMA_${i}_${j}, latency: ${i + j}, "
                "updates: [c${i}_${j}]}\n",
                long_text);
}

static void quotes_and_blocks_change_nothing(void **state)
{
    assert_same(*state,
                HEAD "  values:\n"
                     "    - for: {\"i\": \"${n}\", 'j': [\"${n - 1}\", 2]}\n"
                     "      value: \"c${i}_${j}\"\n"
                     "      space: registers\n"
                     "      bytes: \"${ bm * n }\"\n"
                     "  ops:\n"
                     "    - for:\n"
                     "        i: ${n}\n"
                     "        j: [1, ${n}]\n"
                     "      op: MMA_${i}_${j}\n"
                     "      latency: ${i +\n"
                     "        j}\n"
                     "      updates:\n"
                     "        - c${i}_${j}\n",
                long_text);
}

static void do_repeats_a_list_and_ranges_stand_within_ranges(void **state)
{
    assert_same(*state,
                HEAD "  values:\n"
                     "    - {for: {i: 2}, do: [{for: {j: [1, 2]}, value: c${i}_${j}, space: "
                     "registers, bytes: ${bm * n}}]}\n"
                     "  ops:\n"
                     "    - for: {i: 2}\n"
                     "      do:\n"
                     "        - {op: MMA_${i}_1, latency: ${i + 1}, updates: [c${i}_1]}\n"
                     "        - {op: MMA_${i}_2, latency: ${i + 2}, updates: [c${i}_2]}\n",
                long_text);
}

static void words_stand_for_themselves(void **state)
{
    assert_same(*state,
                HEAD "  values:\n"
                     "    - {for: {c: [c0_1, c0_2, c1_1, c1_2]}, value: ${c}, space: registers, "
                     "bytes: ${bm * n}}\n"
                     "  ops:\n"
                     "    - {for: {i: ['0', '1'], j: [1, 2]}, op: MMA_${i}_${j}, latency: 1, "
                     "updates: [c${i}_${j}]}\n",
                PLAIN "  values:\n"
                      "    - {value: c0_1, space: registers, bytes: 512}\n"
                      "    - {value: c0_2, space: registers, bytes: 512}\n"
                      "    - {value: c1_1, space: registers, bytes: 512}\n"
                      "    - {value: c1_2, space: registers, bytes: 512}\n"
                      "  ops:\n"
                      "    - {op: MMA_0_1, latency: 1, updates: [c0_1]}\n"
                      "    - {op: MMA_0_2, latency: 1, updates: [c0_2]}\n"
                      "    - {op: MMA_1_1, latency: 1, updates: [c1_1]}\n"
                      "    - {op: MMA_1_2, latency: 1, updates: [c1_2]}\n");
}

static void bounds_may_need_the_names_before_and_be_empty(void **state)
{
    assert_same(*state,
                HEAD "  values:\n"
                     "    - {for: {i: 3, j: [${i + 1}, 2]}, value: c${i}${j}, space: registers}\n"
                     "    - {for: {i: 0}, value: none${bm}, space: registers}\n"
                     "  ops:\n"
                     "    - {op: REDUCE, latency: ${n}, updates: [{for: {i: 3, j: [${i + 1}, 2]}, "
                     "do: [c${i}${j}]}]}\n",
                PLAIN "  values:\n"
                      "    - {value: c01, space: registers}\n"
                      "    - {value: c02, space: registers}\n"
                      "    - {value: c12, space: registers}\n"
                      "  ops:\n"
                      "    - {op: REDUCE, latency: 2, updates: [c01, c02, c12]}\n");
}

static void keys_take_expressions(void **state)
{
    assert_same(*state,
                "swp: 1\nvariables: {n: 2}\nloop:\n"
                "  units: {mma${n}: 1}\n"
                "  ops:\n"
                "    - {op: MMA, latency: 1, uses: {mma${n}: [1, ${n}]}}\n",
                "swp: 1\nloop:\n"
                "  units: {mma2: 1}\n"
                "  ops:\n"
                "    - {op: MMA, latency: 1, uses: {mma2: [1, 2]}}\n");
}

static void an_alias_outside_of_ranges_is_one_thing_and_within_them_many(void **state)
{
    assert_same(*state,
                "swp: 1\nvariables: {n: 2}\nloop:\n"
                "  units: {mma_unit: 1}\n"
                "  values: [{for: {i: 2}, value: c${i}, space: registers}]\n"
                "  ops:\n"
                "    - {op: A, latency: 1, uses: &uses {mma_unit: ${n}}}\n"
                "    - {for: {i: 2}, do: [{op: B${i}, latency: 1, uses: *uses, reads: &r [c${i}]}, "
                "{op: C${i}, latency: 1, reads: *r}]}\n",
                PLAIN "  values: [{value: c0, space: registers}, {value: c1, space: registers}]\n"
                      "  ops:\n"
                      "    - {op: A, latency: 1, uses: {mma_unit: 2}}\n"
                      "    - {op: B0, latency: 1, uses: {mma_unit: 2}, reads: [c0]}\n"
                      "    - {op: C0, latency: 1, reads: [c0]}\n"
                      "    - {op: B1, latency: 1, uses: {mma_unit: 2}, reads: [c1]}\n"
                      "    - {op: C1, latency: 1, reads: [c1]}\n");
}

static void a_variable_that_is_given_has_the_last_word(void **state)
{
    static const char text[] = "swp: 1\n"
                               "variables: {a: 1, b: '${a + 1}', c: }\n"
                               "loop:\n"
                               "  ops: [{op: X, latency: '${a + 10 * b + 100 * c}'}]\n";
    static const swp_variable given[] = {{.name = "a", .value = "5"},
                                         {.name = "a", .value = "2"},
                                         {.name = "c", .value = "${b + 1}"}};
    swp_context *ctx = *state;
    swp_description *description = NULL;
    swp_loop loop;
    assert_ok(ctx, swp_description_read_yaml_with(ctx, text, strlen(text), "text", given,
                                                  COUNT_OF(given), NULL, &description));
    assert_ok(ctx, swp_description_loop(ctx, description, 0, &loop));
    assert_int_equal(loop.ops[0].latency, 432);
    assert_status(ctx, swp_description_read_yaml(ctx, text, strlen(text), "text", &description),
                  SWP_INVALID);
    assert_diag(ctx, "E0107", "`c` has no value");
}

static int64_t latency_for(swp_context *ctx, const char *text, const swp_target *target)
{
    swp_description *description = NULL;
    swp_loop loop;
    assert_ok(ctx, swp_description_read_yaml_with(ctx, text, strlen(text), "text", NULL, 0, target,
                                                  &description));
    assert_ok(ctx, swp_description_loop(ctx, description, 0, &loop));
    return loop.ops[0].latency;
}

static void figures_are_those_of_the_target_that_is_used(void **state)
{
#define LOAD "loop:\n  ops: [{op: X, latency: '${target.load.latency}'}]\n"
    static const char slow[] = "swp: 1\nlike: sm_90\nload: {latency: 1234}\n";
    static const char stated[] = "swp: 1\ntarget: sm_90\n" LOAD;
    static const char open[] = "swp: 1\n" LOAD;
    static const char misspelt[] = "swp: 1\ntarget: sm_99\n" LOAD;
    swp_context *ctx = *state;
    swp_description *description = NULL;
    const swp_target *file = NULL;
    assert_ok(ctx, swp_target_read_yaml(ctx, slow, strlen(slow), "slow", &file));
    assert_int_equal(latency_for(ctx, stated, NULL), 480);
    assert_int_equal(latency_for(ctx, open, NULL), 200);
    assert_int_equal(latency_for(ctx, stated, swp_target_find("sm_80")), 290);
    assert_int_equal(latency_for(ctx, open, file), 1234);
    assert_status(ctx,
                  swp_description_read_yaml(ctx, misspelt, strlen(misspelt), "text", &description),
                  SWP_INVALID);
    assert_diag(ctx, "E0106", "there is no target `sm_99`");
#undef LOAD
}

static void bodies_take_ranges_too(void **state)
{
    static const char text[] = "swp: 1\n"
                               "variables: {parts: 2}\n"
                               "costs:\n"
                               "  LOAD: {role: global_load, latency: 200}\n"
                               "  STORE: {role: shared_store, latency: 20}\n"
                               "  FRAG: {role: fragment_load, latency: 20, vgpr_def: 4}\n"
                               "  MMA: {role: compute, latency: '${32 * parts}', vgpr_def: 16}\n"
                               "body:\n"
                               "  - {op: LOAD, channel: 0}\n"
                               "  - {op: STORE, channel: 0}\n"
                               "  - barrier\n"
                               "  - {for: {s: '${parts}'}, op: FRAG, channel: 0, subtile: '${s}'}\n"
                               "  - {for: {s: 2}, op: MMA, subtile: '${s}'}\n"
                               "reorder: single_buffer\n"
                               "pipeline: {depth: 1}\n";
    swp_context *ctx = *state;
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_description_read_yaml(ctx, text, strlen(text), "text", &description));
    assert_ok(ctx, swp_description_compile(ctx, description, &schedule));
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_range_stands_for_its_steps_the_last_name_first),
        CONTEXT_TEST(quotes_and_blocks_change_nothing),
        CONTEXT_TEST(do_repeats_a_list_and_ranges_stand_within_ranges),
        CONTEXT_TEST(words_stand_for_themselves),
        CONTEXT_TEST(bounds_may_need_the_names_before_and_be_empty),
        CONTEXT_TEST(keys_take_expressions),
        CONTEXT_TEST(an_alias_outside_of_ranges_is_one_thing_and_within_them_many),
        CONTEXT_TEST(a_variable_that_is_given_has_the_last_word),
        CONTEXT_TEST(figures_are_those_of_the_target_that_is_used),
        CONTEXT_TEST(bodies_take_ranges_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
