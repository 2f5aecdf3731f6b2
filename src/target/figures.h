/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of targets by name, for those who read and write them. */
#ifndef SWP_TARGET_FIGURES_H
#define SWP_TARGET_FIGURES_H

#include "swp/target.h"

typedef struct swp_figure_row {
    const char *section;
    const char *key;
    int least;
} swp_figure_row;

const swp_figure_row *swp_target_figure_row(swp_target_figure figure);

/* Whether no target file may state more than what the target that it is like has. */
bool swp_target_figure_is_limit(swp_target_figure figure);

/* `costs` are what target->loop points to, or will. */
void swp_target_set_figure(swp_target *target, swp_loop_costs *costs, swp_target_figure figure,
                           int value);

#endif
