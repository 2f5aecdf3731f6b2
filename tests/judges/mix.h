/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs of a random test were like. */
#ifndef TEST_JUDGES_MIX_H
#define TEST_JUDGES_MIX_H

#include "generator.h"
#include "judgement.h"

enum { MIX_MODES = 8 };

typedef struct program_mix {
    size_t programs;
    size_t safe;
    size_t one_edit;
    size_t first[SWP_HAZARD_KINDS]; /* programs, by the kind of their first hazard */
    size_t modes[MIX_MODES];        /* lag, fenced barriers, raw registers as bits */
} program_mix;

void program_mix_add(program_mix *mix, const random_program *random, const judgement *judged);
void program_mix_print(const program_mix *mix);

#endif
