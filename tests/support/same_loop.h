/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that say the same, wherever it was written. */
#ifndef TEST_SUPPORT_SAME_LOOP_H
#define TEST_SUPPORT_SAME_LOOP_H

#include "swp/describe.h"

/* The loop of a description in YAML; fails, printing the diagnostics, if there is none. */
swp_loop loop_of_yaml(swp_context *ctx, const char *text);

/* Fails where two loops differ, but for the places of what they have. */
void assert_same_loop(const swp_loop *a, const swp_loop *b);

#endif
