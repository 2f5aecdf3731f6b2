/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether a clause may be added: by unit propagation, or as a resolution asymmetric tautology. */
#include "certify/drat_checker.h"

#include "base/text.h"

enum { MOST_LITERALS_SHOWN = 8 };

bool swp_certify_drat_may_go_on(swp_drat_checker *k)
{
    const uint64_t work = k->assignment.work - k->spent + 1;
    k->spent = k->assignment.work;
    return swp_budget_work(k->budget, work);
}

/* Makes every literal of a clause but `except` false; returns false if one is true already. */
static bool assume_negation(swp_drat_checker *k, const uint32_t *literals, size_t count,
                            uint32_t except)
{
    for (size_t i = 0; i < count; i++) {
        const signed char value = k->assignment.values[literals[i]];
        if (literals[i] == except || value < 0)
            continue;
        if (value > 0)
            return false;
        swp_assign(&k->assignment, literals[i] ^ 1U);
    }
    return true;
}

/* Finds out whether propagation contradicts the negation of the literals, beside what is assumed. */
static swp_status contradicts(swp_drat_checker *k, const uint32_t *literals, size_t count,
                              uint32_t except, bool *yes)
{
    *yes = true;
    if (!assume_negation(k, literals, count, except))
        return SWP_OK;
    return swp_certify_propagate(&k->store, &k->assignment, yes);
}

static void put_clause(swp_text *text, const uint32_t *codes, size_t count)
{
    swp_text_format(text, "(");
    for (size_t i = 0; i < count && i < MOST_LITERALS_SHOWN; i++)
        swp_text_format(text, "%s%d", i ? " " : "", swp_literal_of(codes[i]));
    if (count > MOST_LITERALS_SHOWN)
        swp_text_format(text, " … %zu more", count - MOST_LITERALS_SHOWN);
    swp_text_format(text, ")");
}

/* Writes why a step is refused; `other` is the clause of the resolvent that does not follow. */
static swp_status refuse(swp_context *ctx, swp_drat_checker *k, uint32_t other)
{
    swp_text text = {.ctx = ctx};
    char *why = NULL;
    const bool empty = k->clause.count == 0;
    swp_text_format(&text, "the clause ");
    put_clause(&text, k->clause.items, k->clause.count);
    swp_text_format(&text, " does not follow by unit propagation");
    if (other != SWP_NO_CLAUSE) {
        swp_text_format(&text, ", nor does its resolvent on %d with ",
                        swp_literal_of(k->clause.items[0]));
        put_clause(&text, swp_clause_literals(&k->store, other), swp_clause_size(&k->store, other));
    } else if (!empty) {
        swp_text_format(&text, ", and its first literal is known to be false");
    }
    SWP_TRY(swp_text_end(&text, &why, NULL));
    k->report->answer = SWP_DRAT_STEP_REFUSED;
    k->report->why = why;
    return SWP_OK;
}

static bool contains(const uint32_t *literals, size_t count, uint32_t code)
{
    for (size_t i = 0; i < count; i++)
        if (literals[i] == code)
            return true;
    return false;
}

/*
 * Finds out whether all resolvents of the clause on its first literal follow. The negation of the
 * clause is assumed. `*against` is a clause whose resolvent does not follow, or SWP_NO_CLAUSE.
 */
static swp_status check_resolvents(swp_drat_checker *k, bool *holds, uint32_t *against,
                                   bool *stopped)
{
    const swp_drat_store *store = &k->store;
    const uint32_t negated = k->clause.items[0] ^ 1U;
    const size_t assumed = k->assignment.count;
    *holds = true;
    for (uint32_t c = 0; c < store->words.count && *holds; c = swp_clause_after(store, c)) {
        *stopped = !swp_certify_drat_may_go_on(k);
        if (*stopped)
            return SWP_OK;
        const uint32_t *literals = swp_clause_literals(store, c);
        const size_t count = swp_clause_size(store, c);
        if (swp_clause_is_dead(store, c) || !contains(literals, count, negated))
            continue;
        SWP_TRY(contradicts(k, literals, count, negated, holds));
        *against = c;
        swp_certify_assignment_undo(&k->assignment, assumed);
    }
    return SWP_OK;
}

/*
 * A first literal that is false for good has no RAT. The clause of its negation alone counts as
 * present, even if the proof has deleted it. Its resolvent is the rest of the clause, which did not
 * follow.
 */
static swp_status check_rat(swp_context *ctx, swp_drat_checker *k, bool first_is_open)
{
    uint32_t against = SWP_NO_CLAUSE;
    bool holds = false;
    bool stopped = false;
    if (first_is_open)
        SWP_TRY(check_resolvents(k, &holds, &against, &stopped));
    if (stopped)
        k->report->answer = SWP_DRAT_STOPPED;
    else if (!holds)
        return refuse(ctx, k, against);
    else
        k->report->rat++;
    return SWP_OK;
}

swp_status swp_certify_drat_check_addition(swp_context *ctx, swp_drat_checker *k)
{
    const size_t root = k->assignment.count;
    const bool first_is_open = k->clause.count > 0 && !k->assignment.values[k->clause.items[0]];
    bool follows = k->tautology;
    if (!follows)
        SWP_TRY(contradicts(k, k->clause.items, k->clause.count, UINT32_MAX, &follows));
    if (!follows)
        SWP_TRY(check_rat(ctx, k, first_is_open));
    swp_certify_assignment_undo(&k->assignment, root);
    k->report->additions++;
    return SWP_OK;
}
