/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a DRAT proof forwards, step by step (Wetzler, Heule and Hunt, SAT 2014). */
#include "certify/drat_checker.h"

enum { MOST_VARIABLES = 1 << 30 };

/* Copies the literals into `clause`, each once, since clauses are sets of literals. */
static swp_status take_clause(swp_drat_checker *k, const int *literals, size_t count)
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

static swp_status propagate_root(swp_drat_checker *k)
{
    return k->refuted ? SWP_OK : swp_certify_propagate(&k->store, &k->assignment, &k->refuted);
}

/*
 * Moves up to two literals that are not false to the front, and returns how many it found.
 * `*satisfied` says that a literal is true.
 */
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

/* Adds `clause`. A tautology is not stored, and a clause with a literal that stays true is not watched. */
static swp_status add_clause(swp_drat_checker *k)
{
    if (k->tautology)
        return SWP_OK;
    bool satisfied = false;
    const size_t open =
        order_by_value(k->assignment.values, k->clause.items, k->clause.count, &satisfied);
    uint32_t clause = 0;
    SWP_TRY(swp_certify_drat_store_add(&k->store, k->clause.items, k->clause.count, &clause));
    if (satisfied)
        return SWP_OK;
    if (open > 1)
        return swp_certify_drat_store_watch(&k->store, clause);
    if (open == 1)
        swp_assign(&k->assignment, k->clause.items[0]);
    else
        k->refuted = true;
    return SWP_OK;
}

static void delete_clause(swp_drat_checker *k)
{
    const uint32_t found =
        swp_certify_drat_store_find(&k->store, k->clause.items, k->clause.count, k->marks);
    if (found == SWP_NO_CLAUSE) {
        k->report->unknown_deletions += !k->tautology;
        return;
    }
    swp_certify_drat_store_kill(&k->store, found);
    k->report->deletions++;
}

static swp_status do_step(swp_context *ctx, swp_drat_checker *k, const swp_drat_step *step)
{
    SWP_TRY(take_clause(k, step->literals.items, step->literals.count));
    if (step->deletion) {
        delete_clause(k);
        return swp_certify_drat_store_compact(&k->store);
    }
    SWP_TRY(swp_certify_drat_check_addition(ctx, k));
    if (k->report->answer != SWP_DRAT_INCOMPLETE)
        return SWP_OK;
    SWP_TRY(add_clause(k));
    return propagate_root(k);
}

static swp_status do_steps(swp_context *ctx, swp_drat_checker *k, const swp_drat_proof *proof,
                           int variables)
{
    swp_drat_reader reader = swp_certify_drat_read_from(proof);
    swp_drat_step step = {0};
    swp_drat_report *report = k->report;
    bool more = true;
    while (!k->refuted && report->answer == SWP_DRAT_INCOMPLETE) {
        if (!swp_certify_drat_may_go_on(k)) {
            report->answer = SWP_DRAT_STOPPED;
            break;
        }
        SWP_TRY(swp_certify_drat_read_step(&k->fixed, &reader, variables, &step, &more));
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

static swp_status load(swp_drat_checker *k, const swp_certify_formula *formula)
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

static swp_status open_tables(swp_drat_checker *k, int variables)
{
    const size_t codes = 2 * (size_t)variables;
    SWP_TRY(SWP_TAKE(&k->fixed, codes, &k->assignment.values));
    SWP_TRY(SWP_TAKE(&k->fixed, (size_t)variables, &k->assignment.trail));
    return SWP_TAKE(&k->fixed, codes, &k->marks);
}

/* Reads the whole proof once, so that a malformed one is reported whatever its steps prove. */
static swp_status count_steps(swp_drat_checker *k, const swp_drat_proof *proof)
{
    swp_drat_reader reader = swp_certify_drat_read_from(proof);
    swp_drat_step step = {0};
    for (bool more = true; more;)
        SWP_TRY(swp_certify_drat_read_step(&k->fixed, &reader, MOST_VARIABLES, &step, &more));
    k->report->steps = reader.steps;
    return SWP_OK;
}

/* A step can bring in a variable by RAT, so the steps limit how many variables a proof needs. */
static int most_variables(const swp_certify_formula *formula, size_t steps)
{
    const size_t most = (size_t)formula->variables + steps;
    return most > MOST_VARIABLES ? MOST_VARIABLES : (int)most;
}

static swp_status check(swp_context *ctx, swp_drat_checker *k, const swp_certify_formula *formula,
                        const swp_drat_proof *proof)
{
    SWP_TRY(count_steps(k, proof));
    const int variables = most_variables(formula, k->report->steps);
    SWP_TRY(open_tables(k, variables));
    SWP_TRY(swp_certify_drat_store_open(&k->fixed, variables, &k->store));
    SWP_TRY(load(k, formula));
    return do_steps(ctx, k, proof, variables);
}

swp_status swp_certify_drat_check(swp_context *ctx, const swp_certify_formula *formula,
                                  const swp_drat_proof *proof, swp_budget *budget,
                                  swp_drat_report *report)
{
    *report = (swp_drat_report){.answer = SWP_DRAT_INCOMPLETE};
    swp_drat_checker k = {.report = report, .budget = budget};
    SWP_TRY(swp_scope_open(ctx, &k.fixed));
    const swp_status status = check(ctx, &k, formula, proof);
    swp_certify_drat_store_close(&k.store);
    swp_scope_close(&k.fixed);
    return status;
}
