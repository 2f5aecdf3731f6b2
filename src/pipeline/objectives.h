/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the least of each objective at a given interval (docs/loops.md, "Slots"). */
#ifndef SWP_PIPELINE_OBJECTIVES_H
#define SWP_PIPELINE_OBJECTIVES_H

#include "pipeline/search.h"

/* Makes the best pipeline of the interval have the least of each objective, in their order. */
swp_status swp_pipeline_minimise(swp_loop_search *search, swp_pipeline *out);

#endif
