/* SPDX-License-Identifier: Apache-2.0 */
/* The generated header of a schedule with a dataflow: what is different there. */
#ifndef SWP_EMIT_C_LOOP_H
#define SWP_EMIT_C_LOOP_H

#include "emit/c/header.h"

/* The slot of each value that an entry makes and reads. */
void swp_c_put_loop_slots(swp_c_header *header, const swp_op *entry);

/* Whether an entry runs for no iteration that it is there for, as the pass alone says. */
bool swp_c_loop_never_calls(const swp_c_header *header, const swp_op *entry);

/* Opens `if (...) {` before the call of an op that does not always run; false: there is nothing to close. */
bool swp_c_put_loop_condition(swp_c_header *header, const swp_op *entry, const char *kb);

/* The ops in the contract, and how to read them. */
void swp_c_put_loop_ops(swp_c_header *header);

/* Slots and bytes of the values. */
void swp_c_put_loop_figures(swp_c_header *header);

#endif
