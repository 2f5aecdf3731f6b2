/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "swp/problem.h"

#include <string.h>

static const char whole[] =
    "{\"swp\":1,\"name\":\"p\",\"problem\":\"modulo\",\"known_optimum\":null,\"resources\":"
    "[{\"name\":\"r\",\"capacity\":2},{\"name\":\"s\",\"capacity\":1}],\"ops\":[{\"name\":\"a\","
    "\"latency\":3,\"uses\":[{\"resource\":\"s\",\"amount\":1,\"cycles\":2}]},{\"name\":\"b\","
    "\"latency\":0,\"uses\":[]}],\"edges\":[{\"producer\":0,\"consumer\":1,\"distance\":0},"
    "{\"producer\":1,\"consumer\":0,\"distance\":1,\"delay\":-4}]}";

static swp_status read_text(swp_context *ctx, const char *text, swp_problem *out)
{
    const swp_problem_text in = {text, strlen(text), {"in", 7, 1}};
    return swp_problem_read_json(ctx, &in, out);
}

static void every_member_is_read(void **state)
{
    swp_context *ctx = *state;
    swp_problem p;
    assert_ok(ctx, read_text(ctx, whole, &p));
    assert_string_equal(p.name, "p");
    assert_int_equal(p.kind, SWP_PROBLEM_MODULO);
    assert_int_equal(p.resource_count, 2);
    assert_int_equal(p.resources[0].capacity, 2);
    assert_int_equal(p.op_count, 2);
    assert_int_equal(p.ops[0].latency, 3);
    assert_int_equal(p.ops[0].use_count, 1);
    assert_int_equal(p.ops[0].uses[0].resource, 1);
    assert_int_equal(p.ops[0].uses[0].cycles, 2);
    assert_int_equal(p.edge_count, 2);
    assert_int_equal(p.edges[0].delay, 3); /* the producer's latency */
    assert_int_equal(p.edges[1].delay, -4);
    assert_int_equal(p.edges[1].distance, 1);
    assert_int_equal(p.place.line, 7);
}

static void what_is_written_is_read_back(void **state)
{
    swp_context *ctx = *state;
    swp_problem p;
    swp_problem again;
    char *text = NULL;
    char *text_again = NULL;
    assert_ok(ctx, read_text(ctx, whole, &p));
    assert_ok(ctx, swp_problem_json(ctx, &p, &text, NULL));
    assert_ok(ctx, read_text(ctx, text, &again));
    assert_ok(ctx, swp_problem_json(ctx, &again, &text_again, NULL));
    assert_string_equal(text, text_again);
    assert_non_null(strstr(text, "{\"producer\":1,\"consumer\":0,\"distance\":1,\"delay\":-4}"));
}

/* The text with its first `from` as `to`. */
static const char *edited(swp_context *ctx, const char *from, const char *to)
{
    char *text = swp_context_take(ctx, sizeof whole + strlen(to) + 1);
    const char *at = strstr(whole, from);
    assert_non_null(at);
    memcpy(text, whole, (size_t)(at - whole));
    strcat(text, to);
    strcat(text, at + strlen(from));
    return text;
}

static void refused(swp_context *ctx, const char *from, const char *to, const char *message)
{
    swp_problem p;
    assert_status(ctx, read_text(ctx, edited(ctx, from, to), &p), SWP_INVALID);
    assert_diag(ctx, "E0821", message);
    swp_context_clear_diags(ctx);
}

static void what_the_format_does_not_have_is_refused(void **state)
{
    swp_context *ctx = *state;
    refused(ctx, "\"swp\":1", "\"swp\":2", "swp: is 2");
    refused(ctx, "\"swp\":1,", "", "swp: is missing");
    refused(ctx, "modulo", "modular", "problem: `modular` is no value of `problem`");
    refused(ctx, "\"name\":\"s\"", "\"name\":\"r\"", "resources[1]: another resource");
    refused(ctx, "\"resource\":\"s\"", "\"resource\":\"t\"",
            "ops[0].uses[0].resource: `resources` has no `t`");
    refused(ctx, "\"latency\":3", "\"latency\":3.5", "ops[0].latency: must be an integer");
    refused(ctx, "\"amount\":1,", "", "ops[0].uses[0].amount: is missing");
    refused(ctx, "\"uses\":[]", "\"use\":[]", "ops[1].use: is no key");
    refused(ctx, "\"consumer\":1", "\"consumer\":2", "edges[0].consumer: is op 2, but there are 2");
    refused(ctx, "\"distance\":0", "\"delay\":0", "edges[0].distance: is missing");
    refused(ctx, "\"delay\"", "\"lag\"", "edges[1].lag: is no key");
    refused(ctx, "\"known_optimum\"", "\"optimum\"", "optimum: is no key");
}

static void the_known_optimum_may_be_anything(void **state)
{
    swp_context *ctx = *state;
    swp_problem p;
    assert_ok(ctx, read_text(ctx, edited(ctx, "null", "17"), &p));
    assert_ok(ctx, read_text(ctx, edited(ctx, "null", "\"no number\""), &p));
    assert_ok(ctx, read_text(ctx, edited(ctx, "\"known_optimum\":null,", ""), &p));
}

static size_t parts_of(swp_context *ctx, const char *text, int *line_of_last)
{
    swp_problem_texts parts = {0};
    assert_ok(ctx, swp_problem_split(ctx, text, strlen(text), "in", &parts));
    *line_of_last = parts.count ? parts.items[parts.count - 1].place.line : 0;
    return parts.count;
}

static void texts_are_one_value_or_lines(void **state)
{
    swp_context *ctx = *state;
    int line = 0;
    assert_int_equal(parts_of(ctx, "{\"a\":\n1}\n", &line), 1);
    assert_int_equal(line, 1);
    assert_int_equal(parts_of(ctx, "{}\n\n  \n{}", &line), 2);
    assert_int_equal(line, 4);
    assert_int_equal(parts_of(ctx, "{\n{\"problem\": 0}\n{\n", &line), 3);
    /* An op on a line of its own is no problem, whether or not the rest is well-formed. */
    assert_int_equal(parts_of(ctx, "{\"ops\": [\n{},\n{}\n]}\n", &line), 1);
    assert_int_equal(parts_of(ctx, "{\"ops\": [\n{},\n{}\n]\n", &line), 1);
    assert_int_equal(parts_of(ctx, "{\"a\":\n1\n", &line), 1);
    assert_int_equal(parts_of(ctx, "", &line), 1);
    assert_int_equal(parts_of(ctx, "\n\n", &line), 1);
}

static void answers_are_read_back(void **state)
{
    swp_context *ctx = *state;
    swp_problem p;
    swp_answer answer;
    swp_answer again;
    swp_problem_text text = {.place = {"in", 1, 1}};
    char *written = NULL;
    const char *name = NULL;
    assert_ok(ctx, read_text(ctx, whole, &p));
    assert_ok(ctx, swp_solve_problem(ctx, &p, &answer));
    assert_ok(ctx, swp_answer_json(ctx, &p, &answer, &written, &text.length));
    text.text = written;
    assert_ok(ctx, swp_answer_read_json(ctx, &text, &name, &again));
    assert_string_equal(name, "p");
    assert_int_equal(again.status, answer.status);
    assert_int_equal(again.value, answer.value);
    assert_int_equal(again.bound, answer.bound);
    assert_int_equal(again.bound_kind, answer.bound_kind);
    assert_int_equal(again.time_count, 2);
    assert_memory_equal(again.times, answer.times, 2 * sizeof *again.times);
    assert_ok(ctx, swp_answer_check(ctx, &p, &again));
}

static void an_infeasible_answer_has_no_numbers(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p = {.name = "\"quoted\""};
    const swp_answer answer = {.status = SWP_ANSWER_INFEASIBLE};
    char *text = NULL;
    assert_ok(ctx, swp_answer_json(ctx, &p, &answer, &text, NULL));
    assert_string_equal(text,
                        "{\"name\":\"\\\"quoted\\\"\",\"status\":\"infeasible\",\"value\":null,"
                        "\"bound\":null,\"times\":null,\"seconds\":0.000000,\"work\":0,"
                        "\"bound_kind\":\"none\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(every_member_is_read),
        CONTEXT_TEST(what_is_written_is_read_back),
        CONTEXT_TEST(what_the_format_does_not_have_is_refused),
        CONTEXT_TEST(the_known_optimum_may_be_anything),
        CONTEXT_TEST(texts_are_one_value_or_lines),
        CONTEXT_TEST(answers_are_read_back),
        CONTEXT_TEST(an_infeasible_answer_has_no_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
