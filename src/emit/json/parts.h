/* SPDX-License-Identifier: Apache-2.0 */
/* What more than one of the JSON texts has. */
#ifndef SWP_EMIT_JSON_PARTS_H
#define SWP_EMIT_JSON_PARTS_H

#include "swp/run.h"
#include "swp/simulate.h"
#include "swp/verify.h"
#include "json/put.h"

/* A sequence of output tiles. */
json_t *swp_json_tiles(const int *tiles, int count);

/* A hazard as a verdict has it. */
json_t *swp_json_hazard(const swp_schedule *schedule, const swp_hazard *hazard);

/* How busy a unit is, as a simulation has it. */
json_t *swp_json_unit(const swp_simulation *simulation, size_t index);

/* A wrong value, in a report of runs and in a counterexample alike. */
json_t *swp_json_wrong_value(const swp_wrong_value *value);

/* Jansson does not tell a text that it refuses from memory that it does not get. */
swp_status swp_json_check_names(swp_context *ctx, const swp_schedule *schedule);

#endif
