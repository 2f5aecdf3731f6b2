/* SPDX-License-Identifier: Apache-2.0 */
/* The generated header of a schedule with a dataflow: what is different there. */
#ifndef SWP_EMIT_C_LOOP_H
#define SWP_EMIT_C_LOOP_H

#include "emit/c/header.h"

/* The slot of each value that an entry makes and reads. */
void swp_c_put_loop_slots(swp_c_header *header, const swp_op *entry);

/* The ops in the contract, and how to read them. */
void swp_c_put_loop_ops(swp_c_header *header);

/* Slots and bytes of the values. */
void swp_c_put_loop_figures(swp_c_header *header);

#endif
