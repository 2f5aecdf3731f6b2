/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what the refutation of the bound rests on (docs/loops.md, "What holds the interval"). */
#ifndef SWP_PIPELINE_REFUTATION_CORE_H
#define SWP_PIPELINE_REFUTATION_CORE_H

#include "pipeline/search.h"

/*
 * Finds the core of the refutation that shows the bound, within a small share of the limits. It is
 * empty if another kind of bound holds.
 */
swp_status swp_pipeline_find_core(swp_loop_search *search, swp_loop_core *out);

#endif
