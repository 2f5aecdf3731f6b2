/* SPDX-License-Identifier: Apache-2.0 */
/* Writes descriptions to start from, for `swp new`. */
#ifndef CLI_NEW_H
#define CLI_NEW_H

#include "new_loops.h"

#include "swp/fields.h"
#include "swp/kernels.h"

#include <stdio.h>

typedef struct new_description {
    const char *name;
    const swp_builtin *kernel; /* NULL: a body or a loop of the user's own */
    const new_loop *loop;      /* the text of its description; NULL: it is no loop */
    swp_settings settings;     /* its settings when nothing is changed */
} new_description;

/* Writes the description as YAML. */
void new_print(FILE *stream, const new_description *description);

/* Writes only what a description needs to compile. */
void new_print_core(FILE *stream, const new_description *description);

#endif
