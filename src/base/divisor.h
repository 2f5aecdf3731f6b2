/* SPDX-License-Identifier: Apache-2.0 */
/* The greatest common divisor, by Euclid's algorithm. */
#ifndef SWP_BASE_DIVISOR_H
#define SWP_BASE_DIVISOR_H

#include <stdint.h>

/* Returns that of two numbers from 0 on; where one is 0, the other one. */
static inline int64_t swp_common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
