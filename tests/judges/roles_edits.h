/* SPDX-License-Identifier: Apache-2.0 */
/* Random edits of small schedules with warp roles. */
#ifndef TEST_JUDGES_ROLES_EDITS_H
#define TEST_JUDGES_ROLES_EDITS_H

#include "random.h"
#include "roles_words.h"

/* Changes one thing. @return false, and the program may be spoilt, where it has no meaning any more */
bool role_program_edit(swp_context *ctx, role_program *p, test_random *random);

#endif
