/* SPDX-License-Identifier: Apache-2.0 */
/* The generated header of a schedule with a dataflow: what is different there. */
#ifndef SWP_EMIT_C_LOOP_H
#define SWP_EMIT_C_LOOP_H

#include "emit/c/header.h"

/* The call of an op: its iteration, and the slot of each value that it makes and reads. */
void swp_c_put_loop_call(swp_c_header *header, const swp_entry *entry, const char *kb);

/* The ops in the contract, and how to read them. */
void swp_c_put_loop_ops(swp_c_header *header);

/* Slots and bytes of the values. */
void swp_c_put_loop_figures(swp_c_header *header);

/* Counted accesses of an op. */
swp_c_op swp_c_loop_op(const swp_c_header *header, int tag);

#endif
