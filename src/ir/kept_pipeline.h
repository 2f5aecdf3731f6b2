/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of the pipeline in the JSON of a loop's schedule. */
#ifndef SWP_IR_KEPT_PIPELINE_H
#define SWP_IR_KEPT_PIPELINE_H

#include <stdint.h>

/* Its figures matter to nobody who judges the schedule: they are written again as they stood. */
struct swp_kept_pipeline {
    const char *text;
    int64_t interval; /* that it states; 0: none */
};

#endif
