/* SPDX-License-Identifier: Apache-2.0 */
/* The ops of one unit, or of one object, in an order of issue: walks that look for these meet no others. */
#ifndef SWP_PIPELINE_ISSUE_LANES_H
#define SWP_PIPELINE_ISSUE_LANES_H

#include "pipeline/issue_waits.h"

/* Who is in which unit and object. */
swp_status swp_pipeline_issue_list_lanes(swp_issue_model *model);

/* Before whom in each of them, in this order. */
void swp_pipeline_issue_link_lanes(const swp_issue_model *model, const swp_issue_order *order);

/* The op of the unit that is issued before one of its ops. */
swp_issued swp_pipeline_issue_before_in_unit(const swp_issue_builder *b, int unit,
                                             swp_issued issued);

/* The access of the same object that is issued before. */
swp_issued swp_pipeline_issue_before_in_object(const swp_issue_builder *b, swp_issued issued);

#endif
