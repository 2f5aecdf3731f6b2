/* SPDX-License-Identifier: Apache-2.0 */
/* The pipeline of a loop as JSON. */
#ifndef SWP_EMIT_JSON_LOOP_H
#define SWP_EMIT_JSON_LOOP_H

#include "ir/kept_pipeline.h"
#include "swp/loop.h"

#include <jansson.h>

/* NULL where jansson finds no memory. */
json_t *swp_json_pipeline(const swp_pipeline *pipeline);

/* A dependence of one of its problems. */
json_t *swp_json_dependence(const swp_pipeline *pipeline, const swp_loop_problem *of, int edge);

/* What holds the interval; null where the bound needs no argument. */
json_t *swp_json_held_by(const swp_pipeline *pipeline);

#endif
