/* SPDX-License-Identifier: Apache-2.0 */
/* The generated header of a schedule with a dataflow: what is different there. */
#ifndef SWP_EMIT_C_LOOP_H
#define SWP_EMIT_C_LOOP_H

#include "emit/c/header.h"

/* From the base of its list, which `kb` is in the pass clock. */
typedef struct swp_c_turn {
    swp_role_clock clock;
    int offset;
} swp_c_turn;

/* Slot and parity of the phase of a turn: literals where all bases have the same. */
void swp_c_put_turn_slot(swp_c_header *header, const char *kb, swp_c_turn turn, int slots);
void swp_c_put_turn_parity(swp_c_header *header, const char *kb, swp_c_turn turn, int slots);

/* The slot of each value that an entry makes and reads, and what the call of an op begins with. */
void swp_c_put_loop_slots(swp_c_header *header, const swp_op *entry, const char *kb);
void swp_c_put_loop_names(swp_c_header *header, int tag);

/* The ops in the contract, and how to read them. */
void swp_c_put_loop_ops(swp_c_header *header);

/* Slots and bytes of the values. */
void swp_c_put_loop_figures(swp_c_header *header);

#endif
