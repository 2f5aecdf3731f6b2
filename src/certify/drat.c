/* SPDX-License-Identifier: Apache-2.0 */
#include "certify/drat.h"

#include "base/diag.h"
#include "base/text.h"
#include "certify/drat_propagate.h"

#include <limits.h>

enum { MOST_VARIABLES = 1 << 30, MOST_LITERALS_SHOWN = 8 };

typedef struct checker {
    swp_context fixed; /* memory as long as the check */
    swp_drat_store store;
    swp_assignment assignment; /* between steps: what follows from the clauses alone */
    unsigned char *marks;      /* by code, all 0 between uses */
    swp_code_list clause;      /* of the step, its different literals in order */
    bool tautology;            /* it has a literal and its negation */
    bool refuted;
    swp_patience *patience;
    uint64_t spent; /* of the assignment's work */
    swp_drat_report *report;
} checker;

/* Into `clause`: each literal once, as the sets of literals that clauses are. */
static swp_status take_clause(checker *k, const int *literals, size_t count)
{
    k->clause.count = 0;
    k->tautology = false;
    for (size_t i = 0; i < count; i++) {
        const uint32_t code = swp_code_of(literals[i]);
        if (k->marks[code])
            continue;
        k->marks[code] = 1;
        k->tautology = k->tautology || k->marks[code ^ 1U];
        SWP_TRY(SWP_PUSH(&k->fixed, &k->clause, code));
    }
    for (size_t i = 0; i < k->clause.count; i++)
        k->marks[k->clause.items[i]] = 0;
    return SWP_OK;
}

/* Whether the limits allow what has been done since the last time, and one thing more. */
static bool may_go_on(checker *k)
{
    const uint64_t work = k->assignment.work - k->spent + 1;
    k->spent = k->assignment.work;
    return swp_patience_spend(k->patience, work);
}

static swp_status propagate_root(checker *k)
{
    return k->refuted ? SWP_OK : swp_propagate(&k->store, &k->assignment, &k->refuted);
}

/* Puts two literals that are not false first; returns how many there are of one, and `satisfied`. */
static size_t order_by_value(const signed char *values, uint32_t *literals, size_t count,
                             bool *satisfied)
{
    size_t first = 0;
    *satisfied = false;
    for (size_t i = 0; i < count && first < 2; i++) {
        const uint32_t code = literals[i];
        *satisfied = *satisfied || values[code] > 0;
        if (values[code] >= 0) {
            literals[i] = literals[first];
            literals[first++] = code;
        }
    }
    return first;
}

/* Adds `clause`. A tautology says nothing, and a literal that is true for good says it all. */
static swp_status add_clause(checker *k)
{
    if (k->tautology)
        return SWP_OK;
    bool satisfied = false;
    const size_t open =
        order_by_value(k->assignment.values, k->clause.items, k->clause.count, &satisfied);
    uint32_t clause = 0;
    SWP_TRY(swp_drat_store_add(&k->store, k->clause.items, k->clause.count, &clause));
    if (satisfied)
        return SWP_OK;
    if (open > 1)
        return swp_drat_store_watch(&k->store, clause);
    if (open == 1)
        swp_assign(&k->assignment, k->clause.items[0]);
    else
        k->refuted = true;
    return SWP_OK;
}

/* Makes every literal of a clause but `except` false; false if one is true already. */
static bool assume_negation(checker *k, const uint32_t *literals, size_t count, uint32_t except)
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

/* Whether the negation of the literals, beside what is assumed, is false by propagation. */
static swp_status contradicts(checker *k, const uint32_t *literals, size_t count, uint32_t except,
                              bool *yes)
{
    *yes = true;
    if (!assume_negation(k, literals, count, except))
        return SWP_OK;
    return swp_propagate(&k->store, &k->assignment, yes);
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

/* The reason that a step is refused for; `other` is the clause of the refused resolvent. */
static swp_status refuse(swp_context *ctx, checker *k, uint32_t other)
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
 * Whether all resolvents of the clause on its first literal follow; the negation of the clause is
 * assumed. `*against` is one that does not, or SWP_NO_CLAUSE.
 */
static swp_status check_resolvents(checker *k, bool *holds, uint32_t *against, bool *stopped)
{
    const swp_drat_store *store = &k->store;
    const uint32_t negated = k->clause.items[0] ^ 1U;
    const size_t assumed = k->assignment.count;
    *holds = true;
    for (uint32_t c = 0; c < store->words.count && *holds; c = swp_clause_after(store, c)) {
        *stopped = !may_go_on(k);
        if (*stopped)
            return SWP_OK;
        const uint32_t *literals = swp_clause_literals(store, c);
        const size_t count = swp_clause_size(store, c);
        if (swp_clause_is_dead(store, c) || !contains(literals, count, negated))
            continue;
        SWP_TRY(contradicts(k, literals, count, negated, holds));
        *against = c;
        swp_assignment_undo(&k->assignment, assumed);
    }
    return SWP_OK;
}

/*
 * A first literal that is false for good can have no RAT: the clause of its negation alone, which
 * the proof may have deleted, counts as there, and resolves to what did not follow.
 */
static swp_status check_rat(swp_context *ctx, checker *k, bool first_is_open)
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

/* Checks an addition; the report's answer is then changed unless it holds. */
static swp_status check_addition(swp_context *ctx, checker *k)
{
    const size_t root = k->assignment.count;
    const bool first_is_open = k->clause.count > 0 && !k->assignment.values[k->clause.items[0]];
    bool follows = k->tautology;
    if (!follows)
        SWP_TRY(contradicts(k, k->clause.items, k->clause.count, UINT32_MAX, &follows));
    if (!follows)
        SWP_TRY(check_rat(ctx, k, first_is_open));
    swp_assignment_undo(&k->assignment, root);
    k->report->additions++;
    return SWP_OK;
}

static void delete_clause(checker *k)
{
    const uint32_t found =
        swp_drat_store_find(&k->store, k->clause.items, k->clause.count, k->marks);
    if (found == SWP_NO_CLAUSE) {
        k->report->unknown_deletions += !k->tautology;
        return;
    }
    swp_drat_store_kill(&k->store, found);
    k->report->deletions++;
}

static swp_status do_step(swp_context *ctx, checker *k, const swp_drat_step *step)
{
    SWP_TRY(take_clause(k, step->literals.items, step->literals.count));
    if (step->deletion) {
        delete_clause(k);
        return swp_drat_store_compact(&k->store);
    }
    SWP_TRY(check_addition(ctx, k));
    if (k->report->answer != SWP_DRAT_INCOMPLETE)
        return SWP_OK;
    SWP_TRY(add_clause(k));
    return propagate_root(k);
}

static swp_status do_steps(swp_context *ctx, checker *k, const swp_drat_proof *proof, int variables)
{
    swp_drat_reader reader = swp_drat_read_from(proof);
    swp_drat_step step = {0};
    swp_drat_report *report = k->report;
    bool more = true;
    while (!k->refuted && report->answer == SWP_DRAT_INCOMPLETE) {
        if (!may_go_on(k)) {
            report->answer = SWP_DRAT_STOPPED;
            break;
        }
        SWP_TRY(swp_drat_read_step(&k->fixed, &reader, variables, &step, &more));
        if (!more)
            break;
        report->step = step.number;
        report->line = step.line;
        SWP_TRY(do_step(ctx, k, &step));
    }
    if (k->refuted)
        report->answer = SWP_DRAT_REFUTED;
    return SWP_OK;
}

static swp_status load(checker *k, const swp_formula *formula)
{
    const int *from = formula->literals.items;
    const int *const end = from + formula->literals.count;
    for (const int *to = from; to != end && !k->refuted; to++) {
        if (*to)
            continue;
        SWP_TRY(take_clause(k, from, (size_t)(to - from)));
        SWP_TRY(add_clause(k));
        from = to + 1;
    }
    return propagate_root(k);
}

static swp_status open_tables(checker *k, int variables)
{
    const size_t codes = 2 * (size_t)variables;
    SWP_TRY(SWP_TAKE(&k->fixed, codes, &k->assignment.values));
    SWP_TRY(SWP_TAKE(&k->fixed, (size_t)variables, &k->assignment.trail));
    return SWP_TAKE(&k->fixed, codes, &k->marks);
}

/* Reads the whole proof once, so that what is no proof is found whatever its steps are. */
static swp_status count_steps(checker *k, const swp_drat_proof *proof)
{
    swp_drat_reader reader = swp_drat_read_from(proof);
    swp_drat_step step = {0};
    for (bool more = true; more;)
        SWP_TRY(swp_drat_read_step(&k->fixed, &reader, MOST_VARIABLES, &step, &more));
    k->report->steps = reader.steps;
    return SWP_OK;
}

/* A step can bring in a variable by RAT, so a short proof has no use for high ones. */
static int most_variables(const swp_formula *formula, size_t steps)
{
    const size_t most = (size_t)formula->variables + steps;
    return most > MOST_VARIABLES ? MOST_VARIABLES : (int)most;
}

static swp_status check(swp_context *ctx, checker *k, const swp_formula *formula,
                        const swp_drat_proof *proof)
{
    SWP_TRY(count_steps(k, proof));
    const int variables = most_variables(formula, k->report->steps);
    SWP_TRY(open_tables(k, variables));
    SWP_TRY(swp_drat_store_open(&k->fixed, variables, &k->store));
    SWP_TRY(load(k, formula));
    return do_steps(ctx, k, proof, variables);
}

swp_status swp_drat_check(swp_context *ctx, const swp_formula *formula, const swp_drat_proof *proof,
                          swp_patience *patience, swp_drat_report *report)
{
    *report = (swp_drat_report){.answer = SWP_DRAT_INCOMPLETE};
    checker k = {.fixed = *ctx, .report = report, .patience = patience};
    k.fixed.arena = swp_arena_new(&ctx->arena->allocator);
    if (!k.fixed.arena)
        return swp_out_of_memory(ctx);
    const swp_status status = check(ctx, &k, formula, proof);
    swp_drat_store_close(&k.store);
    swp_arena_free(k.fixed.arena);
    return status;
}
