/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the report that more than one analysis fills in. */
#ifndef SWP_AUDIT_FLOW_FINDINGS_H
#define SWP_AUDIT_FLOW_FINDINGS_H

#include "audit/flow/control_flow.h"
#include "swp/audit.h"

/* Where an instruction stands; NULL: nowhere. */
swp_status swp_flow_set_site(swp_context *ctx, const swp_insn *insn, swp_audit_site *out);

/* Adds a note. `insn` may be NULL; `why` must outlive the report. */
swp_status swp_flow_add_note(swp_context *ctx, const swp_insn *insn, const char *why,
                             swp_audit_note_list *list);

/* Adds a loop that was followed as so many copies, one a pass. */
swp_status swp_flow_add_loop(swp_context *ctx, const swp_flow *flow, int loop, int copies,
                             swp_audit_report *out);

#endif
