/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "swp/certify.h"

#include <string.h>

/* One op of a latency on no resource: its makespan is the latency. */
#define PROBLEM(name, latency)                                                                     \
    "{\"swp\":1,\"name\":\"" name "\",\"problem\":\"makespan\",\"resources\":[],\"ops\":"          \
    "[{\"name\":\"o\",\"latency\":" latency ",\"uses\":[]}],\"edges\":[]}\n"
#define ANSWER(name, value)                                                                        \
    "{\"name\":\"" name "\",\"status\":\"optimal\",\"value\":" value ",\"bound\":" value           \
    ",\"times\":[0],\"seconds\":0.0,\"work\":0}\n"
#define CERTIFICATE(name, value)                                                                   \
    "{\"swp\":1,\"certificate\":\"" name "\",\"problem\":\"makespan\",\"status\":\"optimal\","     \
    "\"value\":" value ",\"steps\":1}\n{\"step\":\"path\",\"op\":0,\"edges\":[]}\n"

static swp_certificate_batch *batch_of(swp_context *ctx, const char *problems, const char *answers,
                                       const char *certificates)
{
    const swp_problem_text texts[] = {{problems, strlen(problems), {"problems", 1, 1}},
                                      {answers, strlen(answers), {"answers", 1, 1}},
                                      {certificates, strlen(certificates), {"proofs", 1, 1}}};
    swp_certificate_batch *batch = NULL;
    assert_ok(ctx, swp_certificate_batch_new(ctx, &texts[0], &texts[1], &texts[2], &batch));
    return batch;
}

static swp_certificate_report check(swp_context *ctx, swp_certificate_batch *batch, size_t index)
{
    swp_certificate_report report;
    assert_ok(ctx, swp_certificate_batch_check(ctx, batch, index, &report));
    return report;
}

static void problems_find_their_answers_in_any_order(void **state)
{
    swp_certificate_batch *batch =
        batch_of(*state, PROBLEM("a", "3") PROBLEM("b", "5"), ANSWER("b", "5") ANSWER("a", "3"),
                 CERTIFICATE("b", "5") CERTIFICATE("a", "3"));
    swp_certificate_reports unmatched = {0};
    assert_int_equal(swp_certificate_batch_count(batch), 2);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(check(*state, batch, i).verdict, SWP_CERTIFICATE_ACCEPTED);
    assert_ok(*state, swp_certificate_batch_unmatched(*state, batch, &unmatched));
    assert_int_equal(unmatched.count, 0);
}

/* A line that is no problem has no answer, so that those of the others are not where it would have them. */
static void a_malformed_problem_shifts_nothing(void **state)
{
    swp_certificate_batch *batch =
        batch_of(*state, "{}\n" PROBLEM("p", "3") PROBLEM("p", "5"),
                 ANSWER("p", "3") ANSWER("p", "5"), CERTIFICATE("p", "3") CERTIFICATE("p", "5"));
    swp_certificate_report report;
    assert_int_equal(swp_certificate_batch_check(*state, batch, 0, &report), SWP_INVALID);
    for (size_t i = 1; i < 3; i++)
        assert_int_equal(check(*state, batch, i).verdict, SWP_CERTIFICATE_ACCEPTED);
}

static void what_has_no_counterpart_is_refused(void **state)
{
    swp_certificate_batch *batch =
        batch_of(*state, PROBLEM("a", "3") PROBLEM("b", "5"), ANSWER("b", "5") ANSWER("c", "3"),
                 CERTIFICATE("a", "3"));
    swp_certificate_reports unmatched = {0};
    assert_string_equal(check(*state, batch, 0).why, "there is no answer to this problem");
    assert_string_equal(check(*state, batch, 1).why, "there is no certificate for this problem");
    assert_ok(*state, swp_certificate_batch_unmatched(*state, batch, &unmatched));
    assert_int_equal(unmatched.count, 1);
    assert_string_equal(unmatched.items[0].name, "c");
    assert_int_equal(unmatched.items[0].verdict, SWP_CERTIFICATE_REFUSED);
    assert_string_equal(unmatched.items[0].why, "the answer is for no problem of the file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(problems_find_their_answers_in_any_order),
        CONTEXT_TEST(a_malformed_problem_shifts_nothing),
        CONTEXT_TEST(what_has_no_counterpart_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
