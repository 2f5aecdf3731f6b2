/* SPDX-License-Identifier: Apache-2.0 */
#include "plain_proof.h"

#include <stdlib.h>
#include <string.h>

void plain_add(plain_formula *formula, const int *literals, size_t count)
{
    formula->literals =
        realloc(formula->literals, (formula->count + count + 1) * sizeof *formula->literals);
    if (!formula->literals)
        abort();
    memcpy(formula->literals + formula->count, literals, count * sizeof *literals);
    formula->count += count + 1;
    formula->literals[formula->count - 1] = 0;
}

void plain_free(plain_formula *formula)
{
    free(formula->literals);
    *formula = (plain_formula){0};
}

/* 1, -1 or 0 for a literal under values by variable. */
static int value_of(const signed char *values, int literal)
{
    return literal > 0 ? values[literal] : -values[-literal];
}

static void set(signed char *values, int literal)
{
    values[abs(literal)] = literal > 0 ? 1 : -1;
}

/* Where the next clause begins. */
static const int *after(const int *clause)
{
    while (*clause)
        clause++;
    return clause + 1;
}

/* Sets `*unit` to the only literal that can still hold; false if none can, so the clause is false. */
static bool look_at(const signed char *values, const int *clause, int *unit)
{
    int open = 0;
    *unit = 0;
    for (; *clause; clause++) {
        if (value_of(values, *clause) > 0) {
            *unit = 0;
            return true;
        }
        if (value_of(values, *clause) == 0 && *clause != *unit) {
            open++;
            *unit = *clause;
        }
    }
    if (open > 1)
        *unit = 0;
    return open > 0;
}

/* False if a clause is false in the end. */
static bool propagate(const plain_formula *formula, signed char *values)
{
    for (bool changed = true; changed;) {
        changed = false;
        const int *end = formula->literals + formula->count;
        for (const int *clause = formula->literals; clause != end; clause = after(clause)) {
            int unit = 0;
            if (!look_at(values, clause, &unit))
                return false;
            if (unit) {
                set(values, unit);
                changed = true;
            }
        }
    }
    return true;
}

static bool satisfiable(const plain_formula *formula, int variables, const signed char *given)
{
    signed char *values = malloc((size_t)variables + 1);
    if (!values)
        abort();
    memcpy(values, given, (size_t)variables + 1);
    bool found = propagate(formula, values);
    int open = 1;
    while (open <= variables && values[open])
        open++;
    if (found && open <= variables) {
        values[open] = 1;
        found = satisfiable(formula, variables, values);
        values[open] = -1;
        found = found || satisfiable(formula, variables, values);
    }
    free(values);
    return found;
}

bool plain_satisfiable(const plain_formula *formula, int variables)
{
    signed char *none = calloc((size_t)variables + 1, 1);
    if (!none)
        abort();
    const bool found = satisfiable(formula, variables, none);
    free(none);
    return found;
}

/* Makes the literals of a clause but `except` false; false if one holds already. */
static bool deny(signed char *values, const int *clause, int except)
{
    for (; *clause; clause++) {
        if (*clause == except)
            continue;
        if (value_of(values, *clause) > 0)
            return false;
        set(values, -*clause);
    }
    return true;
}

static bool has(const int *clause, int literal)
{
    for (; *clause; clause++)
        if (*clause == literal)
            return true;
    return false;
}

static bool same_set(const int *a, const int *b)
{
    for (const int *i = a; *i; i++)
        if (!has(b, *i))
            return false;
    for (const int *i = b; *i; i++)
        if (!has(a, *i))
            return false;
    return true;
}

/* Whether the clause follows, or all its resolvents on its first literal do. `known` is for good. */
static bool holds(const plain_formula *formula, int variables, const signed char *known,
                  const int *clause)
{
    const size_t bytes = (size_t)variables + 1;
    signed char *denied = malloc(2 * bytes);
    if (!denied)
        abort();
    signed char *values = denied + bytes;
    memcpy(denied, known, bytes);
    bool good = !deny(denied, clause, 0);
    memcpy(values, denied, bytes);
    good = good || !propagate(formula, values);
    if (!good && *clause && value_of(known, *clause) == 0) {
        good = true;
        const int *end = formula->literals + formula->count;
        for (const int *other = formula->literals; other != end && good; other = after(other)) {
            if (!has(other, -*clause))
                continue;
            memcpy(values, denied, bytes);
            good = !deny(values, other, -*clause) || !propagate(formula, values);
        }
    }
    free(denied);
    return good;
}

static void erase(plain_formula *formula, const int *clause)
{
    int *end = formula->literals + formula->count;
    for (int *other = formula->literals; other != end;) {
        int *next = (int *)after(other);
        if (same_set(other, clause)) {
            memmove(other, next, (size_t)(end - next) * sizeof *next);
            formula->count -= (size_t)(next - other);
            return;
        }
        other = next;
    }
}

/* A clause with a literal and its negation says nothing: no step is about it. */
static void keep_clause(plain_formula *formula, const int *clause)
{
    for (const int *i = clause; *i; i++)
        if (has(clause, -*i))
            return;
    plain_add(formula, clause, (size_t)(after(clause) - clause) - 1);
}

/* The literals of a step, ended by 0; the caller frees them. */
static int *read_step(const char **at, bool *deletion)
{
    *deletion = **at == 'd';
    *at += *deletion;
    int *literals = NULL;
    size_t count = 0;
    do {
        literals = realloc(literals, ++count * sizeof *literals);
        if (!literals)
            abort();
        char *end = NULL;
        literals[count - 1] = (int)strtol(*at, &end, 10);
        *at = end;
    } while (literals[count - 1]);
    *at += strspn(*at, "\n");
    return literals;
}

plain_verdict plain_check(const plain_formula *formula, int variables, const char *proof,
                          size_t *step)
{
    plain_formula now = {0};
    signed char *known = calloc((size_t)variables + 1, 1);
    if (!known)
        abort();
    for (const int *c = formula->literals; c != formula->literals + formula->count; c = after(c))
        keep_clause(&now, c);
    plain_verdict verdict = propagate(&now, known) ? PLAIN_INCOMPLETE : PLAIN_REFUTED;
    for (*step = 0; *proof && verdict == PLAIN_INCOMPLETE;) {
        bool deletion = false;
        int *literals = read_step(&proof, &deletion);
        ++*step;
        if (deletion) {
            erase(&now, literals);
        } else if (!holds(&now, variables, known, literals)) {
            verdict = PLAIN_REFUSED;
        } else {
            keep_clause(&now, literals);
            verdict = propagate(&now, known) ? PLAIN_INCOMPLETE : PLAIN_REFUTED;
        }
        free(literals);
    }
    free(known);
    plain_free(&now);
    return verdict;
}
