/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for the SAT solver where the library is built without one: every search gives up at once. */
#include "solve/sat.h"

swp_sat *swp_solve_sat_new(const swp_sat_watch *watch, swp_sat_hope hope, FILE *proof)
{
    (void)watch;
    (void)hope;
    (void)proof;
    return NULL;
}

bool swp_solve_sat_add(swp_sat *sat, const int *literals, int count)
{
    (void)sat;
    (void)literals;
    (void)count;
    return false;
}

swp_sat_result swp_solve_sat_solve(swp_sat *sat, uint64_t most_conflicts)
{
    (void)sat;
    (void)most_conflicts;
    return SWP_SAT_GAVE_UP;
}

bool swp_solve_sat_value(swp_sat *sat, int variable)
{
    (void)sat;
    (void)variable;
    return false;
}

void swp_solve_sat_free(swp_sat *sat)
{
    (void)sat;
}
