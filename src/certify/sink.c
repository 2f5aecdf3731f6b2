/* SPDX-License-Identifier: Apache-2.0 */
/* Compares each clause that the encoder makes with the certificate's, and keeps it for the proof. */
#include "certify/sink.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DIGITS = 12, MOST_SHOWN = 60 };

swp_sink swp_certify_sink_open(swp_context *ctx, swp_judgement *judgement,
                               const swp_certificate_step *step)
{
    return (swp_sink){
        .ctx = ctx, .judgement = judgement, .step = step, .line = step->formula.place.line};
}

void swp_certify_sink_about(swp_sink *sink, swp_subject subject, int64_t first, int64_t second)
{
    sink->subject = subject;
    sink->about[0] = first;
    sink->about[1] = second;
}

static swp_place here(const swp_sink *sink)
{
    return (swp_place){sink->step->formula.place.file, sink->line, 0};
}

static void describe(const swp_sink *sink, char *out, size_t size)
{
    const long long first = sink->about[0];
    const long long second = sink->about[1];
    if (sink->subject == SWP_ABOUT_TIMES)
        (void)snprintf(out, size, "the times of op %lld", first);
    else if (sink->subject == SWP_ABOUT_ARC)
        (void)snprintf(out, size, "op %lld after op %lld", second, first);
    else
        (void)snprintf(out, size, "resource %lld in cycle %lld", first, second);
}

/* Returns how many bytes of a clause are shown. */
static int shown(size_t length)
{
    return (int)(length < MOST_SHOWN ? length : MOST_SHOWN);
}

static const char *tail_of(size_t length)
{
    return length > MOST_SHOWN ? "…" : "";
}

static swp_status refuse_clause(swp_sink *sink, const char *ours, size_t length)
{
    char about[80];
    const swp_problem_text *text = &sink->step->formula;
    const size_t left = text->length - sink->at;
    const char *theirs = text->text + sink->at;
    const char *end = left ? memchr(theirs, '\n', left) : NULL;
    const size_t count = end ? (size_t)(end - theirs) : left;
    describe(sink, about, sizeof about);
    if (left == 0)
        return swp_certify_refuse(
            sink->judgement, here(sink),
            "the formula ends after %zu clauses, but that of the problem goes on "
            "with `%.*s`%s (%s)",
            sink->formula.clauses, shown(length), ours, tail_of(length), about);
    return swp_certify_refuse(sink->judgement, here(sink),
                              "clause %zu is `%.*s`%s, but that of the problem is `%.*s`%s (%s)",
                              sink->formula.clauses + 1, shown(count), theirs, tail_of(count),
                              shown(length), ours, tail_of(length), about);
}

swp_status swp_certify_sink_variables(swp_sink *sink, int64_t count, int *first)
{
    if (count > sink->step->variables - sink->formula.variables)
        return swp_certify_refuse(sink->judgement, sink->step->place,
                                  "the formula of the problem has more than %lld variables",
                                  (long long)sink->step->variables);
    *first = sink->formula.variables + 1;
    sink->formula.variables += (int)count;
    return SWP_OK;
}

swp_status swp_certify_sink_variable(swp_sink *sink, int *variable)
{
    return swp_certify_sink_variables(sink, 1, variable);
}

/* Prints a number and a blank; returns the length. */
static size_t print_literal(char *out, int literal)
{
    char digits[MOST_DIGITS] = {0};
    size_t count = 0;
    size_t length = 0;
    unsigned rest = literal < 0 ? 0U - (unsigned)literal : (unsigned)literal;
    if (literal < 0)
        out[length++] = '-';
    for (; rest > 0 || count == 0; rest /= 10)
        digits[count++] = (char)('0' + rest % 10);
    while (count > 0)
        out[length++] = digits[--count];
    out[length++] = ' ';
    return length;
}

/* Compares the clause with the certificate's next one as texts, since there is only one way to write it. */
static swp_status compare(swp_sink *sink)
{
    if (!sink->step->formula.text)
        return SWP_OK;
    char fixed[256];
    char *ours = fixed;
    size_t length = 0;
    if ((sink->clause.count + 1) * MOST_DIGITS > sizeof fixed)
        SWP_TRY(SWP_TAKE(sink->ctx, (sink->clause.count + 1) * MOST_DIGITS, &ours));
    for (size_t i = 0; i < sink->clause.count; i++)
        length += print_literal(ours + length, sink->clause.items[i]);
    length += print_literal(ours + length, 0);
    ours[length - 1] = '\n';
    const swp_problem_text *text = &sink->step->formula;
    if (length > text->length - sink->at || memcmp(text->text + sink->at, ours, length) != 0)
        return refuse_clause(sink, ours, length - 1);
    sink->at += length;
    sink->line++;
    return SWP_OK;
}

swp_status swp_certify_sink_clause(swp_sink *sink, const int *literals, size_t count)
{
    sink->clause.count = 0;
    SWP_TRY(swp_certify_spend(sink->judgement, 1 + count));
    for (size_t i = 0; i < count; i++) {
        if (literals[i] == SWP_TRUE)
            return SWP_OK;
        if (literals[i] != SWP_FALSE)
            SWP_TRY(SWP_PUSH(sink->ctx, &sink->clause, literals[i]));
    }
    SWP_TRY(compare(sink));
    return swp_certify_formula_add(sink->ctx, &sink->formula, sink->clause.items,
                                   sink->clause.count);
}

swp_status swp_certify_sink_close(swp_sink *sink)
{
    if (sink->at < sink->step->formula.length)
        return swp_certify_refuse(
            sink->judgement, here(sink),
            "the formula goes on, but that of the problem has only %zu clauses",
            sink->formula.clauses);
    if (sink->formula.variables != sink->step->variables)
        return swp_certify_refuse(sink->judgement, sink->step->place,
                                  "the formula has %lld variables, but that of the problem has %d",
                                  (long long)sink->step->variables, sink->formula.variables);
    return SWP_OK;
}
