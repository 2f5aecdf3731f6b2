/* SPDX-License-Identifier: Apache-2.0 */
#include "certify/drat_read.h"
#include "fixture.h"

#include <string.h>

static swp_status read_all(swp_context *ctx, const char *bytes, size_t length,
                           swp_drat_format format, swp_drat_step *last)
{
    const swp_drat_proof proof = {bytes, length, format, {"proof", 7, 0}};
    swp_drat_reader reader = swp_certify_drat_read_from(&proof);
    *last = (swp_drat_step){0};
    for (bool more = true; more;)
        SWP_TRY(swp_certify_drat_read_step(ctx, &reader, 1000, last, &more));
    return SWP_OK;
}

static void text_has_a_step_a_line(void **state)
{
    swp_drat_step step;
    const char *const text = "c by hand\n1 -2 0\r\n\nd  3\t-1000 0 \n";
    assert_ok(*state, read_all(*state, text, strlen(text), SWP_DRAT_TEXT, &step));
    assert_int_equal(step.number, 2);
    assert_int_equal(step.line, 10);
    assert_true(step.deletion);
    assert_int_equal(step.literals.count, 2);
    assert_int_equal(step.literals.items[0], 3);
    assert_int_equal(step.literals.items[1], -1000);
}

static void the_last_line_needs_no_end(void **state)
{
    swp_drat_step step;
    assert_ok(*state, read_all(*state, "0", 1, SWP_DRAT_TEXT, &step));
    assert_int_equal(step.number, 1);
    assert_int_equal(step.literals.count, 0);
}

/* 63 and -8193 as in the description of the format: 126 and 16387 in groups of seven bits. */
static void binary_has_groups_of_seven_bits(void **state)
{
    swp_drat_step step;
    static const char bytes[] = {'a', 126, 0, 'd', (char)0x83, 0x0f, 2, 0};
    assert_ok(*state, read_all(*state, bytes, sizeof bytes, SWP_DRAT_BINARY, &step));
    assert_int_equal(step.number, 2);
    assert_true(step.deletion);
    assert_int_equal(step.literals.count, 2);
    assert_int_equal(step.literals.items[0], -961);
    assert_int_equal(step.literals.items[1], 1);
}

typedef struct bad {
    const char *bytes;
    size_t length;
    swp_drat_format format;
    const char *message;
} bad;

static const bad bads[] = {
    {"1 0\n1 x 0\n", 10, SWP_DRAT_TEXT,
     "step 2 of the proof: this is neither a literal nor the 0 that ends a step"},
    {"1 2\n0\n", 6, SWP_DRAT_TEXT,
     "step 1 of the proof: this is neither a literal nor the 0 that ends a step"},
    {"1 - 0\n", 6, SWP_DRAT_TEXT,
     "step 1 of the proof: this is neither a literal nor the 0 that ends a step"},
    {"1 0 2 0\n", 8, SWP_DRAT_TEXT,
     "step 1 of the proof: the line goes on after the 0 that ends the step"},
    {"1001 0\n", 7, SWP_DRAT_TEXT,
     "step 1 of the proof: the variable is above 1000, the most that so short a proof has"},
    {"99999999999999999999 0\n", 23, SWP_DRAT_TEXT,
     "step 1 of the proof: the variable is above 1000, the most that so short a proof has"},
    {"a\x02", 2, SWP_DRAT_BINARY, "byte 2 of the proof, step 1: the proof ends within a step"},
    {"b\x02\0", 3, SWP_DRAT_BINARY,
     "byte 0 of the proof, step 1: a step begins with neither `a` nor `d`"},
    {"a\x01\0", 3, SWP_DRAT_BINARY, "byte 2 of the proof, step 1: -0 is no literal"},
    {"a\xff\xff\xff\xff\xff\xff\xff", 8, SWP_DRAT_BINARY,
     "byte 3 of the proof, step 1: the variable is above 1000, the most that so short a proof has"},
    {"a\x80\x80\x80\x80\x80\x80\x80", 8, SWP_DRAT_BINARY,
     "byte 7 of the proof, step 1: the variable is above 1000, the most that so short a proof has"},
};

static void what_is_no_proof_is_refused_with_its_place(void **state)
{
    for (size_t i = 0; i < COUNT_OF(bads); i++) {
        swp_drat_step step;
        swp_context_clear_diags(*state);
        assert_status(*state,
                      read_all(*state, bads[i].bytes, bads[i].length, bads[i].format, &step),
                      SWP_INVALID);
        assert_diag(*state, "E0831", bads[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(text_has_a_step_a_line),
        CONTEXT_TEST(the_last_line_needs_no_end),
        CONTEXT_TEST(binary_has_groups_of_seven_bits),
        CONTEXT_TEST(what_is_no_proof_is_refused_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
