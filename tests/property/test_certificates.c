/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Certificates of small random problems, made here with proofs by the program `cadical`: accepted as
 * they are; with a change in the certificate, the problem or the answer refused, or still valid for a
 * cause that a plain judge sees.
 */
/* strndup() */
#define _POSIX_C_SOURCE 200809L

#include "cadical.h"
#include "fixture.h"
#include "plain_problem.h"
#include "plain_proof.h"
#include "random_problem.h"
#include "refutations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A problem with an optimal answer, and the text of a certificate for it. */
typedef struct sample {
    swp_context *ctx;
    swp_problem problem;
    swp_answer answer;
    char *text;
} sample;

/* Whether the random problem has an optimum that takes a refutation, and the solver found it. */
static bool draw(sample *s, test_random *random, const problem_shape *shape)
{
    s->problem = random_problem(s->ctx, random, shape);
    s->problem.name = "random";
    const bool modulo = shape->kind == SWP_PROBLEM_MODULO;
    const int64_t optimum = plain_optimum(&s->problem, 7);
    if (optimum < 2 || swp_solve_problem(s->ctx, &s->problem, &s->answer) != SWP_OK ||
        !s->answer.times || s->answer.value != optimum)
        return false;
    s->answer.status = SWP_ANSWER_OPTIMAL;
    s->answer.bound = optimum;
    /* With negative delays each interval needs a refutation of its own. */
    const int64_t first = modulo && shape->negative ? 1 : optimum - 1;
    s->text = certificate_of(s->ctx, random, &s->problem, first, optimum);
    return s->text != NULL;
}

/* SWP_CERTIFICATE_REFUSED for what cannot be read, too. */
static swp_certificate_verdict verdict_on(const swp_problem *problem, const swp_answer *answer,
                                          const char *text, swp_certificate_report *report)
{
    swp_context *ctx = swp_context_new(NULL);
    assert_non_null(ctx);
    const swp_problem_text whole = {text, strlen(text), {"certificate", 1, 1}};
    swp_certificate certificate;
    *report = (swp_certificate_report){.verdict = SWP_CERTIFICATE_REFUSED};
    swp_status status = swp_certificate_read(ctx, &whole, &certificate);
    if (status == SWP_OK)
        status = swp_certificate_check(ctx, problem, answer, &certificate, report);
    size_t count = 0;
    (void)swp_context_diags(ctx, &count);
    assert_true(status == SWP_OK || status == SWP_INVALID);
    assert_true((status == SWP_OK) == (count == 0));
    if (status == SWP_OK)
        assert_true((report->verdict == SWP_CERTIFICATE_ACCEPTED) == (report->why == NULL));
    else
        report->verdict = SWP_CERTIFICATE_REFUSED;
    const swp_certificate_verdict verdict = report->verdict;
    swp_context_free(ctx);
    return verdict;
}

typedef enum line_kind { LINE_JSON, LINE_CLAUSE, LINE_PROOF, LINE_KINDS } line_kind;

/* The kind of the line with this index, by the counts that JSON lines state. */
static line_kind kind_of_line(const char *text, size_t wanted)
{
    long clauses = 0;
    long lines = 0;
    for (size_t i = 0; *text; i++) {
        const char *end = strchr(text, '\n');
        line_kind kind = LINE_JSON;
        if (clauses > 0) {
            kind = LINE_CLAUSE;
            clauses--;
        } else if (lines > 0) {
            kind = LINE_PROOF;
            lines--;
        } else if (strstr(text, "\"clauses\":") && strstr(text, "\"clauses\":") < end) {
            clauses = strtol(strstr(text, "\"clauses\":") + 10, NULL, 10);
            lines = strtol(strstr(text, "\"lines\":") + 8, NULL, 10);
        }
        if (i == wanted)
            return kind;
        text = end + 1;
    }
    return LINE_JSON;
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static const char *line_at(const char *text, size_t index)
{
    for (; index > 0; index--)
        text = strchr(text, '\n') + 1;
    return text;
}

/* One line dropped, doubled, swapped with the next, or with one digit or sign changed. */
static char *mutant(test_random *random, const char *text, size_t index)
{
    const char *line = line_at(text, index);
    const char *next = strchr(line, '\n') + 1;
    const size_t before = (size_t)(line - text);
    const size_t length = (size_t)(next - line);
    char *out = malloc(strlen(text) + length + 2);
    assert_non_null(out);
    memcpy(out, text, before);
    char *at = out + before;
    const int how = random_int(random, 0, 9);
    if (how == 0) {
        strcpy(at, next);
    } else if (how == 1) {
        memcpy(at, line, length);
        strcpy(at + length, line);
    } else if (how == 2 && *next) {
        const size_t other = (size_t)(strchr(next, '\n') + 1 - next);
        memcpy(at, next, other);
        memcpy(at + other, line, length);
        strcpy(at + other + length, next + other);
    } else {
        strcpy(at, line);
        size_t place = (size_t)random_int(random, 0, (int)length - 1);
        for (size_t tried = 0; tried < length && (at[place] < '0' || at[place] > '9'); tried++)
            place = (place + 1) % length;
        if (at[place] < '0' || at[place] > '9')
            return out;
        if (how < 6 && place > 0 && at[place - 1] == '-')
            memmove(at + place - 1, at + place, strlen(at + place) + 1);
        else
            at[place] = (char)('0' + (at[place] - '0' + random_int(random, 1, 9)) % 10);
    }
    return out;
}

/* The largest variable of literals in decimal, each line ended by 0. */
static int most_variable(const char *text)
{
    int most = 0;
    for (; *text; text++)
        if (*text >= '0' && *text <= '9') {
            const int number = (int)strtol(text, (char **)&text, 10);
            most = number > most ? number : most;
            text--;
        }
    return most;
}

/*
 * What an accepted mutant's text has to be good for: every formula in it is refuted by the proof
 * after it, as the plain checker sees it.
 */
static bool proofs_hold(const char *text)
{
    const size_t lines = count_lines(text);
    for (size_t i = 0; i < lines;) {
        const char *line = line_at(text, i++);
        const char *clauses = strstr(line, "\"clauses\":");
        if (!clauses || clauses > strchr(line, '\n'))
            continue;
        const size_t count = strtoul(clauses + 10, NULL, 10);
        const size_t steps = strtoul(strstr(line, "\"lines\":") + 8, NULL, 10);
        plain_formula formula = {0};
        const char *at = line_at(text, i);
        for (size_t c = 0; c < count; c++) {
            int literals[256];
            size_t size = 0;
            while ((literals[size] = (int)strtol(at, (char **)&at, 10)) != 0)
                size++;
            plain_add(&formula, literals, size);
        }
        const char *from = line_at(text, i + count);
        char *proof = strndup(from, (size_t)(line_at(text, i + count + steps) - from));
        size_t step = 0;
        const bool holds =
            plain_check(&formula, most_variable(line_at(text, i)), proof, &step) == PLAIN_REFUTED;
        free(proof);
        plain_free(&formula);
        if (!holds)
            return false;
        i += count + steps;
    }
    return true;
}

static void check_mutants(const sample *s, test_random *random, size_t index,
                          size_t accepted[LINE_KINDS], size_t refused[LINE_KINDS])
{
    const size_t lines = count_lines(s->text);
    for (int i = 0; i < 40; i++) {
        const size_t line = random_chance(random, 25)
                                ? (size_t)random_int(random, 0, 1)
                                : (size_t)random_int(random, 0, (int)lines - 1);
        const line_kind kind = kind_of_line(s->text, line);
        char *changed = mutant(random, s->text, line);
        const bool same = !strcmp(changed, s->text);
        swp_certificate_report report;
        const bool yes =
            verdict_on(&s->problem, &s->answer, changed, &report) == SWP_CERTIFICATE_ACCEPTED;
        if ((yes && kind == LINE_CLAUSE && !same) || (yes && !proofs_hold(changed))) {
            print_problem(s->ctx, &s->problem);
            fail_msg("case %zu: line %zu changed, and accepted\n%s", index, line + 1, changed);
        }
        accepted[kind] += yes;
        refused[kind] += !yes;
        free(changed);
    }
}

/* A number of the problem changed: what is accepted has to be the optimum of the changed one. */
static void check_changed_problem(const sample *s, test_random *random, size_t index,
                                  size_t *accepted, size_t *refused)
{
    swp_problem changed = s->problem;
    swp_context *ctx = s->ctx;
    swp_problem_op *ops = swp_context_take(ctx, changed.op_count * sizeof *ops);
    swp_problem_edge *edges = swp_context_take(ctx, (changed.edge_count + 1) * sizeof *edges);
    swp_problem_resource *resources =
        swp_context_take(ctx, (changed.resource_count + 1) * sizeof *resources);
    memcpy(ops, changed.ops, changed.op_count * sizeof *ops);
    memcpy(edges, changed.edges, changed.edge_count * sizeof *edges);
    memcpy(resources, changed.resources, changed.resource_count * sizeof *resources);
    changed.ops = ops;
    changed.edges = edges;
    changed.resources = resources;
    const int by = random_chance(random, 50) ? 1 : -1;
    const int how = random_int(random, 0, 3);
    swp_problem_op *op = &ops[random_int(random, 0, (int)changed.op_count - 1)];
    if (how == 0)
        op->latency += by;
    else if (how == 1 && op->use_count)
        ((swp_problem_use *)op->uses)->cycles += by;
    else if (how == 2 && changed.resource_count)
        resources[random_int(random, 0, (int)changed.resource_count - 1)].capacity += by;
    else if (changed.edge_count)
        edges[random_int(random, 0, (int)changed.edge_count - 1)].delay += by;
    swp_certificate_report report;
    const bool yes = verdict_on(&changed, &s->answer, s->text, &report) == SWP_CERTIFICATE_ACCEPTED;
    if (yes && (plain_optimum(&changed, s->answer.value) != s->answer.value ||
                swp_answer_check(ctx, &changed, &s->answer) != SWP_OK)) {
        print_problem(ctx, &changed);
        fail_msg("case %zu: the problem changed, and accepted\n%s", index, s->text);
    }
    *accepted += yes;
    *refused += !yes;
    if (how == 1 && op->use_count)
        ((swp_problem_use *)op->uses)->cycles -= by;
}

/* A time or the value changed: what is accepted has to be a schedule of the optimal value. */
static void check_changed_answer(const sample *s, test_random *random, size_t index)
{
    swp_answer changed = s->answer;
    int64_t *times = swp_context_take(s->ctx, changed.time_count * sizeof *times);
    memcpy(times, changed.times, changed.time_count * sizeof *times);
    changed.times = times;
    const int by = random_chance(random, 50) ? 1 : -1;
    if (random_chance(random, 70))
        times[random_int(random, 0, (int)changed.time_count - 1)] += by;
    else if (random_chance(random, 50))
        changed.value += by;
    else
        changed.bound += by;
    swp_certificate_report report;
    if (verdict_on(&s->problem, &changed, s->text, &report) == SWP_CERTIFICATE_ACCEPTED &&
        (changed.value != s->answer.value || changed.bound != changed.value ||
         swp_answer_check(s->ctx, &s->problem, &changed) != SWP_OK))
        fail_msg("case %zu: the answer changed, and accepted", index);
    swp_context_clear_diags(s->ctx);
}

static void check_certificates(const problem_shape *shape, uint64_t seed, size_t cases)
{
    size_t samples = 0;
    size_t accepted[LINE_KINDS] = {0};
    size_t refused[LINE_KINDS] = {0};
    size_t other_accepted = 0;
    size_t other_refused = 0;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        sample s = {.ctx = swp_context_new(NULL)};
        assert_non_null(s.ctx);
        if (draw(&s, &random, shape)) {
            swp_certificate_report report;
            if (verdict_on(&s.problem, &s.answer, s.text, &report) != SWP_CERTIFICATE_ACCEPTED) {
                print_problem(s.ctx, &s.problem);
                fail_msg("case %zu: not accepted\n%s", i, s.text);
            }
            samples++;
            check_mutants(&s, &random, i, accepted, refused);
            for (int m = 0; m < 10; m++)
                check_changed_problem(&s, &random, i, &other_accepted, &other_refused);
            for (int m = 0; m < 10; m++)
                check_changed_answer(&s, &random, i);
        }
        free(s.text);
        swp_context_free(s.ctx);
    }
    printf("%zu certificates; JSON changed: %zu accepted, %zu refused; clauses: %zu, %zu; proofs: "
           "%zu, %zu; problems: %zu, %zu\n",
           samples, accepted[LINE_JSON], refused[LINE_JSON], accepted[LINE_CLAUSE],
           refused[LINE_CLAUSE], accepted[LINE_PROOF], refused[LINE_PROOF], other_accepted,
           other_refused);
    assert_true(samples > cases / 20);
    assert_true(refused[LINE_CLAUSE] > samples && refused[LINE_JSON] > samples);
    assert_true(other_refused > samples);
}

static void makespans_are_certified_and_changes_refused(void **state)
{
    (void)state;
    if (!have_cadical())
        skip();
    const problem_shape shape = {SWP_PROBLEM_MAKESPAN, 5, 2, 3, 3, 0};
    check_certificates(&shape, random_seed(1), random_sample(200));
}

static void intervals_are_certified_and_changes_refused(void **state)
{
    (void)state;
    if (!have_cadical())
        skip();
    const problem_shape shape = {SWP_PROBLEM_MODULO, 5, 2, 3, 4, 0};
    check_certificates(&shape, random_seed(2), random_sample(200));
}

static void intervals_with_negative_delays_are_certified_one_by_one(void **state)
{
    (void)state;
    if (!have_cadical())
        skip();
    const problem_shape shape = {SWP_PROBLEM_MODULO, 5, 2, 3, 4, 30};
    check_certificates(&shape, random_seed(3), random_sample(300));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makespans_are_certified_and_changes_refused),
        cmocka_unit_test(intervals_are_certified_and_changes_refused),
        cmocka_unit_test(intervals_with_negative_delays_are_certified_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
