/* SPDX-License-Identifier: Apache-2.0 */
/* How a compiler changed the order, waits and barriers of a schedule. */
#ifndef SWP_AUDIT_MATCH_COMPARE_H
#define SWP_AUDIT_MATCH_COMPARE_H

#include "audit/match/attribution.h"
#include "swp/audit.h"

swp_status swp_match_compare(const swp_attribution *attribution, swp_audit_change_list *out);

#endif
