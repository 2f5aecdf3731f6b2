/* SPDX-License-Identifier: Apache-2.0 */
/* What may happen next, and what happens (docs/verification.md, "The machine"). */
#ifndef TEST_JUDGES_EXPLORER_MACHINE_H
#define TEST_JUDGES_EXPLORER_MACHINE_H

#include "explorer_state.h"
#include "explorer_steps.h"

/*
 * An access in flight takes effect; or, where `step` is the next one of the wave, it issues and
 * reads or loads raw registers of which a load is in flight.
 */
typedef struct move {
    int wave;
    int step;
} move;

/*
 * What is looked at: one wave's share of a place, one wave's registers, or everything. What can
 * happen next depends on no tile that anything holds, so each can be looked at alone: then only the
 * steps that touch it are worth an order, and the state holds nothing else.
 */
typedef struct focus {
    bool everything;
    int wave;
    int place; /* -1: its registers */
} focus;

bool focus_has_share(const focus *f, int place, int wave);
bool focus_has_registers(const focus *f, int wave);

enum { MOST_MOVES = MOST_WAVES * (LOADS_KEPT + 2) };

int group_of(const step_list *list, int wave);

/* Whether the wave has issued the access and it has not taken effect. */
bool is_late(const step_list *list, const state *s, int wave, int at);

/* The access that has to take effect before the wave's next step can issue; -1: none. */
int blocked_by(const step_list *list, const state *s, int wave);

/* Whether the wave's next step reads or loads a raw register of which a load is in flight. */
bool uses_early(const step_list *list, const state *s, int wave);

/* Whether the wave is at a barrier, with nothing left to do before it. */
bool has_arrived(const step_list *list, const state *s, int wave);

/*
 * Does all that commutes with everything else that can happen: passes barriers that all have
 * reached and, if `eager`, issues accesses, satisfied waits, and COMPUTEs of registers that are
 * there.
 * @return false if a wave has more accesses in flight than a state can hold
 */
bool advance(step_list *list, const focus *f, state *s, bool eager);

/* What can happen once advance() is through. @return how many */
int list_moves(const step_list *list, const state *s, bool eager, move *moves);

/* The LDS operation of the wave that takes effect next; -1: none is in flight. */
int next_lds(const step_list *list, const state *s, int wave);

void take_move(step_list *list, const focus *f, state *s, move taken);

/* Notes the waves that wait for ever, where nothing can happen. */
void note_stuck(step_list *list, const state *s);

#endif
