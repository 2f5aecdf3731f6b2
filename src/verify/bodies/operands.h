/* SPDX-License-Identifier: Apache-2.0 */
/* Judging an operand once a COMPUTE uses it: which write could the read have seen? */
#ifndef SWP_BODIES_OPERANDS_H
#define SWP_BODIES_OPERANDS_H

#include "verify/bodies/findings.h"

/*
 * The COMPUTE at `compute` uses what `read` loaded, and needs `tile`, in a run of `passes` kernel
 * passes. Reports at most one hazard.
 */
swp_status swp_bodies_judge_operand(swp_findings *findings, swp_state *state, int read,
                                    int register_index, const swp_bodies_event *compute, int tile,
                                    int passes);

/* Reports that `write` may come before `read` has seen the tile that it needs. */
swp_status swp_bodies_report_overwritten(swp_findings *findings, swp_state *state, swp_read *read,
                                         const swp_bodies_event *write, int tile);

#endif
