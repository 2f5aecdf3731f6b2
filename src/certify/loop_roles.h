/* SPDX-License-Identifier: Apache-2.0 */
/* The roles that a loop leaves open, by docs/certificates.md alone. */
#ifndef SWP_CERTIFY_LOOP_ROLES_H
#define SWP_CERTIFY_LOOP_ROLES_H

#include "certify/judgement.h"
#include "swp/loop.h"

/* Whether any op may be of several roles. */
bool swp_certify_has_open_roles(const swp_loop *loop);

/* The loop in which each op has its role of the list. */
swp_status swp_certify_close_roles(swp_context *ctx, const swp_loop *loop, const int *roles,
                                   swp_loop *out);

/* Whether ops may have these roles. */
bool swp_certify_may_have_roles(const swp_loop *loop, const int *roles);

/*
 * Goes on to the next roles that the ops may have; `roles` has those found last, or SWP_CERTIFY_NO_ROLES first of all.
 * `*more` is false behind the last.
 */
enum { SWP_CERTIFY_NO_ROLES = -1 };
swp_status swp_certify_next_roles(swp_judgement *judgement, const swp_loop *loop, int *roles,
                                  bool *more);

#endif
