/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds of resources whose amounts do not divide the capacity, on small random problems: never above the
 * optimum by enumeration; their certificates accepted; and certificates with a changed number refused, unless
 * what they then say is true as well.
 */
#include "fixture.h"
#include "plain_problem.h"
#include "random_problem.h"

#include "solve/resource_bound.h"
#include "swp/certificate.h"
#include "swp/certify.h"

#include <stdio.h>
#include <string.h>

/* Enumeration goes no further. */
enum { MOST_INTERVAL = 10, MOST_MAKESPAN = 20 };

static const problem_shape shapes[] = {
    {SWP_PROBLEM_MODULO, 5, 2, 9, 5, 0},
    {SWP_PROBLEM_MODULO, 4, 2, 9, 4, 40},
    {SWP_PROBLEM_MAKESPAN, 5, 2, 9, 5, 0},
};

typedef struct sample {
    swp_context *ctx;
    swp_problem problem;
    int64_t optimum;
    swp_answer answer;
} sample;

/* Whether weights prove more than amounts do, and the optimum is known. */
static bool draw(sample *s, test_random *random, const problem_shape *shape)
{
    const bool modulo = shape->kind == SWP_PROBLEM_MODULO;
    s->problem = random_problem(s->ctx, random, shape);
    s->answer = (swp_answer){.bound = modulo};
    assert_ok(s->ctx, swp_solve_resource_bound(s->ctx, &s->problem, &s->answer));
    if (s->answer.bound_weights.count == 0)
        return false;
    s->optimum = plain_optimum(&s->problem, modulo ? MOST_INTERVAL : MOST_MAKESPAN);
    return s->optimum >= 0;
}

static char *certificate_of(const sample *s)
{
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_ok(s->ctx, swp_certificate_write(s->ctx, &s->problem, &s->answer, stream));
    const size_t length = (size_t)ftell(stream);
    char *text = swp_context_take(s->ctx, length + 1);
    rewind(stream);
    assert_int_equal(fread(text, 1, length, stream), length);
    (void)fclose(stream);
    return text;
}

/* SWP_CERTIFICATE_REFUSED for what cannot be read, too. */
static swp_certificate_report verdict_on(const sample *s, const char *text)
{
    const swp_problem_text whole = {.text = text, .length = strlen(text)};
    swp_certificate certificate;
    swp_certificate_report report = {.verdict = SWP_CERTIFICATE_REFUSED};
    if (swp_certificate_read(s->ctx, &whole, &certificate) == SWP_OK)
        assert_ok(s->ctx,
                  swp_certificate_check(s->ctx, &s->problem, &s->answer, &certificate, &report));
    swp_context_clear_diags(s->ctx);
    return report;
}

static bool change_digit(test_random *random, char *line)
{
    const size_t length = strcspn(line, "\n");
    size_t at = (size_t)random_int(random, 0, (int)length - 1);
    for (size_t tried = 0; tried < length && (line[at] < '0' || line[at] > '9'); tried++)
        at = (at + 1) % length;
    const char before = line[at];
    line[at] = (char)random_int(random, '0', '9');
    return line[at] != before;
}

/* Returns how many changes were refused; what is proven all the same has to be true. */
static size_t judge_changes(const sample *s, test_random *random, const char *text, size_t index)
{
    size_t refused = 0;
    for (int i = 0; i < 20; i++) {
        char *changed = swp_context_take(s->ctx, strlen(text) + 1);
        strcpy(changed, text);
        if (!change_digit(random, strstr(changed, "{\"step\":\"resource\"")))
            continue;
        const swp_certificate_report report = verdict_on(s, changed);
        refused += report.verdict == SWP_CERTIFICATE_REFUSED;
        if (report.proven > s->optimum) {
            print_problem(s->ctx, &s->problem);
            fail_msg("case %zu: %d proven, but the optimum is %d\n%s", index, (int)report.proven,
                     (int)s->optimum, changed);
        }
    }
    return refused;
}

/* Returns the refused changes of its certificate; none if it is another bound's. */
static size_t judge_certificate(sample *s, test_random *random, size_t index)
{
    assert_ok(s->ctx, swp_solve_problem(s->ctx, &s->problem, &s->answer));
    assert_int_equal(s->answer.value, s->optimum);
    const char *text = certificate_of(s);
    const swp_certificate_report report = verdict_on(s, text);
    if (report.verdict != SWP_CERTIFICATE_ACCEPTED) {
        print_problem(s->ctx, &s->problem);
        fail_msg("case %zu: %s\n%s", index, report.why, text);
    }
    return strstr(text, "\"weights\"") ? judge_changes(s, random, text, index) : 0;
}

static void weights_prove_what_is_true_and_no_more(void **state)
{
    (void)state;
    const uint64_t seed = random_seed(23);
    const size_t cases = random_sample(3000);
    size_t samples = 0;
    size_t met = 0;
    size_t refused = 0;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        sample s = {.ctx = swp_context_new(NULL)};
        assert_non_null(s.ctx);
        if (draw(&s, &random, &shapes[i % COUNT_OF(shapes)])) {
            if (s.answer.bound > s.optimum) {
                print_problem(s.ctx, &s.problem);
                fail_msg("case %zu: the bound is %d, but the optimum %d", i, (int)s.answer.bound,
                         (int)s.optimum);
            }
            samples++;
            met += s.answer.bound == s.optimum;
            refused += judge_certificate(&s, &random, i);
        }
        swp_context_free(s.ctx);
    }
    printf("%zu weighed bounds, %zu met; %zu changes refused\n", samples, met, refused);
    assert_true(samples > cases / 30 && met > samples / 4 && refused > samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_prove_what_is_true_and_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
