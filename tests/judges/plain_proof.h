/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Formulas and proofs judged as one would on paper, in time that only small ones have: no watched
 * literals, no hashing, every clause looked at again until nothing changes.
 */
#ifndef TEST_JUDGES_PLAIN_PROOF_H
#define TEST_JUDGES_PLAIN_PROOF_H

#include <stdbool.h>
#include <stddef.h>

/* Clauses one after the other, each ended by a 0. */
typedef struct plain_formula {
    int *literals;
    size_t count;
} plain_formula;

/* Adds a clause of `count` literals. */
void plain_add(plain_formula *formula, const int *literals, size_t count);
void plain_free(plain_formula *formula);

/* By trying both values of every variable, with unit propagation. */
bool plain_satisfiable(const plain_formula *formula, int variables);

typedef enum plain_verdict { PLAIN_REFUTED, PLAIN_REFUSED, PLAIN_INCOMPLETE } plain_verdict;

/*
 * Checks a DRAT proof in text forwards. A literal that once follows by unit propagation is true for
 * good, and its negation no pivot. `step` is the last one looked at, from 1.
 */
plain_verdict plain_check(const plain_formula *formula, int variables, const char *proof,
                          size_t *step);

#endif
