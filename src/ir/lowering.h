/* SPDX-License-Identifier: Apache-2.0 */
/* The two lowerings to effects: of a body's ops by their kinds, and of a loop's ops. Only effects.c asks which. */
#ifndef SWP_IR_LOWERING_H
#define SWP_IR_LOWERING_H

#include "ir/effects.h"

typedef struct swp_lowering {
    swp_context *ctx;
    swp_effects *out;
    const swp_schedule *schedule;
    const swp_stream *stream;          /* of it */
    const swp_loop_dataflow *dataflow; /* NULL: the kinds of the ops say what they do */
    const swp_loop *loop;              /* that of the dataflow */
    int *makers;                       /* of each value: ops that make it in an iteration */
    int *first; /* of each value: its first place or register; one for each slot follows */
} swp_lowering;

/* Units, and places that are there whoever names them. */
swp_status swp_ir_begin_body(swp_lowering *l);
swp_status swp_ir_begin_loop(swp_lowering *l);

swp_status swp_ir_lower_kind(const swp_lowering *l, const swp_op *op, swp_effect *effect);
swp_status swp_ir_lower_loop_op(const swp_lowering *l, swp_phase phase, const swp_op *entry,
                                int index, swp_effect *effect);

/* Tiles of a body's entries, which k offsets and the order of all of them say. */
swp_status swp_ir_number_tiles(const swp_lowering *l);

#endif
