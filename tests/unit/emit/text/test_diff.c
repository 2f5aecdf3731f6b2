/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons as text and as JSON, on the safe program of unit/verify/test_hazards.c. */
#include "../../diff/pairs.h"

#include <jansson.h>
#include <stdlib.h>

#define KERNEL_A "a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0 v0 |"
static pair with_kernels(const char *a, const char *b)
{
    pair p = kernels(a, b);
    program *const both[] = {&p.a, &p.b};
    for (int i = 0; i < 2; i++) {
        program_read(both[i], SWP_PROLOGUE, "A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0");
        program_read(both[i], SWP_EPILOGUE, "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0");
    }
    p.b.schedule.name = "edited";
    return p;
}

static char *text_of(swp_context *ctx, const swp_diff *diff)
{
    char *text = NULL;
    size_t length = 0;
    assert_ok(ctx, swp_diff_text(ctx, diff, &text, &length));
    assert_int_equal(length, strlen(text));
    return text;
}

/* No op has a latency, so an entry is a cycle, and the barrier before the loop another. */
static void text_shows_rows_effects_and_figures(void **state)
{
    pair p = with_kernels(
        KERNEL_A, "a0.0 b0.0 l0 A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0 v0 |");
    p.b.schedule.schedule.scheduling = SWP_GREEDY;
    p.a.schedule.metrics = (swp_metrics){.makespan = 420, .vgpr_peak = -1};
    p.b.schedule.metrics = (swp_metrics){.makespan = -1, .vgpr_peak = -1};
    const swp_diff diff = compared(*state, &p);
    assert_string_equal(
        text_of(*state, &diff),
        "A: double\n"
        "B: edited\n"
        "\n"
        "A | B\n"
        "  schedule.scheduling  identity | greedy\n"
        "\n"
        "Columns: entry of A, entry of B. Marks: - only in A, + only in B, ~ changed, < moved from "
        "here, > to here.\n"
        "\n"
        "prologue, 5 | 5 entries, alike\n"
        "\n"
        "kernel, 16 | 15 entries, 1 difference\n"
        "      0    0  MMA_LOAD_A    slot 0   sub 0        lgkmcnt +1\n"
        "      1    1  MMA_LOAD_B    slot 0   sub 0        lgkmcnt +1\n"
        "      2    2    wait_lgkm   lgkmcnt <= 0\n"
        " -    3         barrier\n"
        "             A with it: unsafe: overwritten at kernel 4 (LOAD_A) from N = 4, overwritten "
        "at kernel 5 (LOAD_B) from N = 4; 1 cycle a pass fewer\n"
        "             B without it: safe: removes overwritten at kernel 3 (LOAD_A), overwritten at "
        "kernel 4 (LOAD_B); 1 cycle a pass more\n"
        "      4    3  LOAD_A        slot 0   sub 0   K+0  vmcnt +1\n"
        "             ... 11 entries alike\n"
        "\n"
        "epilogue, 6 | 6 entries, alike\n"
        "\n"
        "                                   A           B\n"
        "safe                             yes          no\n"
        "hazards                            0           2\n"
        "barriers a pass                    3           2\n"
        "waits a pass                       3           3\n"
        "cycles a pass                     16          15\n"
        "K tiles a pass                     2           2\n"
        "prologue cycles                    6           6\n"
        "epilogue cycles                    6           6\n"
        "prologue entries                   5           5\n"
        "kernel entries                    16          15\n"
        "epilogue entries                   6           6\n"
        "makespan                         420           -\n"
        "\n"
        "from A to B: unsafe: overwritten at kernel 4 (LOAD_A) from N = 4, overwritten at kernel 5 "
        "(LOAD_B) from N = 4; 1 barrier fewer; 1 cycle a pass fewer\n");
    pair_free(&p);
}

static void text_shows_both_sides_of_changes_and_moves(void **state)
{
    pair p = with_kernels(
        KERNEL_A,
        "a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | B1.0:k1 A1.0:k1 m0.0 v1 | l3");
    const swp_diff diff = compared(*state, &p);
    const char *text = text_of(*state, &diff);
    static const char *const parts[] = {
        " <   11   12  LOAD_A        slot 1   sub 0   K+1  vmcnt +1\n"
        "     12   11  LOAD_B        slot 1   sub 0   K+1  vmcnt +1\n"
        " >   11   12  LOAD_A        slot 1   sub 0   K+1  vmcnt +1\n",
        " ~   14         wait_vm     vmcnt <= 0\n"
        " ~        14    wait_vm     vmcnt <= 1\n"
        "             A with it: unsafe: stale_read at kernel ",
        "     15   15    barrier\n"
        " +        16    wait_lgkm   lgkmcnt <= 3\n"
        "             A with it: 1 cycle a pass more\n"
        "             B without it: 1 cycle a pass fewer\n",
        "  A with B's kernel: unsafe: stale_read at ",
        "  B with A's kernel: safe: removes stale_read at ",
        "; 1 wait fewer; 1 cycle a pass fewer\n",
    };
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (!strstr(text, parts[i]))
            fail_msg("no '%s' in\n%s", parts[i], text);
    pair_free(&p);
}

/* A COMPUTE too many, which A has nowhere. */
static void an_entry_of_the_other_schedule_is_told_as_its(void **state)
{
    pair p = with_kernels(KERNEL_A, KERNEL_A " m0.0");
    const swp_diff diff = compared(*state, &p);
    const char *text = text_of(*state, &diff);
    assert_non_null(
        strstr(text, "A with it: unsafe: double_work at B's kernel 16 (MMA) from N = "));
    assert_non_null(strstr(text, "B without it: safe: removes double_work at kernel 16 (MMA)"));
    pair_free(&p);
}

static void text_of_the_same_is_three_lines(void **state)
{
    pair p = with_kernels(KERNEL_A, KERNEL_A);
    const swp_diff diff = compared(*state, &p);
    assert_string_equal(text_of(*state, &diff),
                        "A: double\n"
                        "B: edited\n"
                        "alike: phases, loop, machine, costs and settings\n");
    pair_free(&p);
}

static void what_has_little_in_common_is_not_listed(void **state)
{
    pair p = {program_double_buffer(), program_single_buffer()};
    program_read(&p.a, SWP_KERNEL, "a0.0 m0.0 |");
    program_read(&p.b, SWP_KERNEL, "f0 c0 |");
    const swp_diff diff = compared(*state, &p);
    const char *text = text_of(*state, &diff);
    assert_non_null(strstr(text, "  loop.placement       k_offset | next_tile\n"));
    assert_non_null(
        strstr(text, "\nThe two have little in common: their entries are not listed.\n"));
    assert_non_null(strstr(text, "cycles a K tile"));
    assert_null(strstr(text, "kernel, "));
    assert_null(strstr(text, "from A to B"));
    pair_free(&p);
}

static json_t *json_of(swp_context *ctx, const swp_diff *diff)
{
    char *text = NULL;
    size_t length = 0;
    assert_ok(ctx, swp_diff_json(ctx, diff, &text, &length));
    json_t *root = json_loadb(text, length, 0, NULL);
    assert_non_null(root);
    return root;
}

/* One value of the JSON, named by a path of keys, as compact JSON. */
static void assert_member(const json_t *value, const char *keys, const char *wanted)
{
    char copy[128];
    (void)snprintf(copy, sizeof copy, "%s", keys);
    for (char *key = strtok(copy, " "); key; key = strtok(NULL, " "))
        value = json_is_array(value) ? json_array_get(value, (size_t)strtol(key, NULL, 10))
                                     : json_object_get(value, key);
    char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    assert_non_null(text);
    assert_string_equal(text, wanted);
    free(text);
}

static void json_holds_the_same_facts(void **state)
{
    pair p = with_kernels(
        KERNEL_A, "a0.0 b0.0 l0 A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0 v0 |");
    p.b.schedule.machine.vm_max = 7;
    p.b.schedule.config.prefetch = 2;
    const swp_diff diff = compared(*state, &p);
    json_t *root = json_of(*state, &diff);
    assert_member(root, "swp", "1");
    assert_member(root, "alike", "false");
    assert_member(root, "little_in_common", "false");
    assert_member(root, "stopped", "false");
    assert_member(root, "b name", "\"edited\"");
    assert_member(root, "a safe", "true");
    assert_member(root, "b safe", "false");
    assert_member(root, "a hazards", "[]");
    assert_member(root, "b hazards 0",
                  "{\"kind\":\"overwritten\",\"phase\":\"kernel\",\"a\":4,\"b\":3,"
                  "\"name\":\"LOAD_A\",\"smallest_n\":4}");
    assert_member(root, "b barriers_per_pass", "2");
    assert_member(root, "b waits_per_pass", "3");
    assert_member(root, "b cycles_per_pass", "15.0");
    assert_member(root, "b units 2", "{\"unit\":\"mma_unit\",\"busy_cycles\":0,\"percent\":0.0}");
    assert_member(root, "effect barriers", "-1");
    assert_member(root, "effect cycles_per_pass", "-1.0");
    assert_member(root, "settings 0 path", "\"machine.vm_max\"");
    assert_member(root, "settings 0 b", "\"7\"");
    assert_member(root, "settings 0 with hazards", "[]");
    assert_member(root, "settings 1 path", "\"pipeline.prefetch\"");
    assert_member(root, "settings 1 with", "null");
    assert_member(root, "phases kernel differences", "1");
    assert_member(root, "phases kernel with safe", "false");
    assert_member(root, "phases prologue", "{\"differences\":0,\"with\":null,\"without\":null}");
    assert_member(root, "kernel 2",
                  "{\"difference\":\"alike\",\"a\":2,\"b\":2,\"name\":\"wait_lgkm\",\"with\":null,"
                  "\"without\":null}");
    assert_member(root, "kernel 3 difference", "\"removed\"");
    assert_member(root, "kernel 3 a", "3");
    assert_member(root, "kernel 3 b", "null");
    assert_member(root, "kernel 3 with was_safe", "true");
    assert_member(root, "kernel 3 with hazards 1 a", "5");
    assert_member(root, "kernel 3 without gone 1 b", "4");
    json_decref(root);
    pair_free(&p);
}

static void json_of_what_is_not_judged_has_nulls(void **state)
{
    pair p = with_kernels(KERNEL_A, KERNEL_A);
    p.b.schedule.machine.lag = 1;
    p.b.schedule.machine.groups = 2;
    p.b.schedule.machine.lag_end_barrier = false;
    p.b.schedule.streams[0].kernel.items[0].op.role = SWP_ROLE_NONE;
    const swp_diff diff = compared(*state, &p);
    json_t *root = json_of(*state, &diff);
    assert_member(root, "b safe", "null");
    assert_member(root, "b cycles_per_pass", "null");
    assert_member(root, "b units", "[]");
    assert_member(root, "a unjudged", "null");
    assert_member(root, "a unsimulated", "null");
    assert_true(json_is_string(json_object_get(json_object_get(root, "b"), "unjudged")));
    assert_true(json_is_string(json_object_get(json_object_get(root, "b"), "unsimulated")));
    assert_member(root, "effect safe", "null");
    assert_member(root, "effect cycles_per_pass", "null");
    json_decref(root);
    pair_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(text_shows_rows_effects_and_figures),
        CONTEXT_TEST(text_shows_both_sides_of_changes_and_moves),
        CONTEXT_TEST(an_entry_of_the_other_schedule_is_told_as_its),
        CONTEXT_TEST(text_of_the_same_is_three_lines),
        CONTEXT_TEST(what_has_little_in_common_is_not_listed),
        CONTEXT_TEST(json_holds_the_same_facts),
        CONTEXT_TEST(json_of_what_is_not_judged_has_nulls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
