/* SPDX-License-Identifier: Apache-2.0 */
/* The SAT solver's program, for proofs that are not ours. */
#ifndef TEST_SUPPORT_CADICAL_H
#define TEST_SUPPORT_CADICAL_H

#include <stdbool.h>
#include <stddef.h>

/* Whether `cadical` is installed; says so if it is not. */
bool have_cadical(void);

/*
 * The DRAT proof for clauses that each end with a 0, for the caller to free, ended by a NUL that
 * `length` does not count; NULL for a formula with a model.
 */
char *cadical_proof(const int *literals, size_t count, int variables, bool binary, size_t *length);

#endif
