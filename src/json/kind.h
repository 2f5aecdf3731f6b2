/* SPDX-License-Identifier: Apache-2.0 */
/* Says what a JSON file is if it is not the kind that is wanted. */
#ifndef SWP_JSON_KIND_H
#define SWP_JSON_KIND_H

#include "json/decode.h"

/* Names what a file is, what it should be, and which command takes it as it is. */
typedef struct swp_json_mismatch {
    const char *is;
    const char *wanted;
    const char *taker;
} swp_json_mismatch;

/* Returns whether the value is a file of another kind than the wanted one. */
bool swp_json_mismatches(const json_t *root, swp_json_file wanted, swp_json_mismatch *out);

/* Does the same, and complains if so. */
bool swp_json_is_other_file(swp_json_reader *reader, const json_t *root, swp_json_file wanted);

#endif
