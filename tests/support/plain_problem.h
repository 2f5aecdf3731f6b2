/* SPDX-License-Identifier: Apache-2.0 */
/* Optimal values of small problems by plain enumeration, from the definition alone. */
#ifndef TEST_SUPPORT_PLAIN_PROBLEM_H
#define TEST_SUPPORT_PLAIN_PROBLEM_H

#include "swp/problem.h"

/* The least value up to `most` that has a schedule, -1 if none has. */
int64_t plain_optimum(const swp_problem *problem, int64_t most);

/* The same for one value: whether it has a schedule. */
bool plain_has_schedule(const swp_problem *problem, int64_t value);

#endif
