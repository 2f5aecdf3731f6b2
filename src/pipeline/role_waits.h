/* SPDX-License-Identifier: Apache-2.0 */
/* Which waits of warp roles are derived. */
#ifndef SWP_PIPELINE_ROLE_WAITS_H
#define SWP_PIPELINE_ROLE_WAITS_H

typedef enum swp_role_waits {
    SWP_FEWEST_WAITS,      /* none that the proof does without */
    SWP_ALL_WAITS,         /* proven to be enough, and no more: that is how pipelines are weighed */
    SWP_ALL_WAITS_UNPROVEN /* since no proof came to an end in time */
} swp_role_waits;

#endif
