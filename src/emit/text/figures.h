/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of a schedule, for people. */
#ifndef SWP_EMIT_TEXT_FIGURES_H
#define SWP_EMIT_TEXT_FIGURES_H

#include "base/text.h"
#include "swp/compile.h"

/* Makespan and registers of a body's order. */
void swp_emit_order_figures_add(swp_text *text, const swp_schedule *schedule);

/* A line for each figure that applies, behind an empty one. */
void swp_emit_figures_add(swp_text *text, const swp_schedule *schedule);

#endif
