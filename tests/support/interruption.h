/* SPDX-License-Identifier: Apache-2.0 */
/* Limits that count how often they are asked, so that tests of stopping need no clock. */
#ifndef TEST_SUPPORT_INTERRUPTION_H
#define TEST_SUPPORT_INTERRUPTION_H

#include "swp/context.h"

typedef struct interruption {
    size_t asked;
    size_t from; /* it says stop when it is asked for the n-th time, and ever after; 0: never */
} interruption;

/* Sets the limits of the context to the interruption alone. */
void interrupt_with(swp_context *ctx, interruption *with);

#endif
