/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel phases whose operations run one after the other: no synchronisation is stronger. */
#ifndef TEST_JUDGES_SEQUENTIAL_H
#define TEST_JUDGES_SEQUENTIAL_H

#include "swp/compile.h"

/*
 * Whether the kernel phase computes its loop once every place and register has been through it,
 * whatever the prologue did. A loop that takes the next tile may be ahead by a few tiles.
 */
bool order_can_be_right(const swp_schedule *schedule);

#endif
