/* SPDX-License-Identifier: Apache-2.0 */
/* The executor beside the verifier: a test fails where the two do not say the same. */
#ifndef TEST_JUDGES_EXECUTED_H
#define TEST_JUDGES_EXECUTED_H

#include "swp/verify.h"

/* Every hazard is shown by an execution, at the number of tiles that the verifier names. */
void expect_shown(const swp_schedule *schedule, const swp_hazard_list *hazards, const char *what);

/* So many adversarial runs go right. Numbers of tiles take turns, up to 12. */
void expect_right(const swp_schedule *schedule, int runs, const char *what);

#endif
