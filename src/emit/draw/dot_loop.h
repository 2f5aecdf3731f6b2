/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the dependence graph of a loop for Graphviz. */
#ifndef SWP_EMIT_DRAW_DOT_LOOP_H
#define SWP_EMIT_DRAW_DOT_LOOP_H

#include "base/text.h"
#include "swp/loop_compile.h"

/* Writes the title, ops and dependences of a schedule with a pipeline or a dataflow. */
swp_status swp_emit_dot_loop(swp_text *text, const swp_schedule *schedule);

#endif
