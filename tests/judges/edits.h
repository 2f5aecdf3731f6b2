/* SPDX-License-Identifier: Apache-2.0 */
/* Random edits of a program. */
#ifndef TEST_JUDGES_EDITS_H
#define TEST_JUDGES_EDITS_H

#include "random.h"
#include "words.h"

/* Applies one edit that changes the program. @return its name */
const char *random_edit(program *p, test_random *random);

#endif
