/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs of at most six data operations a pass, small enough to be explored: a single
 * buffer of one or two slices, or a buffer of A and one of B that each pass loads anew. The safe
 * program that an edit starts from has little synchronisation to spare.
 */
#ifndef TEST_JUDGES_SMALL_PROGRAMS_H
#define TEST_JUDGES_SMALL_PROGRAMS_H

#include "generator.h"

enum { SMALL_DATA_OPS = 6 };

/* Case `index` of a seed. The machine's modes follow the index. */
random_program small_program_new(uint64_t seed, size_t index);

#endif
