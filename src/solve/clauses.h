/* SPDX-License-Identifier: Apache-2.0 */
/* The clauses of an encoding, one at a time, in the order of docs/certificates.md. */
#ifndef SWP_SOLVE_CLAUSES_H
#define SWP_SOLVE_CLAUSES_H

#include "solve/encoding.h"

enum { SWP_MOST_LITERALS = 3 };

/* Receives a clause of at most SWP_MOST_LITERALS literals; it returns false to get no more. */
typedef bool swp_clause_sink(void *user, const int *literals, int count);

typedef struct swp_formula {
    int variables;
    size_t clauses;
    bool complete; /* false: the sink refused a clause, limits ended it, or it grew too large */
    int *first;    /* per op: [t >= k] is the variable first + k - lo - 1 */
} swp_formula;

swp_status swp_solve_write_clauses(swp_context *ctx, const swp_encoding *encoding,
                                   swp_clause_sink *sink, void *user, swp_formula *out);

#endif
