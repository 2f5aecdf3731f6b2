/* SPDX-License-Identifier: Apache-2.0 */
/* Names the figures of targets, for code that reads and writes them. */
#ifndef SWP_TARGET_FIGURES_H
#define SWP_TARGET_FIGURES_H

#include "swp/target.h"

/* States one figure of a target, with its source. */
#define SWP_TARGET_FIGURE(number, where)                                                           \
    {                                                                                              \
        .value = (number), .source = (where), .stated = true                                       \
    }

/* The largest number that a file may state. */
enum { SWP_MOST_FIGURE = SWP_MOST_CYCLES };

typedef struct swp_figure_row {
    const char *section;
    const char *key;
    int least;
    const char *meaning;
} swp_figure_row;

const swp_figure_row *swp_target_figure_row(swp_target_figure figure);

/* Returns whether a target file may state at most what the target that it builds on has. */
bool swp_target_figure_is_limit(swp_target_figure figure);

/*
 * Returns whether a file states its figures. Those of the built-in targets are round, and published
 * results go by them.
 */
bool swp_target_is_file(const swp_target *target);

int64_t swp_target_value_of(const swp_target *target, swp_target_figure figure);

#endif
