/* SPDX-License-Identifier: Apache-2.0 */
/* Provides descriptions of loops to start from: the built-in ones, and `loop`. */
#ifndef CLI_NEW_LOOPS_H
#define CLI_NEW_LOOPS_H

#include <stddef.h>

typedef struct new_loop {
    const char *name;
    const char *const *lines;
    size_t count;
} new_loop;

/* Returns NULL if there is none of this name. */
const new_loop *new_loop_find(const char *name);

#endif
