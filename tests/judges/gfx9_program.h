/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs of gfx9's instructions, and what they look like as assembly. */
#ifndef TEST_GFX9_PROGRAM_H
#define TEST_GFX9_PROGRAM_H

#include "gfx9.h"
#include "random.h"

typedef struct text {
    char bytes[MOST_CODE * 80];
    size_t length;
} text;

/*
 * Branches lead forward, and never into the loop nor out of it: all waves go round it equally often,
 * which the audit assumes.
 */
gfx9_program gfx9_random_program(test_random *random);

uint32_t gfx9_random_word(test_random *random);

/* A kernel of four waves; every line has a label, so that each is a block of its own. */
void gfx9_put_program(text *t, const gfx9_program *p);

#endif
