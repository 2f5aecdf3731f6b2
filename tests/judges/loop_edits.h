/* SPDX-License-Identifier: Apache-2.0 */
/* Random edits of a schedule of a general loop. */
#ifndef TEST_JUDGES_LOOP_EDITS_H
#define TEST_JUDGES_LOOP_EDITS_H

#include "random.h"

#include "swp/compile.h"

/* Applies one edit. @return its name */
const char *loop_edit(swp_context *ctx, swp_schedule *schedule, test_random *random);

#endif
