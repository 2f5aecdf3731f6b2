/* SPDX-License-Identifier: Apache-2.0 */
/* What the header's loop tells a wave, for one N, and edits of it. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "kernel.h"

typedef enum step_kind { STEP_OP, STEP_WAIT_VM, STEP_WAIT_LGKM, STEP_BARRIER } step_kind;

typedef struct step {
    step_kind kind;
    int site;
    int number; /* the iteration of an op, the count of a wait */
    const op *op;
    int slots[MOST_OPERANDS];
} step;

enum { MOST_STEPS = 4096 };

typedef struct program {
    int length;
    step steps[MOST_STEPS];
} program;

/*
 * Without the site; with the one behind it first; or with this operand of it greater by one: of an op a slot, which is the next
 * one, of a wait the count. A site below 0: no edit.
 */
enum { LEFT_OUT = -1, SWAPPED = -2 };

typedef struct edit {
    int site;
    int operand;
} edit;

/* The program of N iterations, until the next call. */
const program *program_of(int n, edit e);

/* The value of an operand, in the order of the header's macros; NULL: it has no more. */
value *operand_value(const op *o, int operand);

/* The first of them are values that it writes; then come those that it updates, all of which it makes. */
int values_written(const op *o);
int values_made(const op *o);

#endif
