/* SPDX-License-Identifier: Apache-2.0 */
/* Compares hazards with those that a user takes. */
#include "verify/acceptance.h"

#include <string.h>

bool swp_verify_is_meant(const swp_acceptance *accepted, swp_hazard_kind kind, const char *role,
                         swp_entry_ref at)
{
    return kind == accepted->kind && at.phase == accepted->at.phase &&
           at.entry == accepted->at.entry && !role == !accepted->role &&
           (!role || strcmp(role, accepted->role) == 0);
}

bool swp_verify_is_accepted(const swp_acceptances *accepted, swp_hazard_kind kind, const char *role,
                            swp_entry_ref at)
{
    for (size_t a = 0; a < accepted->count; a++)
        if (swp_verify_is_meant(&accepted->items[a], kind, role, at))
            return true;
    return false;
}
