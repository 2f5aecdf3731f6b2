/* SPDX-License-Identifier: Apache-2.0 */
/* Edits of programs without roles at random until they have a trait that few of them have. */
#ifndef TEST_ANSWERS_AIMS_H
#define TEST_ANSWERS_AIMS_H

#include "loop_programs.h"
#include "words.h"

/* Aims at the trait that the dice say, or at none. What comes of it has a meaning, though not always the trait. */
void answers_aim_body(program *p, test_random *random);
void answers_aim_loop(loop_program *p, test_random *random);

#endif
