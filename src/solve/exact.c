/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/exact.h"

swp_status swp_exact_search(swp_context *ctx, const swp_problem *problem, swp_budget *budget,
                            swp_answer *answer)
{
    (void)ctx;
    (void)problem;
    (void)budget;
    (void)answer;
    return SWP_OK;
}
