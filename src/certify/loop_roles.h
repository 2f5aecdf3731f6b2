/* SPDX-License-Identifier: Apache-2.0 */
/* Goes through the roles that a loop leaves open, by docs/certificates.md alone. */
#ifndef SWP_CERTIFY_LOOP_ROLES_H
#define SWP_CERTIFY_LOOP_ROLES_H

#include "certify/judgement.h"
#include "swp/loop.h"

/* Returns whether some op may be of several roles. */
bool swp_certify_has_open_roles(const swp_loop *loop);

/* Copies the loop and gives each op its role of the list. */
swp_status swp_certify_close_roles(swp_context *ctx, const swp_loop *loop, const int *roles,
                                   swp_loop *out);

/* Returns whether the ops may have these roles together. */
bool swp_certify_may_have_roles(const swp_loop *loop, const int *roles);

/*
 * Goes on to the next roles that the ops may have. `roles` has those found last, or
 * SWP_CERTIFY_NO_ROLES at the start. `*more` is false after the last.
 */
enum { SWP_CERTIFY_NO_ROLES = -1 };
swp_status swp_certify_next_roles(swp_judgement *judgement, const swp_loop *loop, int *roles,
                                  bool *more);

#endif
