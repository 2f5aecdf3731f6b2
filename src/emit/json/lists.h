/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of indices into the body or a phase. Only the phases are judged, and whoever edits them need
 * not keep in step what was derived with them: a list that does not fit is left out, with a warning.
 */
#ifndef SWP_EMIT_JSON_LISTS_H
#define SWP_EMIT_JSON_LISTS_H

#include "emit/json/phases.h"

/* Edges under a key, between the first `count` of `what`. */
void swp_json_read_edges(swp_schedule_reader *reader, json_t *root, const char *key, size_t count,
                         const char *what, swp_edge_list *edges);

/* The order of the body, which is read before. */
void swp_json_read_order(swp_schedule_reader *reader, json_t *root);

#endif
