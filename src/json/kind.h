/* SPDX-License-Identifier: Apache-2.0 */
/* What a file of JSON is, where it is not what is wanted. */
#ifndef SWP_JSON_KIND_H
#define SWP_JSON_KIND_H

#include "json/decode.h"

typedef enum swp_json_file {
    SWP_JSON_COUNTEREXAMPLE,
    SWP_JSON_CERTIFICATE,
    SWP_JSON_ANSWER,
    SWP_JSON_PROBLEM,
    SWP_JSON_SCHEDULE
} swp_json_file;

/* Whether the value is a file of another kind than the wanted one; then one complaint says so, and what takes it. */
bool swp_json_is_other_file(swp_json_reader *reader, const json_t *root, swp_json_file wanted);

#endif
