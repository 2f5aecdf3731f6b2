/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/formula.h"

/* At some 30 bytes a literal a search starts below a gigabyte; what it learns may come to one more. */
enum { MOST_LITERALS = 30000000, MOST_KILOBYTES = 2 << 20 };

static bool count_conflict(void *user)
{
    return swp_budget_spend(user);
}

static bool look_at_clock(void *user)
{
    return swp_budget_look(user);
}

static bool add_clause(void *user, const int *literals, int count)
{
    return swp_sat_add(user, literals, count);
}

static void read_times(const swp_encoding *e, const swp_formula *formula, swp_sat *sat,
                       int64_t *times)
{
    for (size_t op = 0; op < e->graph->problem->op_count; op++) {
        if (!e->encoded[op])
            continue;
        times[op] = e->lo[op];
        while (times[op] < e->hi[op] &&
               swp_sat_value(sat, formula->first[op] + (int)(times[op] - e->lo[op])))
            times[op]++;
    }
}

swp_status swp_formula_decide(swp_context *ctx, const swp_encoding *encoding, swp_budget *budget,
                              uint64_t most_conflicts, FILE *proof, int64_t *times,
                              swp_formula *formula, swp_sat_result *out)
{
    const swp_sat_watch watch = {count_conflict, look_at_clock, budget,
                                 most_conflicts, MOST_LITERALS, MOST_KILOBYTES};
    *formula = (swp_formula){0};
    *out = SWP_SAT_GAVE_UP;
    swp_sat *sat = swp_sat_new(&watch, proof);
    if (!sat)
        return SWP_OK;
    const swp_status status = swp_write_clauses(ctx, encoding, add_clause, sat, formula);
    if (status == SWP_OK && formula->complete && swp_budget_look(budget))
        *out = swp_sat_solve(sat);
    if (*out == SWP_SAT_SATISFIED && times)
        read_times(encoding, formula, sat, times);
    swp_sat_free(sat);
    return status;
}
