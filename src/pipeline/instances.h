/* SPDX-License-Identifier: Apache-2.0 */
/* Pipelines of roles with several instances (docs/loops.md, "Instances"). */
#ifndef SWP_PIPELINE_INSTANCES_H
#define SWP_PIPELINE_INSTANCES_H

#include "pipeline/search.h"

/*
 * Gives an answer to the search's problem, in which each instance is free, times in which the instances of a role issue
 * its ops at the same distances from each other: with a value as low as is found, or none. The bound may be raised.
 */
swp_status swp_pipeline_tie_instances(swp_loop_search *search, const swp_solve_aim *aim,
                                      swp_answer *answer);

#endif
