/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the figures of a schedule for people. */
#ifndef SWP_EMIT_TEXT_FIGURES_H
#define SWP_EMIT_TEXT_FIGURES_H

#include "base/text.h"
#include "swp/compile.h"

/* Adds the makespan and the registers of a body's order. */
void swp_emit_order_figures_add(swp_text *text, const swp_schedule *schedule);

/* Adds an empty line, then a line for each figure that applies. */
void swp_emit_figures_add(swp_text *text, const swp_schedule *schedule);

#endif
