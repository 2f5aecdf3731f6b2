/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random small programs for the judges: a safe one (a built-in or a small kernel, with more
 * synchronisation than it needs), and none, one or two edits of it.
 */
#ifndef TEST_JUDGES_GENERATOR_H
#define TEST_JUDGES_GENERATOR_H

#include "random.h"
#include "words.h"

/* Built-ins under random settings. */
typedef struct program_library {
    program *items;
    int count;
} program_library;

program_library program_library_new(swp_context *ctx, uint64_t seed, int count);
void program_library_free(program_library *library);

typedef struct random_program {
    program program;
    int edits;
    const char *edit; /* the last one */
} random_program;

/* Case `index` of a seed. The machine's modes follow the index. */
random_program random_program_new(const program_library *library, uint64_t seed, size_t index);

/* Gives a program the machine of a case, whose modes follow the index. */
void random_machine(program *p, test_random *random, size_t index);

/*
 * Makes a program smaller, an entry or a setting at a time, as long as `keeps` holds.
 */
void program_shrink(program *p, bool (*keeps)(const swp_schedule *schedule, void *user),
                    void *user);

#endif
