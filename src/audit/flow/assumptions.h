/* SPDX-License-Identifier: Apache-2.0 */
/* What the answer takes for given of a function, where it could not be checked. */
#ifndef SWP_AUDIT_FLOW_ASSUMPTIONS_H
#define SWP_AUDIT_FLOW_ASSUMPTIONS_H

#include "audit/flow/fixpoint.h"
#include "swp/audit.h"

swp_status swp_flow_add_assumptions(const swp_fixpoint *fixpoint, swp_audit_report *out);

#endif
