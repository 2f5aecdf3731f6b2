/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates `${...}` by recursive descent. */
#include "describe/yaml_expression.h"

#include "describe/hint.h"
#include "describe/yaml_arithmetic.h"
#include "describe/yaml_scope.h"
#include "swp/character.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* An expression on its way. After a report nothing more of it is read. */
typedef struct parse {
    swp_yaml_scope *scope;
    const swp_yaml_slice *slice;
    size_t at;
    bool failed;
} parse;

enum { MOST_DEPTH = 64 };

size_t swp_describe_yaml_name_length(const char *text, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    size_t i = 0;
    while (i < length && text[i] &&
           (strchr(letters, text[i]) || (i > 0 && text[i] >= '0' && text[i] <= '9')))
        i++;
    return i;
}

swp_yaml_slice swp_describe_yaml_slice_from(const swp_yaml_slice *slice, size_t at, size_t length)
{
    swp_yaml_slice part = *slice;
    part.text += at;
    part.length = length;
    for (size_t i = 0; slice->one_line && i < at;) {
        i += swp_character_at(slice->text + i, slice->length - i).length;
        part.place.column++;
    }
    return part;
}

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
static swp_status
fail(parse *p, size_t at, const char *hint, const char *format, ...)
{
    char message[256];
    if (p->failed)
        return SWP_OK;
    p->failed = true;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const swp_place place = swp_describe_yaml_slice_from(p->slice, at, 0).place;
    return swp_describe_yaml_report(p->scope->reader, SWP_E0112, place, hint, "%s", message);
}

static void skip_blanks(parse *p)
{
    while (p->at < p->slice->length &&
           (p->slice->text[p->at] == ' ' || p->slice->text[p->at] == '\t'))
        p->at++;
}

/* The next character that is no blank; NUL at the end. */
static char next(parse *p)
{
    skip_blanks(p);
    if (p->at == p->slice->length)
        return '\0';
    return p->slice->text[p->at];
}

static bool take(parse *p, char c)
{
    if (p->failed || next(p) != c || p->at == p->slice->length)
        return false;
    p->at++;
    return true;
}

static const char too_large[] = "all that it comes to on the way stays below 2^63";
static const char grammar[] =
    "an expression has whole numbers, names, ( ), + - * / %, and functions";

static swp_status expected(parse *p, const char *what)
{
    char shown[SWP_SHOWN_SIZE];
    skip_blanks(p);
    if (p->at == p->slice->length)
        return fail(p, p->at, grammar, "the expression ends where %s should stand", what);
    (void)swp_character_show(p->slice->text + p->at, p->slice->length - p->at, shown);
    return fail(p, p->at, grammar, "`%s` stands where %s should", shown, what);
}

static swp_status apply(parse *p, size_t at, const char *sign, swp_yaml_operation *f, int64_t *a,
                        int64_t b)
{
    if (p->failed)
        return SWP_OK;
    const int64_t left = *a;
    const char *why = f(left, b, a);
    if (!why)
        return SWP_OK;
    const char *hint = why == swp_describe_yaml_by_zero ? "what divides must not come to 0"
                       : f == swp_describe_yaml_divide && why != swp_describe_yaml_too_large
                           ? "floor_div(a, b) rounds down, ceil_div(a, b) up"
                           : too_large;
    const bool is_word = sign[0] >= 'a';
    return is_word
               ? fail(p, at, hint, "%s(%lld, %lld) %s", sign, (long long)left, (long long)b, why)
               : fail(p, at, hint, "%lld %s %lld %s", (long long)left, sign, (long long)b, why);
}

static swp_status read_sum(parse *p, int64_t *value);

/* Digits, of which more follow. */
static swp_status read_digits(parse *p, int64_t *value)
{
    const char *text = p->slice->text;
    const size_t start = p->at;
    *value = 0;
    for (; p->at < p->slice->length && text[p->at] >= '0' && text[p->at] <= '9'; p->at++)
        if (swp_describe_yaml_multiply(*value, 10, value) ||
            swp_describe_yaml_add(*value, text[p->at] - '0', value))
            return fail(p, start, too_large, "a number is beyond 64 bits");
    if (p->at - start > 1 && text[start] == '0')
        return fail(p, start, SWP_YAML_OCTAL_HINT, "a number begins with 0");
    return SWP_OK;
}

static swp_status report_function(parse *p, const char *name, size_t length, size_t at)
{
    const char *names[SWP_YAML_FUNCTIONS];
    char *word = NULL;
    char *hint = NULL;
    for (size_t i = 0; i < SWP_YAML_FUNCTIONS; i++)
        names[i] = swp_describe_yaml_functions[i].name;
    SWP_TRY(swp_copy_text(p->scope->reader->ctx, name, length, &word));
    SWP_TRY(
        swp_describe_hint_of_names(p->scope->reader->ctx, word, names, SWP_YAML_FUNCTIONS, &hint));
    return fail(p, at, hint, "there is no function `%.60s`", word);
}

/* What follows a function's name. */
static swp_status read_arguments(parse *p, const swp_yaml_function *function, size_t at,
                                 int64_t *value)
{
    int count = 1;
    SWP_TRY(read_sum(p, value));
    for (; take(p, ','); count++) {
        int64_t other = 0;
        SWP_TRY(read_sum(p, &other));
        SWP_TRY(apply(p, at, function->name, function->apply, value, other));
    }
    if (p->failed)
        return SWP_OK;
    if (!take(p, ')'))
        return expected(p, "`)` or `,`");
    if (count == 2 || (count > 2 && function->of_many))
        return SWP_OK;
    return fail(p, at,
                function->of_many ? "name what it is the least or most of"
                                  : "write its dividend and its divisor",
                "%s takes two numbers%s, not %d", function->name,
                function->of_many ? " or more" : "", count);
}

static swp_status read_call(parse *p, size_t at, size_t length, int64_t *value)
{
    const char *name = p->slice->text + at;
    for (size_t i = 0; i < SWP_YAML_FUNCTIONS; i++)
        if (strlen(swp_describe_yaml_functions[i].name) == length &&
            memcmp(swp_describe_yaml_functions[i].name, name, length) == 0)
            return read_arguments(p, &swp_describe_yaml_functions[i], at, value);
    return report_function(p, name, length, at);
}

/* The names that follow this one, each after a dot; 0: none does. */
static size_t rest_of_path(const swp_yaml_slice *slice, size_t at)
{
    const size_t start = at;
    while (at < slice->length && slice->text[at] == '.')
        at += 1 + swp_describe_yaml_name_length(slice->text + at + 1, slice->length - at - 1);
    return at - start;
}

static swp_status read_name(parse *p, int64_t *value)
{
    const size_t at = p->at;
    const size_t length = swp_describe_yaml_name_length(p->slice->text + at, p->slice->length - at);
    if (length == 0)
        return expected(p, "a number");
    p->at += length;
    if (take(p, '('))
        return read_call(p, at, length, value);
    const size_t rest = p->at == at + length ? rest_of_path(p->slice, p->at) : 0;
    const swp_yaml_slice name = swp_describe_yaml_slice_from(p->slice, at, length + rest);
    bool found = false;
    SWP_TRY(rest ? swp_describe_yaml_find_figure(p->scope, &name, value, &found)
                 : swp_describe_yaml_find_number(p->scope, &name, value, &found));
    p->at += rest;
    p->failed = !found;
    return SWP_OK;
}

static swp_status read_operand(parse *p, int64_t *value)
{
    const char c = next(p);
    if (c >= '0' && c <= '9')
        return read_digits(p, value);
    if (!take(p, '('))
        return read_name(p, value);
    SWP_TRY(read_sum(p, value));
    return p->failed || take(p, ')') ? SWP_OK : expected(p, "`)`");
}

/* An operand with its signs. */
static swp_status read_signed(parse *p, int64_t *value)
{
    const size_t at = p->at;
    bool negative = false;
    while (take(p, '-'))
        negative = !negative;
    if (p->scope->depth == MOST_DEPTH)
        return fail(p, p->at, "give a part of it a name in `variables`, before what needs it",
                    "the expression is more than %d deep", MOST_DEPTH);
    p->scope->depth++;
    SWP_TRY(read_operand(p, value));
    p->scope->depth--;
    const int64_t operand = *value;
    *value = 0;
    return apply(p, at, negative ? "-" : "+",
                 negative ? swp_describe_yaml_subtract : swp_describe_yaml_add, value, operand);
}

static const swp_yaml_operator *take_operator(parse *p, int rank)
{
    for (size_t i = 0; i < SWP_YAML_OPERATORS; i++)
        if (swp_describe_yaml_operators[i].rank == rank &&
            take(p, swp_describe_yaml_operators[i].sign))
            return &swp_describe_yaml_operators[i];
    return NULL;
}

/* Operands that operators of this rank join, from left to right. */
static swp_status read_rank(parse *p, int rank, int64_t *value)
{
    if (rank == SWP_YAML_RANKS)
        return read_signed(p, value);
    SWP_TRY(read_rank(p, rank + 1, value));
    for (const swp_yaml_operator *o = take_operator(p, rank); o; o = take_operator(p, rank)) {
        const size_t at = p->at - 1;
        int64_t other = 0;
        SWP_TRY(read_rank(p, rank + 1, &other));
        SWP_TRY(apply(p, at, (char[]){o->sign, '\0'}, o->apply, value, other));
    }
    return SWP_OK;
}

static swp_status read_sum(parse *p, int64_t *value)
{
    return read_rank(p, 0, value);
}

swp_status swp_describe_yaml_evaluate(swp_yaml_scope *scope, const swp_yaml_slice *expression,
                                      int64_t *value, bool *found)
{
    parse p = {.scope = scope, .slice = expression};
    const size_t depth = scope->depth;
    SWP_TRY(read_sum(&p, value));
    scope->depth = depth;
    if (!p.failed && (next(&p) || p.at < expression->length))
        SWP_TRY(expected(&p, "an operator"));
    *found = !p.failed;
    return SWP_OK;
}
