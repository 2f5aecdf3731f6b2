/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every mutant of a schedule that is one small edit away (docs/verification.md, "Mutants"), in all
 * phases.
 *
 * A block is what lies between two barriers, and what lies between two MMAs: a load moves across
 * the barrier that is nearest to it, and across the nearest COMPUTE, earlier and later; it comes to
 * stand right on the other side. So do fragment loads and stores. Nothing leaves its phase.
 *
 * Stages and k offsets are changed where the model reads them: the stage of a load or fragment load
 * and the row of a COMPUTE, and the k offset of a load, in loops that place tiles by k offset.
 */
#ifndef TEST_JUDGES_MUTANTS_H
#define TEST_JUDGES_MUTANTS_H

#include "words.h"

#define MUTANT_KINDS_TABLE(X)                                                                      \
    X(MUTANT_DELETE_WAIT, "delete a wait", "wait -")                                               \
    X(MUTANT_WEAKEN_WAIT, "weaken a wait by one", "wait + 1")                                      \
    X(MUTANT_DELETE_BARRIER, "delete a barrier", "barrier -")                                      \
    X(MUTANT_SWAP, "swap two neighbours", "swap")                                                  \
    X(MUTANT_MOVE_LOAD, "move a load one block", "move load")                                      \
    X(MUTANT_MOVE_OTHER, "move a fragment or store", "move other")                                 \
    X(MUTANT_STAGE, "change a stage or row", "stage")                                              \
    X(MUTANT_K_OFFSET, "change a k offset", "k offset")

#define MUTANT_ENUMERATOR(kind, name, heading) kind,
typedef enum mutant_kind { MUTANT_KINDS_TABLE(MUTANT_ENUMERATOR) MUTANT_KINDS } mutant_kind;
#undef MUTANT_ENUMERATOR

const char *mutant_kind_heading(mutant_kind kind); /* of a column */
const char *mutant_kind_name(mutant_kind kind);

enum { MUTANT_MOST_ENTRIES = 512 };

typedef struct mutant {
    mutant_kind kind;
    swp_phase phase;
    int entry; /* of the base: what is deleted, weakened, moved or changed; the first of a swap */
    program program;
    char change[64];
    int count;                      /* entries of the phase that is changed */
    int order[MUTANT_MOST_ENTRIES]; /* the base's entry behind each of them */
} mutant;

/* The base's entry that stands at `entry` of a phase of the mutant; one past the last keeps so. */
int mutant_base_entry(const mutant *m, swp_phase phase, int entry, const swp_schedule *base);

/* Visits each mutant that differs from the base, in a fixed order. */
void mutants_visit(const swp_schedule *base, void (*visit)(const mutant *m, void *user),
                   void *user);

#endif
