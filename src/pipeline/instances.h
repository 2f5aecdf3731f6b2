/* SPDX-License-Identifier: Apache-2.0 */
/* Finds pipelines of roles with several instances (docs/loops.md, "Instances"). */
#ifndef SWP_PIPELINE_INSTANCES_H
#define SWP_PIPELINE_INSTANCES_H

#include "pipeline/search.h"

/*
 * Gives an answer to the search's problem in which the instances of a role issue its ops at equal
 * distances; in the problem itself each instance is free. The value is as low as could be found, or
 * there are no times. The bound may be raised.
 */
swp_status swp_pipeline_tie_instances(swp_loop_search *search, const swp_solve_aim *aim,
                                      swp_answer *answer);

#endif
