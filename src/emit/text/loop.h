/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the pipeline of a loop for people. */
#ifndef SWP_EMIT_TEXT_LOOP_H
#define SWP_EMIT_TEXT_LOOP_H

#include "base/text.h"
#include "swp/compile.h"
#include "swp/loop.h"

/* Writes the interval and what holds it, objectives, ops with cycle and stage, values with slots. */
void swp_emit_loop_figures(swp_text *text, const swp_pipeline *pipeline);

/* Writes how many work groups share a multiprocessor, and how many could. */
void swp_emit_loop_resident(swp_text *text, const swp_pipeline *pipeline);

/* Writes a line for each of bytes and stages, with what a thread of each role has. */
void swp_emit_loop_objectives(swp_text *text, const swp_pipeline *pipeline);

/* Who does what, where the search has found it. */
void swp_emit_loop_roles(swp_text *text, const swp_loop *loop);

/* Writes the interval that the file of a schedule states. */
void swp_emit_read_loop_interval(swp_text *text, const swp_schedule *schedule);

/*
 * Writes what is known of a loop whose schedule was read: the interval that its file states, values
 * with slots.
 */
void swp_emit_read_loop_figures(swp_text *text, const swp_schedule *schedule);

/* Writes for each counter the ops of which it holds only one, or few, at a time. */
void swp_emit_loop_counters(swp_text *text, const swp_schedule *schedule);

/* Writes an entry's iteration, what it makes and what it reads: "i+1  P[0] <- S". */
void swp_emit_loop_operands(swp_text *text, const swp_loop_dataflow *dataflow, const swp_op *entry);

#endif
