/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "fixture.h"
#include "problems.h"
#include "swp/certificate.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* An op on both units leaves 5 of 6 cycles, which no two ops of 3 fill: the formula of 6 is refuted in some lines. */
static swp_status certify(swp_context *ctx)
{
    const swp_problem p =
        problem_of(ctx, SWP_PROBLEM_MODULO, "2", "1:r1x3 1:r1x3 1:r1x3 1:r2x1", "0>1 1>2 2>0/3=-3");
    char *text = NULL;
    size_t length = 0;
    swp_answer answer;
    assert_ok(ctx, swp_solve_problem(ctx, &p, &answer));
    assert_int_equal(answer.status, SWP_ANSWER_OPTIMAL);
    assert_int_equal(answer.bound_kind, SWP_BOUND_REFUTATION);
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    const swp_status status = swp_certificate_write(ctx, &p, &answer, stream);
    (void)fclose(stream);
    free(text);
    return status;
}

static void a_proof_that_could_not_be_written_is_none(void **state)
{
    struct rlimit before;
    assert_ok(*state, certify(*state));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit none = {.rlim_cur = 0, .rlim_max = before.rlim_max};
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    const swp_status status = certify(*state);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_status(*state, status, SWP_STOPPED);
    assert_diag(*state, "E0827", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_proof_that_could_not_be_written_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
