/* SPDX-License-Identifier: Apache-2.0 */
/* Why a mutant is still right: what now orders the operations that the edited entry ordered. */
#ifndef TEST_JUDGES_COVER_H
#define TEST_JUDGES_COVER_H

#include "links.h"

#define COVER_REASONS_TABLE(X)                                                                     \
    X(COVER_WAIT, "another wait retires the operation")                                            \
    X(COVER_BARRIER, "another barrier stands between")                                             \
    X(COVER_DRAIN, "a fenced barrier retires it")                                                  \
    X(COVER_REGISTER, "the use of a managed register retires it")                                  \
    X(COVER_COUNTER, "an issue at a full counter retires it")                                      \
    X(COVER_LDS, "LDS operations of a wave keep their order")                                      \
    X(COVER_OTHER_PAIR, "other operations depend on each other")                                   \
    X(COVER_UNOBSERVED, "nobody sees the order any more")                                          \
    X(COVER_IDLE, "all is retired by then: the wait was idle")                                     \
    X(COVER_HINT, "one of the two is a hint")                                                      \
    X(COVER_SAME_TILE, "the other k offset means the same tile")                                   \
    X(COVER_UNTOUCHED, "all is ordered by what ordered it before")

#define COVER_ENUMERATOR(reason, meaning) reason,
typedef enum cover_reason { COVER_REASONS_TABLE(COVER_ENUMERATOR) COVER_REASONS } cover_reason;
#undef COVER_ENUMERATOR

const char *cover_reason_meaning(cover_reason reason);

enum { COVER_MOST_EXAMPLES = 16 };

/* A pair of operations that other entries order now. */
typedef struct cover_example {
    link before;
    link after;
} cover_example;

typedef struct cover {
    bool reasons[COVER_REASONS];
    cover_example examples[COVER_MOST_EXAMPLES]; /* no two of the same cover in the mutant */
    int count;
} cover;

/* Compares the links of a mutant with those of its base. */
cover cover_of(const link_list *base, const link_list *mutated, const mutant *m,
               const swp_schedule *schedule);

/*
 * Takes away what covers an example, from the base and from the mutant, one example after the
 * other: whether the unrolled judge then finds something in the mutant that it does not find in the base.
 */
bool cover_is_needed(const swp_schedule *base, const mutant *m, const cover *c, int most_tiles);

/* The reasons, and each example on a line. */
void cover_print(FILE *out, const swp_schedule *base, const cover *c);

#endif
