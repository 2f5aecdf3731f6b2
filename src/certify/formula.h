/* SPDX-License-Identifier: Apache-2.0 */
/* Defines a formula in conjunctive normal form, as the checker's encoder writes it. */
#ifndef SWP_CERTIFY_FORMULA_H
#define SWP_CERTIFY_FORMULA_H

#include "base/context.h"

typedef struct swp_literal_list {
    int *items;
    size_t count;
    size_t capacity;
} swp_literal_list;

/* Literals are v and -v for the variables 1 … `variables`, as in DIMACS. */
typedef struct swp_certify_formula {
    int variables;
    size_t clauses;
    swp_literal_list literals; /* the clauses one after the other, each ended by a 0 */
} swp_certify_formula;

swp_status swp_certify_formula_add(swp_context *ctx, swp_certify_formula *formula,
                                   const int *literals, size_t count);

#endif
