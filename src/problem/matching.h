/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches the parts of another file to problems by name, which problems may share. The first part
 * of a name belongs to the first problem that asks for it, the next one to the next.
 */
#ifndef SWP_PROBLEM_MATCHING_H
#define SWP_PROBLEM_MATCHING_H

#include "base/key_index.h"

typedef struct swp_matching_part {
    const char *name;
    size_t next; /* the next part of the same name; SIZE_MAX: none */
    size_t last; /* in the first part of a name: the last one, */
    size_t open; /* and the one that the next problem takes; SIZE_MAX: none */
    bool taken;
} swp_matching_part;

/* The parts of a file, in its order. */
typedef struct swp_matching {
    swp_matching_part *parts;
    size_t count;
    swp_key_index index; /* the first part of each name */
} swp_matching;

/* Makes room for `count` parts, to be added one by one. */
swp_status swp_problem_matching_new(swp_context *ctx, size_t count, swp_matching *out);

/* Adds the next part, and borrows its name. */
swp_status swp_problem_matching_add(swp_context *ctx, swp_matching *matching, const char *name);

/* Takes the first part of the name that no problem has taken; returns false if there is none. */
bool swp_problem_matching_take(swp_matching *matching, const char *name, size_t *part);

#endif
