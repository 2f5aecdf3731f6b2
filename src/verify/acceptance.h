/* SPDX-License-Identifier: Apache-2.0 */
/* Which hazards a user takes: by kind, role, list and entry. */
#ifndef SWP_VERIFY_ACCEPTANCE_H
#define SWP_VERIFY_ACCEPTANCE_H

#include "swp/verify.h"

typedef struct swp_acceptances {
    const swp_acceptance *items;
    size_t count;
} swp_acceptances;

/* Whether an acceptance names hazards of that kind and place. @param role  NULL in a schedule without warp roles */
bool swp_verify_is_meant(const swp_acceptance *accepted, swp_hazard_kind kind, const char *role,
                         swp_entry_ref at);

/* Whether any of them does. */
bool swp_verify_is_accepted(const swp_acceptances *accepted, swp_hazard_kind kind, const char *role,
                            swp_entry_ref at);

#endif
