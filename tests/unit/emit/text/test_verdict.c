/* SPDX-License-Identifier: Apache-2.0 */
#include "../verdicts.h"

static void a_hazard_is_a_paragraph(void **state)
{
    const swp_verdict verdict = made_up_verdict();
    const char *text = reported(*state, swp_verdict_text, &verdict);
    static const char wanted[] =
        "kernel entry 0: hazard[stale_read]: MMA_LOAD_B, LDS B slot 0 sub 1\n"
        "  wants tile 2, may find \"tile 0\"\n"
        "    prologue    2  LOAD_B        B  slot 0   sub 1   K+0  vmcnt +4\n"
        "      | the second in kernel pass 0\n"
        "    kernel      0  MMA_LOAD_B    B  slot 0   sub 0        lgkmcnt +8\n"
        "  smallest N: 4 K tiles; slack: -7 cycles by the cost model, which proves nothing\n"
        "  hint: wait, then a barrier\n"
        "\n";
    assert_int_equal(strncmp(text, wanted, sizeof wanted - 1), 0);
    assert_has(text, "\nkernel entry 7: accepted[register_not_ready]: MMA, register A sub 3\n");
    assert_has(text, "\nepilogue entry 58: hazard[missing_work]: end, accumulator row 1 col 0\n");
    assert_has(text, "\nepilogue entry 58: hazard[deadlock]: end\n  alone\n  smallest N");
    assert_has(text, "\n\npingpong: unsafe: 4 hazards, 1 accepted (3 passes explored)\n");
}

static void safe_is_one_line(void **state)
{
    const swp_verdict verdict = {.safe = true, .passes_explored = 1};
    assert_string_equal(
        reported(*state, swp_verdict_text, &verdict),
        "pingpong: safe for every number of K tiles and every timing (1 pass explored)\n");
}

static void a_diagnostic_counts_what_is_not_accepted(void **state)
{
    swp_context *ctx = *state;
    size_t count = 0;
    swp_verdict verdict = made_up_verdict();
    assert_int_equal(swp_verdict_report(ctx, &verdict, SWP_WARNING, "FILE"), SWP_OK);
    assert_int_equal(swp_verdict_report(ctx, &verdict, SWP_ERROR, "FILE"), SWP_OK);
    const swp_diag *diags = swp_context_diags(ctx, &count);
    assert_int_equal(count, 2);
    assert_string_equal(diags[0].code, "W0702");
    assert_string_equal(diags[1].code, "E0703");
    assert_string_equal(diags[1].message, "unsafe: 3 hazards, the first: stale_read at kernel "
                                          "entry 0 (MMA_LOAD_B)");
    assert_has(diags[0].hint, "`swp verify FILE`");
    verdict = (swp_verdict){.safe = true};
    assert_int_equal(swp_verdict_report(ctx, &verdict, SWP_ERROR, "FILE"), SWP_OK);
    (void)swp_context_diags(ctx, &count);
    assert_int_equal(count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(a_hazard_is_a_paragraph),
        TEST_IN_CONTEXT(safe_is_one_line),
        TEST_IN_CONTEXT(a_diagnostic_counts_what_is_not_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
