/* SPDX-License-Identifier: Apache-2.0 */
/* The pipeline of a loop as JSON. */
#ifndef SWP_EMIT_JSON_LOOP_H
#define SWP_EMIT_JSON_LOOP_H

#include "swp/loop.h"

#include <jansson.h>

/* NULL where jansson finds no memory. */
json_t *swp_json_pipeline(const swp_pipeline *pipeline);

#endif
