/* SPDX-License-Identifier: Apache-2.0 */
/* Random bodies of a double-buffered loop, most of which can be built. */
#ifndef TEST_SUPPORT_RANDOM_PIPELINE_H
#define TEST_SUPPORT_RANDOM_PIPELINE_H

#include "random.h"
#include "swp/program.h"

enum { PIPELINE_MOST_OPS = 128 };

typedef struct random_pipeline {
    swp_op ops[PIPELINE_MOST_OPS];
    size_t count;
    swp_pipeline_config config;
    swp_schedule_config sched;
} random_pipeline;

/* Grids from 1x1 to 3x2 with any number of fragments and loads in a block, all schedule flags. */
void random_pipeline_fill(test_random *random, random_pipeline *out);

#endif
