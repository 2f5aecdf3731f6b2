/* SPDX-License-Identifier: Apache-2.0 */
/* Where a value stands in a text of JSON: jansson keeps no places of what it has read. */
#ifndef SWP_JSON_FIND_H
#define SWP_JSON_FIND_H

#include "swp/context.h"

#include <stddef.h>

/* A text without errors of syntax, and the place of its first character. */
typedef struct swp_json_text {
    const char *text;
    size_t length;
    swp_place place;
} swp_json_text;

/*
 * The place of the value at a path such as `roles[1].kernel[2].to`, or of its key. Where the path goes on to what
 * is not there, the place of the last value that is.
 */
swp_place swp_json_find(const swp_json_text *in, const char *path, bool its_key);

/* The places of the first `count` elements of the array at a path, in one reading of the text. */
void swp_json_find_elements(const swp_json_text *in, const char *path, size_t count,
                            swp_place *places);

#endif
