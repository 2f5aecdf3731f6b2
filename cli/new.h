/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions to start from, as `swp new` writes them. */
#ifndef CLI_NEW_H
#define CLI_NEW_H

#include "new_loops.h"

#include "swp/fields.h"
#include "swp/kernels.h"

#include <stdio.h>

typedef struct new_description {
    const char *name;
    const swp_builtin *kernel; /* NULL: a body or a loop of the user's own */
    const new_loop *loop;      /* what is written of it; NULL: no loop */
    swp_settings settings;     /* that it has when nothing is changed */
} new_description;

/* Writes the description as YAML. */
void new_print(FILE *stream, const new_description *description);

/* Writes only what it needs to compile. */
void new_print_core(FILE *stream, const new_description *description);

#endif
