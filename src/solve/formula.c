/* SPDX-License-Identifier: Apache-2.0 */
/* Puts an encoding to the SAT solver within the budget, and reads times from its model. */
#include "solve/formula.h"

/*
 * A literal takes some 30 bytes, so that the clauses stay below a gigabyte; what the search learns
 * may take another one. The clock is read once in CLAUSES_PER_LOOK clauses, since writing a single
 * one takes no time.
 */
enum { MOST_LITERALS = 30000000, MOST_KILOBYTES = 2 << 20, CLAUSES_PER_LOOK = 1 << 14 };

/*
 * The nominal clock counts by these figures, which were measured: a conflict takes longer in a
 * larger formula.
 */
enum { STEPS_OF_A_CALLBACK = 2000, LITERALS_TIMES = 3, LITERALS_BY = 4 };

static bool count_conflict(void *user)
{
    const swp_question *question = user;
    swp_budget_count(question->budget, question->literals * LITERALS_TIMES / LITERALS_BY);
    return swp_budget_spend(question->budget);
}

static bool poll(void *user)
{
    const swp_question *question = user;
    swp_budget_count(question->budget, STEPS_OF_A_CALLBACK);
    return swp_budget_look(question->budget);
}

static bool add_clause(void *user, const int *literals, int count)
{
    swp_question *question = user;
    question->literals += (uint64_t)count;
    if (++question->unlooked >= CLAUSES_PER_LOOK) {
        question->unlooked = 0;
        if (!swp_budget_look(question->budget))
            return false;
    }
    return swp_solve_sat_add(question->sat, literals, count);
}

static void read_times(const swp_question *question, int64_t *times)
{
    const swp_encoding *e = question->encoding;
    for (size_t op = 0; op < e->graph->problem->op_count; op++) {
        if (!e->encoded[op])
            continue;
        times[op] = e->lo[op];
        while (times[op] < e->hi[op] &&
               swp_solve_sat_value(question->sat,
                                   question->formula.first[op] + (int)(times[op] - e->lo[op])))
            times[op]++;
    }
}

swp_status swp_solve_question_open(swp_context *ctx, const swp_encoding *encoding,
                                   swp_budget *budget, swp_sat_hope hope, FILE *proof,
                                   swp_question *out)
{
    *out = (swp_question){.encoding = encoding, .budget = budget};
    const swp_sat_watch watch = {count_conflict, poll, out, MOST_LITERALS, MOST_KILOBYTES};
    out->sat = swp_solve_sat_new(&watch, hope, proof);
    if (!out->sat)
        return SWP_OK;
    return swp_solve_write_clauses(ctx, encoding, add_clause, out, &out->formula);
}

swp_sat_result swp_solve_question_ask(swp_question *question, uint64_t most_conflicts,
                                      int64_t *times)
{
    if (!question->sat || !question->formula.complete || !swp_budget_look(question->budget))
        return SWP_SAT_GAVE_UP;
    const swp_sat_result result = swp_solve_sat_solve(question->sat, most_conflicts);
    if (result == SWP_SAT_SATISFIED && times)
        read_times(question, times);
    return result;
}

bool swp_solve_question_end_sooner(swp_question *question, int64_t cycles)
{
    const swp_encoding *e = question->encoding;
    for (size_t op = 0; op < e->graph->problem->op_count; op++) {
        const int64_t latest = e->hi[op] - cycles;
        if (!e->encoded[op] || latest == e->hi[op])
            continue;
        if (latest < e->lo[op])
            return false;
        const int later = -(question->formula.first[op] + (int)(latest - e->lo[op]));
        question->formula.complete =
            question->formula.complete && swp_solve_sat_add(question->sat, &later, 1);
    }
    return true;
}

void swp_solve_question_close(swp_question *question)
{
    if (question->sat)
        swp_solve_sat_free(question->sat);
    question->sat = NULL;
}

swp_status swp_solve_formula_decide(swp_context *ctx, const swp_encoding *encoding,
                                    swp_budget *budget, FILE *proof, int64_t *times,
                                    swp_formula *formula, swp_sat_result *out)
{
    swp_question question = {0};
    const swp_status status = swp_solve_question_open(
        ctx, encoding, budget, SWP_SAT_HOPES_FOR_REFUTATION, proof, &question);
    *out = SWP_SAT_GAVE_UP;
    if (status == SWP_OK)
        *out = swp_solve_question_ask(&question, 0, times);
    *formula = question.formula;
    swp_solve_question_close(&question);
    return status;
}
