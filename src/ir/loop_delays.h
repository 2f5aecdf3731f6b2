/* SPDX-License-Identifier: Apache-2.0 */
/* How many cycles after the issue of one op another may issue that touches the same value. */
#ifndef SWP_IR_LOOP_DELAYS_H
#define SWP_IR_LOOP_DELAYS_H

#include "swp/loop.h"

/* Until what the maker made is there: after its latency, or that of a reader which has its own; 0: it has none. */
int64_t swp_ir_until_there(const swp_loop *loop, int maker, int then, int64_t latency);

/* Until an update of the maker's tile may issue, in the tile's slot or in another one; 0: the maker's latency. */
int64_t swp_ir_until_handed_on(const swp_loop *loop, int value, int maker, int then, bool in_place);

/*
 * Until the slot that the last maker made can be made anew by the first. Where that updates what is there,
 * the makers follow each other in order.
 */
int64_t swp_ir_until_remade(const swp_loop *loop, int value, int last, int first, bool in_place);

/* Until the reader has read, so that what it read may be replaced. */
int64_t swp_ir_until_read(const swp_loop *loop, int reader, int value, int then);

/* The same of an update; in its slot the next one lands behind it, and unless it says so it reads no longer. */
int64_t swp_ir_until_updated(const swp_loop *loop, int reader, int value, int then, bool in_place);

#endif
