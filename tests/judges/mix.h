/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs of a random test were like. */
#ifndef TEST_JUDGES_MIX_H
#define TEST_JUDGES_MIX_H

#include "judgement.h"

enum { MIX_MODES = 8 };

typedef struct program_mix {
    size_t programs;
    size_t safe;
    size_t one_edit;
    size_t first[SWP_HAZARD_KINDS]; /* programs, by the kind that is found first */
    size_t modes[MIX_MODES];        /* lag, fenced barriers, raw registers as bits */
} program_mix;

/* Counts a program that is so many edits from a safe one. */
void program_mix_add(program_mix *mix, int edits, const judgement *judged);

/* Counts what its machine does, for programs whose machines differ in that. */
void program_mix_add_mode(program_mix *mix, const swp_machine *machine);

void program_mix_print(const program_mix *mix);

/*
 * Of programs with warp roles: enough that is safe, enough that nearly is, and all that can go wrong: of enough programs, each in one of
 * a hundred.
 */
bool role_mix_is_rich(const program_mix *mix);

/* Whether a run with warp roles can go wrong in this way first of all. */
bool role_mix_expects(swp_hazard_kind kind);

#endif
