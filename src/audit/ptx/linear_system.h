/* SPDX-License-Identifier: Apache-2.0 */
/* Linear equations with whole numbers, and what follows from them exactly: Gaussian elimination without fractions. */
#ifndef SWP_AUDIT_PTX_LINEAR_SYSTEM_H
#define SWP_AUDIT_PTX_LINEAR_SYSTEM_H

#include "audit/ptx/values.h"
#include "base/context.h"

typedef struct swp_ptx_linear_system {
    size_t unknowns;
    size_t equations;
    swp_ptx_wide *
        numbers; /* a row for each equation, 0 where those before it begin, and one for a question */
} swp_ptx_linear_system;

typedef enum swp_ptx_implied {
    SWP_PTX_NOT_IMPLIED, /* the sum may be any number, as far as is known */
    SWP_PTX_IMPLIED,
    SWP_PTX_IMPLIED_FRACTION /* it follows, and is no whole number */
} swp_ptx_implied;

/* A system that has no equation yet, and room for so many. */
swp_status swp_ptx_open_linear(swp_context *ctx, size_t unknowns, size_t most_equations,
                               swp_ptx_linear_system *out);

/*
 * Adds that the unknowns, each with its coefficient, make a value together. An equation that contradicts those before adds
 * nothing, nor does one that takes numbers beyond 60 bits to solve.
 */
void swp_ptx_add_linear(swp_ptx_linear_system *system, const int64_t *coefficients, int64_t value);

/* What the unknowns make with other coefficients. */
swp_ptx_implied swp_ptx_solve_linear(swp_ptx_linear_system *system, const int64_t *coefficients,
                                     int64_t *value);

#endif
