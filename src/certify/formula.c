/* SPDX-License-Identifier: Apache-2.0 */
/* Appends clauses to a formula. */
#include "certify/formula.h"

swp_status swp_certify_formula_add(swp_context *ctx, swp_certify_formula *formula,
                                   const int *literals, size_t count)
{
    for (size_t i = 0; i < count; i++)
        SWP_TRY(SWP_PUSH(ctx, &formula->literals, literals[i]));
    SWP_TRY(SWP_PUSH(ctx, &formula->literals, 0));
    formula->clauses++;
    return SWP_OK;
}
