/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of words of answers and bounds. */
#include "problem/names.h"

#include "swp/problem.h"

static const swp_name kinds[] = {
    {SWP_PROBLEM_MAKESPAN, "makespan", NULL},
    {SWP_PROBLEM_MODULO, "modulo", NULL},
};

static const swp_name statuses[] = {
    {SWP_ANSWER_OPTIMAL, "optimal", NULL},
    {SWP_ANSWER_FEASIBLE, "feasible", NULL},
    {SWP_ANSWER_INFEASIBLE, "infeasible", NULL},
    {SWP_ANSWER_UNKNOWN, "unknown", NULL},
};

static const swp_name bounds[] = {
    {SWP_BOUND_NONE, "none", NULL},
    {SWP_BOUND_RESOURCE, "resource", NULL},
    {SWP_BOUND_PATH, "path", NULL},
    {SWP_BOUND_CYCLE, "cycle", NULL},
    {SWP_BOUND_REFUTATION, "refutation", NULL},
    {SWP_BOUND_SHIFTS, "shifts", NULL},
};

const swp_name_table swp_problem_kind_names = SWP_NAME_TABLE(kinds);
const swp_name_table swp_problem_answer_status_names = SWP_NAME_TABLE(statuses);
const swp_name_table swp_problem_bound_kind_names = SWP_NAME_TABLE(bounds);

const char *swp_answer_status_name(swp_answer_status status)
{
    return swp_shown_name(statuses, SWP_COUNT_OF(statuses), (int)status);
}

const char *swp_bound_kind_name(swp_bound_kind kind)
{
    return swp_shown_name(bounds, SWP_COUNT_OF(bounds), (int)kind);
}
