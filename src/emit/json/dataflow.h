/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops of a loop read and write, in the JSON of its schedule. */
#ifndef SWP_EMIT_JSON_DATAFLOW_H
#define SWP_EMIT_JSON_DATAFLOW_H

#include "emit/json/phases.h"

/* NULL where jansson finds no memory. Only between warp roles a signal takes any time. */
json_t *swp_json_dataflow(const swp_loop_dataflow *dataflow, bool has_roles);

/* Before the entries are read, which need it; the file may be without. */
void swp_json_read_dataflow(swp_schedule_reader *reader, json_t *root);

#endif
