/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of the steps that can happen need to be tried first. Two steps commute unless one writes
 * what the other reads or writes: a share of a place, or a register. So from each moment it is
 * enough to try a *stubborn* set (Valmari 1989; a persistent set, Godefroid 1996):
 * - with a step, all that conflict with it and that may happen while it has not: what is in flight,
 *   and what a wave can issue before the barriers behind the one that retires the step;
 * - with a step that cannot happen yet, something that has to happen before it.
 * Every execution is then one of those tried, but for the order of steps that commute, and no read
 * sees that order. Steps that never conflict are no branch at all, such as all of a safe program.
 */
#ifndef TEST_JUDGES_EXPLORER_CHOICE_H
#define TEST_JUDGES_EXPLORER_CHOICE_H

#include "explorer_machine.h"

typedef struct chooser {
    const step_list *list;
    const focus *focus;
    const state *state;
    int *next_of_place; /* by step: the next with the same place */
    int first_of_place[MOST_PLACES];
    move *members; /* of the set that is being made */
    int count;
    unsigned *marks; /* by wave and step: the last set that it was put into */
    unsigned mark;
} chooser;

chooser chooser_new(const step_list *list, const focus *f);
void chooser_free(chooser *c);

/* Keeps of the moves a smallest set that is enough. @return how many */
int choose_moves(chooser *c, const state *s, move *moves, int count);

#endif
