/* SPDX-License-Identifier: Apache-2.0 */
/* Random drafts that are safe: rings of copies, their consumers, what those hand on, and what else orders them. */
#ifndef TEST_JUDGES_ROLES_SHAPES_H
#define TEST_JUDGES_ROLES_SHAPES_H

#include "random.h"
#include "roles_draft.h"

draft random_draft(swp_context *ctx, test_random *random);

#endif
