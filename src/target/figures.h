/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of targets by name, for those who read and write them. */
#ifndef SWP_TARGET_FIGURES_H
#define SWP_TARGET_FIGURES_H

#include "swp/target.h"

/* One that a target states. */
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

/* Whether no target file may state more than what the target that it is like has. */
bool swp_target_figure_is_limit(swp_target_figure figure);

/* Whether a file states its figures: those of the built-in ones are round, and what is published goes by them. */
bool swp_target_is_file(const swp_target *target);

int64_t swp_target_value_of(const swp_target *target, swp_target_figure figure);

#endif
