/* SPDX-License-Identifier: Apache-2.0 */
/* Programs for the tests of phases. */
#ifndef TEST_SUPPORT_PROGRAMS_H
#define TEST_SUPPORT_PROGRAMS_H

#include "swp/program.h"

/* A configuration of two halves of one row and so many columns. */
swp_pipeline_config row_config(int columns);

/* The program of ordered ops under row_config(columns). */
swp_program row_program(swp_context *ctx, swp_op_list ordered, int columns,
                        const swp_schedule_config *sched);

#endif
