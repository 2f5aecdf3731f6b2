/* SPDX-License-Identifier: Apache-2.0 */
/* The operations that lines of a draft are made of. */
#ifndef TEST_JUDGES_ROLES_LINES_H
#define TEST_JUDGES_ROLES_LINES_H

#include "roles_draft.h"

enum { DRAFT_BYTES = 1024 }; /* of a copy */

swp_threads draft_by(bool all);
swp_op draft_sync(int tag, swp_threads by);
swp_op draft_on(int tag, int object, int iteration, swp_threads by);
swp_op draft_expect(int object, int bytes);
swp_op draft_named(int tag, int object, int slot, int slot_step);
swp_op draft_work(int number, swp_threads by);
swp_op draft_copy(int number, int object);

/* Of all of its instances. */
int draft_threads(const draft_body *body);

#endif
