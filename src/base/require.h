/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the arguments of public functions: NULL where the API does not allow it is an error, no crash. */
#ifndef SWP_BASE_REQUIRE_H
#define SWP_BASE_REQUIRE_H

#include "base/context.h"

/* Reports a NULL argument, if there is a context to report to; returns SWP_INVALID. */
swp_status swp_refuse_null(swp_context *ctx, const char *function);

/* Leaves a function that returns a status, unless all of these are given. */
#define SWP_REQUIRE(ctx, given)                                                                    \
    do {                                                                                           \
        if (!(given))                                                                              \
            return swp_refuse_null((ctx), __func__);                                               \
    } while (0)

/* Does the same in a function without a status, which then returns its neutral value. */
#define SWP_REQUIRE_OR(neutral, given)                                                             \
    do {                                                                                           \
        if (!(given))                                                                              \
            return neutral;                                                                        \
    } while (0)

#endif
