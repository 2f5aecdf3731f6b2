/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links the ops of one unit, or of one object, in the order of issue, so that walks along these
 * meet no others.
 */
#ifndef SWP_PIPELINE_ISSUE_LANES_H
#define SWP_PIPELINE_ISSUE_LANES_H

#include "pipeline/issue_waits.h"

/* Lists which ops are in which unit and object. */
swp_status swp_pipeline_issue_list_lanes(swp_issue_model *model);

/* Links the ops of each list in the order of issue. */
void swp_pipeline_issue_link_lanes(const swp_issue_model *model, const swp_issue_order *order);

/* Returns the op of the unit that is issued before one of its ops. */
swp_issued swp_pipeline_issue_before_in_unit(const swp_issue_builder *b, int unit,
                                             swp_issued issued);

/* Returns the access of the same object that is issued before. */
swp_issued swp_pipeline_issue_before_in_object(const swp_issue_builder *b, swp_issued issued);

#endif
